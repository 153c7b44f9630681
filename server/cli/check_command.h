// SPDX-License-Identifier: MIT
// `ludens check GAME...`: what is wrong with rulesheets.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/cli/diagnostic_lines.h"

namespace ludens::server {

struct CheckOptions {
  std::vector<std::string> games;  // paths, or names of bundled games
  bool json = false;
  std::size_t limit = kMostDiagnostics;  // lines of text for each game; 0: all
};

/// All diagnostics of all games to standard output, one a line: as JSON all of them, as text no
/// more than `limit`, and few that say the same. 1 if one of them is an error, 3 if a game can't be
/// read; the others are checked all the same.
int check_command(const CheckOptions& options);

}  // namespace ludens::server
