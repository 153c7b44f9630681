// SPDX-License-Identifier: MIT
// `ludens show`: a position as people and programs can read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ludens::server {

struct ShowOptions {
  std::string game;
  std::string moves_file;  // one joint move a line, `( m1 m2 )`; `-`: standard input
  bool playout = false;    // random moves instead, each position on the way
  std::uint64_t seed = 1;
  std::size_t step_cap = 500;  // of the playout
  bool json = false;
};

/// The initial position, the one after the moves of a file, or all positions of a random playout:
/// roles, state, legal moves, goals. 1 if a move of the file is not legal.
int show_command(const ShowOptions& options);

}  // namespace ludens::server
