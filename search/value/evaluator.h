// SPDX-License-Identifier: MIT
// What somebody outside says of positions: their values, and which moves look good.
#pragma once

#include <span>

#include "search/strategy/strategy.h"

namespace ludens::search {

/// A network, for example. Whatever it throws ends the search, which throws it again.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// The search of a position begins: what is evaluated until the next call are states of its
  /// machine, and wanted until the deadline. No evaluation is under way.
  virtual void begin(const Position& position, const Deadline& deadline) = 0;
  /// A batch of states, none of which is the end, with the legal moves of all roles.
  /// `values[state * roles + role]`: the goal that the role may expect, in [0, 1].
  /// `weights`: one for each of `batch.moves`, 0 or more; those of the moves of one role are
  /// proportional to the chances that it is to choose them. All 0: they are alike. Both are zeros
  /// when it is called. Several threads of a search call at the same time.
  virtual void evaluate(const gdl::Expansion& batch, std::span<float> values,
                        std::span<float> weights) = 0;
};

}  // namespace ludens::search
