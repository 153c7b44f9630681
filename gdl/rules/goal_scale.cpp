// SPDX-License-Identifier: MIT
#include "gdl/rules/goal_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ludens::gdl {

GoalScale::GoalScale(std::vector<int> values) : values_(std::move(values)) {
  const auto zero = std::ranges::lower_bound(values_, 0);
  if (zero == values_.end() || *zero != 0) values_.insert(zero, 0);
  const double range = static_cast<double>(values_.back()) - values_.front();
  if (range == 0) {
    values_.clear();
    return;
  }
  for (const int value : values_) {
    const double share = (static_cast<double>(value) - values_.front()) / range;
    seen_.push_back(static_cast<int>(std::lround(kBest * share)));
  }
  if (values_.size() > kBest + 1) return;
  // Apart from each other: upwards, and back where that goes beyond the end.
  for (std::size_t i = 1; i < seen_.size(); ++i) seen_[i] = std::max(seen_[i], seen_[i - 1] + 1);
  seen_.back() = kBest;
  for (std::size_t i = seen_.size() - 1; i > 0; --i) {
    seen_[i - 1] = std::min(seen_[i - 1], seen_[i] - 1);
  }
}

int GoalScale::seen(int value) const {
  if (is_plain()) return std::clamp(value, 0, kBest);
  const auto above = std::ranges::lower_bound(values_, value);
  if (above == values_.end()) return kBest;
  if (above == values_.begin()) return 0;
  const auto i = static_cast<std::size_t>(above - values_.begin());
  const bool lower = value - values_[i - 1] < values_[i] - value;
  return lower ? seen_[i - 1] : seen_[i];
}

double GoalScale::shown(double seen) const {
  if (is_plain()) return seen;
  if (seen <= 0) return values_.front();
  if (seen >= kBest) return values_.back();
  const auto above = std::ranges::lower_bound(seen_, seen);
  const auto i = static_cast<std::size_t>(above - seen_.begin());
  if (*above == seen) return values_[i];
  const double share = (seen - seen_[i - 1]) / (seen_[i] - seen_[i - 1]);
  return values_[i - 1] + share * (static_cast<double>(values_[i]) - values_[i - 1]);
}

}  // namespace ludens::gdl
