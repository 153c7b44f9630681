// SPDX-License-Identifier: MIT
// A simple evaluation of a network, against which passes and machines are checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/network/loops.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// 64 states at once, one bit of a word each. The network must outlive it.
class Simulation {
 public:
  explicit Simulation(const Network& network);

  std::vector<std::uint64_t> fluents, moves;  // [index in the network]: set by the caller
  void evaluate();
  /// The value in the last `evaluate`.
  [[nodiscard]] std::uint64_t value(Edge e) const {
    return is_inverted(e) ? ~values_[node_of(e)] : values_[node_of(e)];
  }

 private:
  [[nodiscard]] std::uint64_t gate(NodeId n) const;
  void pass();
  void settle(const Loop& loop);

  const Network& network_;
  const Loops loops_;
  std::vector<std::uint64_t> values_;  // [node]
};

/// Plays 64 random games in step. A game that is over, or in which some role can't move, restarts.
class RandomGames {
 public:
  RandomGames(const Network& network, Rng& rng);

  /// Chooses a legal move for each role in each game and evaluates.
  void choose();
  /// Makes the chosen moves.
  void step();

  [[nodiscard]] const Simulation& now() const { return simulation_; }
  /// The games in which every role has a move and the end is not reached.
  [[nodiscard]] std::uint64_t playing() const { return playing_; }

 private:
  void choose(std::size_t begin, std::size_t end);

  const Network& network_;
  Rng& rng_;
  Simulation simulation_;
  std::uint64_t playing_ = 0;
};

/// Compares both networks in every state of 64 random games of this many steps. `after` may lack
/// fluents (nothing may depend on them) and moves (they may never be legal). Returns a sentence if
/// they differ.
std::optional<std::string> find_difference(const Network& before, const Network& after,
                                           std::uint32_t steps, Rng& rng);

}  // namespace ludens::gdl
