// SPDX-License-Identifier: MIT
#include "server/statistics/estimate.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace ludens::server {

namespace {

constexpr double kTail = 0.025;  // on either side of an interval of 95 %

/// Half the width of the interval, in standard errors of the mean.
double t_quantile(std::size_t blocks) {
  const boost::math::students_t distribution(static_cast<double>(blocks - 1));
  return boost::math::quantile(boost::math::complement(distribution, kTail));
}

/// To twelve places: scores are fractions of small numbers, and equal ones may differ in the last
/// bit, as they are computed in different ways.
double to_twelve_places(double score) {
  constexpr double kParts = 1e12;
  return std::round(score * kParts) / kParts;
}

}  // namespace

void BlockMean::add(double score) {
  score = to_twelve_places(score);
  if (blocks_ == 0) first_ = score;
  all_equal_ = all_equal_ && score == first_;
  ++blocks_;
  const double deviation = score - mean_;
  mean_ += deviation / static_cast<double>(blocks_);
  squares_ += deviation * (score - mean_);
}

double BlockMean::variance() const {
  return blocks_ < 2 ? 0 : squares_ / static_cast<double>(blocks_ - 1);
}

Estimate BlockMean::estimate() const {
  Estimate result;
  result.blocks = blocks_;
  if (blocks_ == 0) return result;
  const auto n = static_cast<double>(blocks_);
  if (all_equal_) {
    const double other = 1 - std::pow(kTail, 1 / n);
    result.mean = first_;
    result.low = (1 - other) * first_;
    result.high = result.low + other;
    return result;
  }
  const double half = t_quantile(blocks_) * std::sqrt(variance() / n);
  result.mean = to_twelve_places(mean_);
  result.low = std::max(0.0, mean_ - half);
  result.high = std::min(1.0, mean_ + half);
  return result;
}

}  // namespace ludens::server
