// SPDX-License-Identifier: MIT
// Joint moves from a file, to reach a position in the middle of a game.
#pragma once

#include <string>
#include <vector>

#include "server/game/position.h"

namespace ludens::server {

/// How far the moves of a file got.
struct MovesMade {
  bool readable = true;
  std::string problem;               // `FILE:LINE: why`; empty if all moves were made
  std::vector<gdl::MoveId> history;  // the joint moves made, stored contiguously
};

/// Makes the joint moves of a file, one per line, in role order, as `( m1 m2 )`; empty lines are
/// skipped. `file` may be `-`, standard input.
MovesMade make_moves_of_file(const std::string& file, Position& position);

/// The same for a text, in which line ends and semicolons separate joint moves.
MovesMade make_moves_of_text(const std::string& text, Position& position);

}  // namespace ludens::server
