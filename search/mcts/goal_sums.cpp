// SPDX-License-Identifier: MIT
#include "search/mcts/goal_sums.h"

namespace ludens::search::mcts {

void GoalSums::see(std::span<const std::uint64_t> goals, std::uint64_t playouts,
                   std::optional<gdl::RoleIndex> random) {
  if (!fixed_) return;
  std::uint64_t total = 0;
  for (gdl::RoleIndex r = 0; r < goals.size(); ++r) {
    if (r != random) total += goals[r];
  }
  if (!sum_) sum_ = total / playouts;
  fixed_ = total == *sum_ * playouts;
}

void GoalSums::merge(const GoalSums& others) {
  if (!others.sum_) return;
  if (!sum_) sum_ = others.sum_;
  fixed_ &= others.fixed_ && sum_ == others.sum_;
}

}  // namespace ludens::search::mcts
