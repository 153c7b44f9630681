// SPDX-License-Identifier: MIT
// Bounds at a chance node: when the outcomes seen so far are enough.
#pragma once

#include <cstddef>
#include <vector>

#include "search/tree/backup.h"

namespace ludens::search {

/// What is known about the outcomes of a chance node, which all have equal weight and values in
/// 0..100. Their mean lies between what those that were seen and the least, or the largest, values
/// of the others add up to. So a window of the node gives each outcome a window of its own, outside
/// of which its exact value no longer matters: Star1 (Ballard 1983; Hauk, Buro and Schaeffer 2004).
class Outcomes {
 public:
  /// Starts a node with `count` outcomes that is searched with the window.
  void start(std::size_t count, double alpha, double beta);

  /// The outcome to search next, or `count` if no more is needed.
  [[nodiscard]] std::size_t next() const { return cut_ ? count_ : proved_.size(); }
  /// The window of that outcome.
  [[nodiscard]] double alpha() const { return node_alpha_ - (high_sum_ - 100); }
  [[nodiscard]] double beta() const { return node_beta_ - low_sum_; }

  /// Takes its value in that window; it is a bound if it is outside of the window.
  void take(const Backup& found);

  /// The sum over all outcomes, or a bound of it if the window was left; and what is proved.
  [[nodiscard]] Backup sum() const;
  /// How many were searched: the first ones.
  [[nodiscard]] std::size_t seen() const { return proved_.size(); }

 private:
  std::size_t count_ = 0;
  std::vector<Backup> proved_;             // [outcome that was searched]
  double low_sum_ = 0, high_sum_ = 0;      // over all outcomes
  double node_alpha_ = 0, node_beta_ = 0;  // times the number of outcomes
  bool cut_ = false;
  double bound_ = 0;
};

}  // namespace ludens::search
