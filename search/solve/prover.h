// SPDX-License-Identifier: MIT
// Exact values on demand: the interface of all solvers by search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/strategy/incumbent.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The goal that the role can force whatever the others do (its mean, if there is the role
/// `random`); a play that never ends counts as 0.
struct Solution {
  double low = 0, high = 100;  // the value lies there, proved
  bool exact = false;
  gdl::MoveId move = gdl::kNoMove;  // the best known
  std::uint64_t nodes = 0;          // states visited (Backward: found)
  std::vector<RootMove> root;       // each legal move with its bounds, if requested
  [[nodiscard]] double value() const { return exact ? low : low > 0 ? low : (low + high) / 2; }
};

/// Solves positions one after another, of one machine and one role, and keeps what it finds, so
/// that the next is cheaper. For one thread.
class Prover {
 public:
  virtual ~Prover() = default;
  /// Solves a position that is not the end.
  virtual Solution solve(const Position& position) = 0;
};

/// Solves by alpha-beta with one table for all positions, deeper and deeper until the value is
/// proved. A game of one role only needs to find out what it can reach, each state once. `deadline`
/// and `memory` (null: no limit) must outlive it.
std::unique_ptr<Prover> make_search_prover(const gdl::Machine& machine, const Deadline& deadline,
                                           gdl::MemoryBudget* memory);

/// The value of each move of the role in the position: the minimum over the others' joint moves of
/// the mean over the moves of `random` of the prover's values. What it can't find before its
/// deadline is 0..100. Adds the number of states visited to `nodes`.
std::vector<RootMove> value_moves(const Position& position, Prover& prover,
                                  const Deadline& deadline, std::uint64_t& nodes);

}  // namespace ludens::search
