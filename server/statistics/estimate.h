// SPDX-License-Identifier: MIT
// A mean of block scores, and its confidence interval.
#pragma once

#include <cstddef>

namespace ludens::server {

/// What is known about a mean. Scores are 0 to 1.
struct Estimate {
  std::size_t blocks = 0;
  double mean = 0;  // 0 without scores
  double low = 0;   // the interval holds the true mean in 95 of 100 experiments
  double high = 1;
};

/// Collects block scores, each within 0..1 and independent of the others. Matches of one block are
/// not independent (they share game and seed), so intervals must come from blocks.
///
/// The interval is Student's t on the block scores, cut to 0..1; it is the normal approximation if
/// there are many blocks. Equal scores show no variance, but prove nothing: `n` blocks of the score
/// `v` only say that other scores come with a probability of at most `p = 1 - 0.025^(1/n)`, thus
/// that the mean is within `(1 - p) v .. (1 - p) v + p` (Clopper and Pearson, "The use of
/// confidence or fiducial limits", Biometrika 1934, for no success in n trials). In that case this
/// is the interval, even for one block.
class BlockMean {
 public:
  void add(double score);
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// With divisor n - 1; 0 for fewer than two blocks.
  [[nodiscard]] double variance() const;
  [[nodiscard]] Estimate estimate() const;

 private:
  std::size_t blocks_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared deviations from the mean (Welford, Technometrics 1962)
  double first_ = 0;
  bool all_equal_ = true;
};

}  // namespace ludens::server
