// SPDX-License-Identifier: MIT
// How far the values of descents are spread, which scales exploration.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ludens::search::mcts {

/// Mean and variance of values for each role, over some of the last descents. One thread at a time
/// may use it.
class Spread {
 public:
  /// Adds the values of a descent, in 0..1, one per role.
  void see(std::span<const double> values);
  /// Adds what `fresh` has seen, and clears `fresh`; old values fade.
  void take(Spread& fresh);
  /// For each role the standard deviation of its values, in shares of `unit`, between a tenth and
  /// 1; empty as long as too few values were seen.
  void measure(double unit, std::vector<float>& shares) const;

 private:
  void grow(std::size_t roles);

  double weight_ = 0;
  std::vector<double> sums_, squares_;
};

}  // namespace ludens::search::mcts
