// SPDX-License-Identifier: MIT
// How far the values of descents lie apart: the yardstick of exploration.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ludens::search::mcts {

/// Mean and variance of values, role by role, over some of the last descents. Used by one thread at
/// a time.
class Spread {
 public:
  /// The values of a descent, in 0..1, one a role.
  void see(std::span<const double> values);
  /// Adds what `fresh` has seen, which forgets it; what was seen long ago fades.
  void take(Spread& fresh);
  /// For each role the standard deviation of its values, in shares of `unit`, between a tenth and
  /// 1; empty as long as too little was seen to tell.
  void measure(double unit, std::vector<float>& shares) const;

 private:
  void grow(std::size_t roles);

  double weight_ = 0;
  std::vector<double> sums_, squares_;
};

}  // namespace ludens::search::mcts
