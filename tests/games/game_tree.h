// SPDX-License-Identifier: MIT
// What can be counted of a small game from its initial state on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tests/games/played_game.h"

namespace ludens {

/// Hash and equality of positions in tables of tests.
struct PositionHash {
  std::size_t operator()(const gdl::State& state) const { return gdl::hash(state).low; }
};
struct PositionEqual {
  bool operator()(const gdl::State& a, const gdl::State& b) const {
    return gdl::StateView(a) == gdl::StateView(b);
  }
};
template <typename Value>
using PositionTable = std::unordered_map<gdl::State, Value, PositionHash, PositionEqual>;

/// Sequences of joint moves by length. Positions that several sequences lead to are visited once.
class Sequences {
 public:
  explicit Sequences(const PlayedGame& game);

  /// Sequences of `length` joint moves, at least 1.
  std::uint64_t of_length(std::size_t length);
  /// Those after which the game is over.
  std::uint64_t ended_after(std::size_t length);

 private:
  struct Level {
    std::uint64_t ended = 0, longer = 0;
  };
  const Level& level(std::size_t length);
  Level look() const;
  void advance();

  const PlayedGame& game_;
  PositionTable<std::uint64_t> reached_;  // the positions of the last level, how often each
  std::vector<Level> levels_;
};

/// All positions that can be reached, the initial and the final ones included.
std::size_t count_positions(const PlayedGame& game);

/// What the role can make sure of in the initial state, when the other roles do their worst and
/// know its move. The game must be so small that its positions fit into memory, and its length
/// into the stack.
int minimax_value(const PlayedGame& game, gdl::RoleIndex role);

}  // namespace ludens
