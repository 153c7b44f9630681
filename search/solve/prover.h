// SPDX-License-Identifier: MIT
// Exact values on demand: what the ways of solving by search have in common.
#pragma once

#include <memory>

#include "search/solve/solution.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// Solves one position after the other, of one machine and one role, and keeps what it finds: the
/// next is cheaper. One thread.
class Prover {
 public:
  virtual ~Prover() = default;
  /// A position that is not the end.
  virtual Solution solve(const Position& position) = 0;
};

/// By alpha-beta with one table for all positions asked, deeper and deeper until the value is
/// proved; for one role, which only has to find out what it can reach, each state once. `deadline`
/// and `memory` (null: no limit) must outlive it.
std::unique_ptr<Prover> make_search_prover(const gdl::Machine& machine, const Deadline& deadline,
                                           gdl::MemoryBudget* memory);

/// What each move of the role in the position is worth: the least over the others' joint moves, of
/// the mean over the moves of `random`, of what the prover finds. What it can't find before its
/// deadline is 0..100. The number of states visited is added to `nodes`.
std::vector<RootMove> value_moves(const Position& position, Prover& prover,
                                  const Deadline& deadline, std::uint64_t& nodes);

}  // namespace ludens::search
