// SPDX-License-Identifier: MIT
// `ludens solve`: the exact value of a position.
#pragma once

#include <string>

#include "server/cli/study.h"

namespace ludens::server {

struct SolveOptions {
  StudyOptions study;
  std::string method = "search";  // `proof` or `backward`
  std::string machine = "auto";
  std::string policy_file;  // where to write the contingent strategy; empty: nowhere
  bool all_moves = false;   // the value of every move, not of the best alone
};

/// Shows what the role can force, or what is known of that when stopped, which ends with 1. The
/// policy is written as `search/solve/solve.h` says.
int solve_command(const SolveOptions& options);

}  // namespace ludens::server
