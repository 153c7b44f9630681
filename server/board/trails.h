// SPDX-License-Identifier: MIT
// Whose the traces are that players leave on a board.
#pragma once

#include <map>
#include <string>

#include "server/board/board.h"

namespace ludens::server {

/// Follows a match state by state. A thing of nobody that comes where a player's piece is, or was
/// in the state before, is that player's as long as it stays; it is then called `THING of PIECE`
/// (see Board::appearance).
class Trails {
 public:
  explicit Trails(const Board& board) : board_(board) {}

  /// Renames what are traces. States are to be given in their order.
  void follow(Picture& picture);

 private:
  using Squares = std::map<Square, std::vector<std::string>>;

  const Board& board_;
  Squares before_;                       // as the rules name things
  std::map<Square, std::string> owned_;  // the new name of the trace there
  bool begun_ = false;
};

}  // namespace ludens::server
