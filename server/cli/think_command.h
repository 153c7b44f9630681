// SPDX-License-Identifier: MIT
// `ludens think`: one search from one position.
#pragma once

#include <string>

#include "server/cli/study.h"

namespace ludens::server {

struct ThinkOptions {
  StudyOptions study;
  std::string strategy = "auto";
  bool trace = false;  // print the searched tree
};

/// Searches, and shows the values of all moves, the principal variation and counts. 1 if there is
/// nothing to search (the position is an end), 2 for a strategy or role that does not exist.
int think_command(const ThinkOptions& options);

}  // namespace ludens::server
