// SPDX-License-Identifier: MIT
// How far a state is from a good end, as searches by estimates ask for it.
#pragma once

#include <limits>
#include <span>

#include "gdl/machine/state.h"

namespace ludens::search::puzzle {

/// One thread, and the context of one problem.
class Estimate {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  virtual ~Estimate() = default;
  /// Moves from the state to an end that is looked for; too many or too few, as the estimate is
  /// made. kNever is no estimate but a proof: it leads to none.
  virtual double moves(gdl::StateView state) = 0;
  /// The same of many states.
  virtual void moves(std::span<const gdl::StateView> states, std::span<double> out) {
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = moves(states[i]);
  }
};

}  // namespace ludens::search::puzzle
