// SPDX-License-Identifier: MIT
// Moves that caused cuts elsewhere in the tree, for the order in which moves are tried.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search {

/// Killers: the two moves that last caused a cut at the same depth (Akl and Newborn 1977), which
/// are often legal and good at its other nodes too. History: how much each move of a role cut off
/// anywhere (Schaeffer 1983), where a cut of a deep search counts more. One thread.
class CuttingMoves {
 public:
  /// A move of `role` at `depth` cut off what was left of a search `below` plies deep.
  void note(gdl::RoleIndex role, std::size_t depth, std::size_t below, gdl::MoveId move);
  [[nodiscard]] bool is_killer(gdl::RoleIndex role, std::size_t depth, gdl::MoveId move) const;
  [[nodiscard]] std::uint32_t history(gdl::RoleIndex role, gdl::MoveId move) const;

 private:
  struct OfRole {
    std::vector<std::array<gdl::MoveId, 2>> killers;  // [depth], the latest first
    std::vector<std::uint32_t> history;               // [move]
  };
  std::vector<OfRole> roles_;
};

}  // namespace ludens::search
