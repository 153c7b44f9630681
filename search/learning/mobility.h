// SPDX-License-Identifier: MIT
// How much choice the roles have in a state: a number that no fluent tells.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// The most that `mobility` returns, plus one.
constexpr std::size_t kMobilities = 256;

/// `choices` itself below 64; above, a sixteenth of each doubling is one class.
inline std::uint16_t mobility_class(std::size_t choices) {
  if (choices < 64) return static_cast<std::uint16_t>(choices);
  const auto doublings = static_cast<std::size_t>(std::bit_width(choices)) - 7;
  const std::size_t number = 64 + 16 * doublings + (choices >> (doublings + 2) & 15);
  return static_cast<std::uint16_t>(number < kMobilities ? number : kMobilities - 1);
}

/// The class of the number of legal moves of all roles beyond one for each. Where roles take turns,
/// this is the freedom of the one that is to move. `legal(role)`: its legal moves.
template <typename Legal>
std::uint16_t mobility(std::size_t roles, Legal legal) {
  std::size_t choices = 0;
  for (gdl::RoleIndex role = 0; role < roles; ++role) {
    const std::size_t moves = legal(role).size();
    if (moves > 1) choices += moves - 1;
  }
  return mobility_class(choices);
}
inline std::uint16_t mobility(const std::vector<std::vector<gdl::MoveId>>& legal) {
  return mobility(
      legal.size(), [&](gdl::RoleIndex role) -> const auto& { return legal[role]; });
}
/// The same for the state after a pair of a batch.
inline std::uint16_t mobility(const gdl::Expansion& expansion, std::size_t pair,
                              std::size_t roles) {
  return mobility(roles, [&](gdl::RoleIndex role) { return expansion.legal(pair, role, roles); });
}

}  // namespace ludens::search
