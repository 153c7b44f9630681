// SPDX-License-Identifier: MIT
#include "search/strategy/first_choice.h"

namespace ludens::search {

std::vector<gdl::MoveId> legal_moves(const Position& position, const Deadline& deadline) {
  std::vector<gdl::MoveId> moves;
  const auto context = position.machine->make_context({.stop = &deadline, .memory = nullptr});
  if (position.machine->legal(*context, position.state, position.role, moves) != gdl::Status::Ok) {
    return {};
  }
  return moves;
}

std::vector<gdl::MoveId> publish_first(const Position& position, const Deadline& deadline,
                                       Incumbent& incumbent) {
  std::vector<gdl::MoveId> moves = legal_moves(position, deadline);
  if (moves.empty()) return moves;
  Choice choice;
  choice.move = moves.front();
  choice.value = kUnknownValue;
  for (const gdl::MoveId move : moves) {
    choice.root.push_back({.move = move, .value = kUnknownValue});
  }
  incumbent.publish(std::move(choice));
  return moves;
}

}  // namespace ludens::search
