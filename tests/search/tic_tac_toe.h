// SPDX-License-Identifier: MIT
// Positions of tic-tac-toe.
#pragma once

#include <memory>
#include <vector>

#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {

inline std::shared_ptr<const gdl::Machine> tic_tac_toe() {
  return std::make_shared<NativeMachine>(std::make_shared<TicTacToe>());
}

/// The position for this role after these cells, 0 to 8, were marked in turn, crosses (role 0)
/// first.
inline Position after_marks(const std::vector<gdl::MoveId>& cells, gdl::RoleIndex role) {
  constexpr gdl::MoveId kWait = TicTacToe::kWait;
  Position position = initial_position(tic_tac_toe(), role);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    make_move(position, i % 2 == 0 ? std::vector{cells[i], kWait} : std::vector{kWait, cells[i]});
  }
  return position;
}

}  // namespace ludens::search::test
