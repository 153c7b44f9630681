// SPDX-License-Identifier: MIT
// `ludens replay`: do the rules allow what a record tells?
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

struct ReplayOptions {
  /// JSON records, archives of JSON lines, XML documents, or folders of such.
  std::vector<std::string> records;
  std::string game;     // where the record does not hold its rulesheet; empty: as recorded
  bool boards = false;  // draw every position
  bool json = false;
};

/// 0 if every match agrees with its rules, and no player got less than it had proved; 1 if not; 3
/// if a record could not be read or derived.
int replay_command(const ReplayOptions& options);

}  // namespace ludens::server
