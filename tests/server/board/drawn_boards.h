// SPDX-License-Identifier: MIT
// Boards of rules that a test writes.
#pragma once

#include <string>

#include "server/board/board.h"
#include "server/board/text_board.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

inline Board board_of(const std::string& rules, const std::string& initial) {
  return Board(*read_rulesheet("test", rules).rules, initial);
}

inline std::string drawn(const std::string& rules, const std::string& initial,
                         const std::string& state) {
  const Board board = board_of(rules, initial);
  return draw(board, board.picture(state));
}

inline std::string drawn(const std::string& rules, const std::string& state) {
  return drawn(rules, state, state);
}

}  // namespace ludens::server
