// SPDX-License-Identifier: MIT
// `ludens games`: what comes with the program.
#pragma once

namespace ludens::server {

struct GamesOptions {
  bool json = false;
};

/// One line a game: name, roles, and the first comment line of its rulesheet.
int games_command(const GamesOptions& options);

}  // namespace ludens::server
