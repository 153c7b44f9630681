// SPDX-License-Identifier: MIT
#include "search/hidden/opponent_model.h"

#include <algorithm>

#include "gdl/machine/rng.h"

namespace ludens::search::hidden {

void OpponentChoices::select(std::size_t history) {
  if (history == history_) return;
  history_ = history;
  if (strategy_ == nullptr) return;
  for (gdl::RoleIndex r = 0; r < chances_.size(); ++r) {
    const bool asked = r != own_ && r != random_ && histories_.legal(history, r).size() > 1;
    if (!asked || !strategy_->chances(r, histories_, history, chances_[r])) {
      chances_[r].clear();
    }
  }
}

double OpponentChoices::chance(gdl::JointMove joint) const {
  double chance = 1;
  for (gdl::RoleIndex r = 0; r < chances_.size(); ++r) {
    if (r == own_) continue;
    const auto legal = histories_.legal(history_, r);
    const auto place = std::ranges::lower_bound(legal, joint[r]) - legal.begin();
    chance *= chances_[r].empty() ? 1 / static_cast<double>(legal.size())
                                  : chances_[r][static_cast<std::size_t>(place)];
  }
  return chance;
}

gdl::MoveId OpponentChoices::draw(gdl::RoleIndex role, gdl::Rng& rng) const {
  const auto legal = histories_.legal(history_, role);
  const auto& chances = chances_[role];
  if (chances.empty()) return legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  return legal[gdl::draw_index(chances, rng.uniform())];
}

}  // namespace ludens::search::hidden
