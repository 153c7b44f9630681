// SPDX-License-Identifier: MIT
// Numbers that spread evenly, and draws by weights that are summed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "gdl/machine/rng.h"

namespace ludens::search::hidden {

/// A sequence in 0..1 of which consecutive numbers are far apart (multiples of the golden ratio,
/// from a random start): histories drawn by it soon represent all.
class LowDiscrepancySequence {
 public:
  explicit LowDiscrepancySequence(gdl::Rng& rng) : at_(rng.uniform()) {}
  double next() {
    at_ += 0.6180339887498949;
    if (at_ >= 1) at_ -= 1;
    return at_;
  }

 private:
  double at_;
};

/// Weights for repeated draws: sums are computed once, and a draw is a binary search.
class CumulativeWeights {
 public:
  CumulativeWeights() = default;
  explicit CumulativeWeights(std::span<const double> weights) {
    for (const double weight : weights) add(weight);
  }
  /// Appends a weight.
  void add(double weight) { sums_.push_back(weight + (sums_.empty() ? 0 : sums_.back())); }
  /// The index at this share of the sum of all weights, 0..1. There must be weights.
  [[nodiscard]] std::size_t at(double share) const {
    const auto found = std::ranges::upper_bound(sums_, share * sums_.back());
    return std::min(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;  // of the weights up to each
};

}  // namespace ludens::search::hidden
