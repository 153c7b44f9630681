// SPDX-License-Identifier: MIT
// Whether the goals have a constant sum.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gdl/rules/rules.h"

namespace ludens::search::mcts {

/// Whether the goals of all roles except `random` have always added up to the same so far.
class GoalSums {
 public:
  /// Adds the goals of all roles, summed over some playouts to the end.
  void see(std::span<const std::uint64_t> goals, std::uint64_t playouts,
           std::optional<gdl::RoleIndex> random);
  /// Adds what others have seen.
  void merge(const GoalSums& others);
  [[nodiscard]] bool fixed() const { return sum_.has_value() && fixed_; }
  [[nodiscard]] bool vary() const { return !fixed_; }

 private:
  std::optional<std::uint64_t> sum_;
  bool fixed_ = true;
};

}  // namespace ludens::search::mcts
