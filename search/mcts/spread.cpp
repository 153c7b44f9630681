// SPDX-License-Identifier: MIT
#include "search/mcts/spread.h"

#include <algorithm>
#include <cmath>

namespace ludens::search::mcts {

namespace {

constexpr double kFew = 64;         // fewer descents say nothing yet
constexpr double kMemory = 20'000;  // descents, after which earlier ones fade
constexpr double kLeastSpread = 0.1;

}  // namespace

void Spread::grow(std::size_t roles) {
  if (sums_.size() == roles) return;
  sums_.resize(roles);
  squares_.resize(roles);
}

void Spread::see(std::span<const double> values) {
  grow(values.size());
  ++weight_;
  for (std::size_t r = 0; r < values.size(); ++r) {
    sums_[r] += values[r];
    squares_[r] += values[r] * values[r];
  }
}

void Spread::take(Spread& fresh) {
  if (fresh.weight_ == 0) return;
  grow(fresh.sums_.size());
  const double keep = std::min(1.0, kMemory / (weight_ + 1));
  weight_ = weight_ * keep + fresh.weight_;
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    sums_[r] = sums_[r] * keep + fresh.sums_[r];
    squares_[r] = squares_[r] * keep + fresh.squares_[r];
    fresh.sums_[r] = fresh.squares_[r] = 0;
  }
  fresh.weight_ = 0;
}

void Spread::measure(double unit, std::vector<float>& shares) const {
  shares.clear();
  if (weight_ < kFew) return;
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    const double mean = sums_[r] / weight_;
    const double variance = std::max(0.0, squares_[r] / weight_ - mean * mean);
    shares.push_back(static_cast<float>(std::clamp(std::sqrt(variance) / unit, kLeastSpread, 1.0)));
  }
}

}  // namespace ludens::search::mcts
