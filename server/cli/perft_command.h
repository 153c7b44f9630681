// SPDX-License-Identifier: MIT
// `ludens perft GAME DEPTH`: counts joint-move paths.
#pragma once

#include <string>

namespace ludens::server {

struct PerftOptions {
  std::string game;
  unsigned depth = 1;
  std::string machine = "auto";
  unsigned threads = 0;  // 0: one for each processor
  bool json = false;
};

/// For each length up to the depth: how many sequences of joint moves there are from the initial
/// state, and how many of them end the game with their last move.
int perft_command(const PerftOptions& options);

}  // namespace ludens::server
