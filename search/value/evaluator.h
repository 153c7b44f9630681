// SPDX-License-Identifier: MIT
// Evaluations of positions from outside: their values, and which moves look good.
#pragma once

#include <span>

#include "search/strategy/strategy.h"

namespace ludens::search {

/// A neural network, for example. An exception that it throws ends the search, which rethrows it.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Called when the search of a position begins: states evaluated until the next call belong to
  /// its machine, and results are needed before the deadline. If that is over when the call
  /// returns, there will be none. No evaluation is running at that time.
  virtual void begin(const Position& position, const Deadline& deadline) = 0;
  /// A batch of states, none of which is the end, with the legal moves of all roles. `values[state
  /// * roles + role]`: the goal that the role may expect, in [0, 1]. `weights`: one for each of
  /// `batch.moves`, 0 or more; those of the moves of one role are proportional to the probabilities
  /// of choosing them. If all are 0, the moves are equal. Both arrays are zero on entry. Several
  /// threads of a search call it at the same time.
  virtual void evaluate(const gdl::Expansion& batch, std::span<float> values,
                        std::span<float> weights) = 0;
};

}  // namespace ludens::search
