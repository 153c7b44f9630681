// SPDX-License-Identifier: MIT
#include "search/hidden/bandit.h"

#include "search/hidden/legal_places.h"

namespace ludens::search::hidden {

void Bandit::find(std::span<const gdl::MoveId> legal, std::vector<std::uint32_t>& out) {
  const auto add = [this](gdl::MoveId move) { arms.push_back({.move = move}); };
  find_or_add(legal, arms, &Arm::move, add, out);
}

}  // namespace ludens::search::hidden
