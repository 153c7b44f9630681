// SPDX-License-Identifier: MIT
#include "search/strategy/first_choice.h"

#include <algorithm>

namespace ludens::search {

namespace {

/// Whether more is known about it than that it is legal.
bool was_searched(const Choice& choice) {
  return choice.exact || choice.iterations > 0 || choice.nodes > 0 ||
         std::ranges::any_of(choice.root, [](const RootMove& move) { return move.visits > 0; });
}

}  // namespace

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
  const auto earlier = incumbent.get();
  if (earlier && was_searched(*earlier) && std::ranges::find(moves, earlier->move) != moves.end()) {
    return moves;
  }
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
