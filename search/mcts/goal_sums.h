// SPDX-License-Identifier: MIT
// Whether what one role wins the others lose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gdl/rules/rules.h"

namespace ludens::search::mcts {

/// Whether the goals of all roles but `random` always add up to the same, as far as seen.
class GoalSums {
 public:
  /// Goals of all roles, summed over some playouts to the end.
  void see(std::span<const std::uint64_t> goals, std::uint64_t playouts,
           std::optional<gdl::RoleIndex> random);
  /// What others have seen.
  void merge(const GoalSums& others);
  [[nodiscard]] bool fixed() const { return sum_.has_value() && fixed_; }
  [[nodiscard]] bool vary() const { return !fixed_; }

 private:
  std::optional<std::uint64_t> sum_;
  bool fixed_ = true;
};

}  // namespace ludens::search::mcts
