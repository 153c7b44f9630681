// SPDX-License-Identifier: MIT
#include "search/hidden/bandit.h"

#include <algorithm>

namespace ludens::search::hidden {

void Bandit::find(std::span<const gdl::MoveId> legal, std::vector<std::uint32_t>& out) {
  out.clear();
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (i < arms.size() && arms[i].move == legal[i]) {
      out.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    const auto found = std::ranges::find(arms, legal[i], &Arm::move);
    out.push_back(static_cast<std::uint32_t>(found - arms.begin()));
    if (found == arms.end()) arms.push_back({.move = legal[i]});
  }
}

}  // namespace ludens::search::hidden
