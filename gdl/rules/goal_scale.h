// SPDX-License-Identifier: MIT
// What a role's goals may be, and how searches see them.
#pragma once

#include <vector>

namespace ludens::gdl {

/// Searches see goals from 0 to 100. That is what the specification asks for, and then they are
/// the same. Other rulesheets count points: their goals are mapped to that range, larger ones never
/// to smaller ones, in proportion where there is room, and to different numbers if there are at
/// most 101 of them. Hosts and records have them as the rules say. A value; immutable.
class GoalScale {
 public:
  static constexpr int kBest = 100;

  /// Goals are what they are: from 0 to 100.
  GoalScale() = default;
  /// For these values, ascending. A role without a goal has 0, so that 0 is always one of them.
  explicit GoalScale(std::vector<int> values);

  [[nodiscard]] bool is_plain() const { return values_.empty(); }
  /// What searches see: 0 to 100. A value that was not foreseen counts as the nearest.
  [[nodiscard]] int seen(int value) const;
  /// The goal that searches see as this; between two of them, in proportion.
  [[nodiscard]] double shown(double seen) const;
  /// The least and the greatest goal.
  [[nodiscard]] int least() const { return is_plain() ? 0 : values_.front(); }
  [[nodiscard]] int greatest() const { return is_plain() ? kBest : values_.back(); }

 private:
  std::vector<int> values_;  // ascending
  std::vector<int> seen_;    // of each
};

}  // namespace ludens::gdl
