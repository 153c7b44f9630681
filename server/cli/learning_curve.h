// SPDX-License-Identifier: MIT
// Strength against seconds of learning, drawn.
#pragma once

#include <string>
#include <vector>

#include "search/self_play/self_match.h"

namespace ludens::server {

/// A curve of scores in matches with their 95 % intervals, over the seconds of learning before
/// them.
class LearningCurve {
 public:
  /// `title`: what is measured, as plain text.
  explicit LearningCurve(std::string title) : title_(std::move(title)) {}

  /// Must be called in order of time. `score` must have at least one pair of matches.
  void add(double seconds, const search::Score& score);
  /// A picture in SVG, which any browser shows.
  [[nodiscard]] std::string svg() const;

 private:
  struct Point {
    double seconds, percent, margin;
  };

  std::string title_;
  std::vector<Point> points_;
};

/// The distance of ticks on an axis from 0 to `end`, which is positive: 1, 2 or 5 times a power of
/// ten, so that there are at most ten ticks.
double tick_distance(double end);

}  // namespace ludens::server
