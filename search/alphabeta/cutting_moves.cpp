// SPDX-License-Identifier: MIT
#include "search/alphabeta/cutting_moves.h"

#include <algorithm>

namespace ludens::search {

namespace {

constexpr std::uint32_t kLargest = 1U << 30;

}  // namespace

void CuttingMoves::note(gdl::RoleIndex role, std::size_t depth, std::size_t below,
                        gdl::MoveId move) {
  if (roles_.size() <= role) roles_.resize(role + 1);
  OfRole& of = roles_[role];
  if (of.killers.size() <= depth) of.killers.resize(depth + 1, {gdl::kNoMove, gdl::kNoMove});
  auto& killers = of.killers[depth];
  if (killers[0] != move) killers = {move, killers[0]};
  if (of.history.size() <= move) of.history.resize(move + 1, 0);
  const std::size_t weight = std::min<std::size_t>(below, 1000) + 1;
  of.history[move] += static_cast<std::uint32_t>(weight * weight);
  if (of.history[move] < kLargest) return;
  for (std::uint32_t& count : of.history) count /= 2;
}

bool CuttingMoves::is_killer(gdl::RoleIndex role, std::size_t depth, gdl::MoveId move) const {
  if (roles_.size() <= role || roles_[role].killers.size() <= depth) return false;
  return std::ranges::find(roles_[role].killers[depth], move) != roles_[role].killers[depth].end();
}

std::uint32_t CuttingMoves::history(gdl::RoleIndex role, gdl::MoveId move) const {
  if (roles_.size() <= role || roles_[role].history.size() <= move) return 0;
  return roles_[role].history[move];
}

}  // namespace ludens::search
