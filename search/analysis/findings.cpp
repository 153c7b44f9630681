// SPDX-License-Identifier: MIT
#include "search/analysis/findings.h"

namespace ludens::search {

void Findings::see_choices(std::span<const std::uint32_t> counts) {
  std::size_t choosing = 0;
  for (gdl::RoleIndex r = 0; r < counts.size(); ++r) {
    if (counts[r] < 2) continue;
    if (r == random_) {
      chance = true;
    } else {
      ++choosing;
    }
  }
  several_choose |= choosing > 1;
}

void Findings::see_end(std::span<const int> goals) {
  int sum = 0;
  for (gdl::RoleIndex r = 0; r < goals.size(); ++r) {
    if (r != random_) sum += goals[r];
  }
  if (!sum_) sum_ = sum;
  sums_differ |= sum != *sum_;
  ended = true;
}

void Findings::see_step(std::span<const int> before, std::span<const int> after) {
  for (gdl::RoleIndex r = 0; r < before.size(); ++r) {
    if (after[r] < before[r]) goal_fell[r] = true;
  }
}

}  // namespace ludens::search
