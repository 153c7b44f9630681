// SPDX-License-Identifier: MIT
// How far a state is from a good end, for searches by estimates.
#pragma once

#include <limits>
#include <span>

#include "gdl/machine/state.h"

namespace ludens::search::puzzle {

/// For one thread; uses the context of one problem.
class Estimate {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  virtual ~Estimate() = default;
  /// The number of moves from the state to a wanted end; whether it is too large or too small
  /// depends on the estimate. kNever is not an estimate but a proof: the state leads to no such
  /// end.
  virtual double moves(gdl::StateView state) = 0;
  /// The same for many states.
  virtual void moves(std::span<const gdl::StateView> states, std::span<double> out) {
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = moves(states[i]);
  }
};

}  // namespace ludens::search::puzzle
