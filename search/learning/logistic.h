// SPDX-License-Identifier: MIT
// Converts between sums of weights and values.
#pragma once

#include <cmath>
#include <limits>

namespace ludens::search {

inline float logistic(float sum) {
  return 1 / (1 + std::exp(-sum));
}
/// Its inverse; infinite for 0 and 1.
inline float logit(float value) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  if (value <= 0) return -kInfinite;
  if (value >= 1) return kInfinite;
  return std::log(value / (1 - value));
}

}  // namespace ludens::search
