// SPDX-License-Identifier: MIT
// Blocks with known strengths, for simulations.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace ludens::server {

/// Draws block scores of a distribution whose true mean is known.
class BlockSource {
 public:
  /// The given weights, tilted (each multiplied by e^(t score)) so that the mean becomes `mean`.
  BlockSource(std::vector<double> scores, const std::vector<double>& weights, double mean)
      : scores_(std::move(scores)) {
    double low = -100, high = 100;
    for (int step = 0; step < 100; ++step) {
      const double tilt = (low + high) / 2;
      std::vector<double> tilted = weights;
      double total = 0, sum = 0;
      for (std::size_t i = 0; i < scores_.size(); ++i) {
        tilted[i] *= std::exp(tilt * scores_[i]);
        total += tilted[i];
        sum += tilted[i] * scores_[i];
      }
      (sum / total < mean ? low : high) = tilt;
      distribution_ = std::discrete_distribution<std::size_t>(tilted.begin(), tilted.end());
    }
  }

  double operator()(std::mt19937_64& random) { return scores_[distribution_(random)]; }

  /// The true variance.
  [[nodiscard]] double variance() const {
    double mean = 0, squares = 0;
    const std::vector<double> p = distribution_.probabilities();
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      mean += p[i] * scores_[i];
      squares += p[i] * scores_[i] * scores_[i];
    }
    return squares - mean * mean;
  }

 private:
  std::vector<double> scores_;
  std::discrete_distribution<std::size_t> distribution_;
};

}  // namespace ludens::server
