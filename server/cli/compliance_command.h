// SPDX-License-Identifier: MIT
// `ludens compliance`: checks a player against the protocol, case by case.
#pragma once

#include <cstddef>
#include <string>

namespace ludens::server {

struct ComplianceOptions {
  std::string url;
  std::string game = "connect_four";
  std::string only;  // a regular expression of case names; empty: all
  int start_clock = 3;
  int play_clock = 3;
  std::size_t slow_clients = 0;  // connections held open by slow clients all the while
  bool list = false;             // names the cases and tries none
  bool json = false;
};

/// 0 if no case fails; a case that can't be tried is skipped and said so.
int compliance_command(const ComplianceOptions& options);

}  // namespace ludens::server
