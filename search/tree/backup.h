// SPDX-License-Identifier: MIT
// What a search knows about a node's value.
#pragma once

#include <algorithm>
#include <limits>

namespace ludens::search {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value that is backed up, and the interval in which the true value is proved to lie. Goals of
/// the searching role, 0..100.
struct Backup {
  double value = 0;
  double low = 0, high = 100;

  static Backup exact(double value) { return {value, value, value}; }
  /// An evaluation, 0..100, of a node that was not searched. It stays away from both ends of the
  /// range, so that only a proved value ever reaches a bound.
  static Backup estimate(double evaluation) { return {0.5 + 0.99 * evaluation, 0, 100}; }
  /// The initial value, before the first child of a max or min node.
  static Backup before_max() { return {-kInfinity, 0, 0}; }
  static Backup before_min() { return {kInfinity, 100, 100}; }

  /// Merges a child's value into that of its parent; returns whether it is the best so far.
  bool maximise(const Backup& child) {
    low = std::max(low, child.low);
    high = std::max(high, child.high);
    if (child.value <= value) return false;
    value = child.value;
    return true;
  }
  bool minimise(const Backup& child) {
    low = std::min(low, child.low);
    high = std::min(high, child.high);
    if (child.value >= value) return false;
    value = child.value;
    return true;
  }
  /// For means: adds it to the sum. No child is better than another.
  bool add(const Backup& child) {
    value += child.value;
    low += child.low;
    high += child.high;
    return false;
  }
  void divide(double count) {
    value /= count;
    low /= count;
    high /= count;
  }
  [[nodiscard]] bool is_exact() const { return low == high; }
};

/// A play that never ends is worth 0 to every role, so a state that recurs on a path is worth 0
/// there. As no value is lower, every value that is proved under this assumption can really be
/// reached (the value is the least fixed point of the backup).
inline constexpr double kNeverEnds = 0;

}  // namespace ludens::search
