// SPDX-License-Identifier: MIT
// Moves that caused cuts elsewhere in the tree, for the order in which moves are tried.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search {

/// Killers: the two moves that last caused a cut at the same depth (Akl and Newborn 1977), which
/// are often legal and good at its other nodes too. History: how much each move of a role cut off
/// anywhere (Schaeffer 1983), where a cut of a deep search counts more. One thread.
class CuttingMoves {
 public:
  /// A move of `role` at `depth` cut off what was left of a search `below` plies deep.
  void note(gdl::RoleIndex role, std::size_t depth, std::size_t below, gdl::MoveId move) {
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
  [[nodiscard]] bool is_killer(gdl::RoleIndex role, std::size_t depth, gdl::MoveId move) const {
    if (roles_.size() <= role || roles_[role].killers.size() <= depth) return false;
    const auto& killers = roles_[role].killers[depth];
    return killers[0] == move || killers[1] == move;
  }
  [[nodiscard]] std::uint32_t history(gdl::RoleIndex role, gdl::MoveId move) const {
    if (roles_.size() <= role || roles_[role].history.size() <= move) return 0;
    return roles_[role].history[move];
  }

 private:
  static constexpr std::uint32_t kLargest = 1U << 30;
  struct OfRole {
    std::vector<std::array<gdl::MoveId, 2>> killers;  // [depth], the latest first
    std::vector<std::uint32_t> history;               // [move]
  };
  std::vector<OfRole> roles_;
};

}  // namespace ludens::search
