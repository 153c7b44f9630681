// SPDX-License-Identifier: MIT
// The owners of traces that players leave on a board.
#pragma once

#include <map>
#include <string>

#include "server/board/board.h"

namespace ludens::server {

/// Follows a match state by state. A thing without an owner that appears where a player's piece is,
/// or was in the previous state, belongs to that player as long as it stays; it is then called
/// `THING of PIECE` (see Board::appearance).
class Trails {
 public:
  explicit Trails(const Board& board) : board_(board) {}

  /// Renames traces. States must be given in order.
  void follow(Picture& picture);

 private:
  using Squares = std::map<Square, std::vector<std::string>>;

  const Board& board_;
  Squares before_;                       // with the names of the rules
  std::map<Square, std::string> owned_;  // the new name of the trace there
  bool begun_ = false;
};

}  // namespace ludens::server
