// SPDX-License-Identifier: MIT
#include "tests/games/game_tree.h"

#include <algorithm>
#include <map>

namespace ludens {

Sequences::Sequences(const PlayedGame& game) : game_(game) {
  reached_.emplace(game.initial(), 1);
  levels_.push_back(look());
}

std::uint64_t Sequences::of_length(std::size_t length) {
  return level(length - 1).longer;
}

std::uint64_t Sequences::ended_after(std::size_t length) {
  return level(length).ended;
}

const Sequences::Level& Sequences::level(std::size_t length) {
  while (levels_.size() <= length) {
    advance();
    levels_.push_back(look());
  }
  return levels_[length];
}

Sequences::Level Sequences::look() const {
  Level level;
  for (const auto& [state, times] : reached_) {
    if (game_.terminal(state)) {
      level.ended += times;
      continue;
    }
    std::uint64_t joint_moves = times;
    for (const auto& moves : game_.legal_of_all(state)) joint_moves *= moves.size();
    level.longer += joint_moves;
  }
  return level;
}

void Sequences::advance() {
  PositionTable<std::uint64_t> last;
  last.swap(reached_);
  for (const auto& entry : last) {
    const gdl::State& state = entry.first;
    if (game_.terminal(state)) continue;
    for_each_joint_move(game_.legal_of_all(state), [&](const PlayedGame::Moves& joint) {
      reached_[game_.next(state, joint)] += entry.second;
    });
  }
}

std::size_t count_positions(const PlayedGame& game) {
  PositionTable<bool> seen;
  std::vector<gdl::State> open{game.initial()};
  seen.emplace(open.back(), true);
  while (!open.empty()) {
    const gdl::State state = std::move(open.back());
    open.pop_back();
    if (game.terminal(state)) continue;
    for_each_joint_move(game.legal_of_all(state), [&](const PlayedGame::Moves& joint) {
      gdl::State successor = game.next(state, joint);
      if (seen.emplace(successor, true).second) open.push_back(std::move(successor));
    });
  }
  return seen.size();
}

namespace {

int value_of(const PlayedGame& game, gdl::RoleIndex role, const gdl::State& state,
             PositionTable<int>& known) {
  if (const auto it = known.find(state); it != known.end()) return it->second;
  int best = 0;
  if (game.terminal(state)) {
    best = game.goals(state)[role];
  } else {
    std::map<gdl::MoveId, int> worst;
    for_each_joint_move(game.legal_of_all(state), [&](const PlayedGame::Moves& joint) {
      const int value = value_of(game, role, game.next(state, joint), known);
      const auto [it, first] = worst.emplace(joint[role], value);
      if (!first) it->second = std::min(it->second, value);
    });
    for (const auto& [move, value] : worst) best = std::max(best, value);
  }
  known.emplace(state, best);
  return best;
}

}  // namespace

int minimax_value(const PlayedGame& game, gdl::RoleIndex role) {
  PositionTable<int> known;
  return value_of(game, role, game.initial(), known);
}

}  // namespace ludens
