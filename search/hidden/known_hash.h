// SPDX-License-Identifier: MIT
// What a role knows as one number, by which searches distinguish information sets.
#pragma once

#include <cstdint>
#include <span>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/hash.h"

namespace ludens::search::hidden {

inline constexpr std::uint64_t kNothingKnown = gdl::kHashStart;

/// A hash of what a role knew before, its own move and what it perceived of the turn. If all roles
/// see all moves, the moves replace the percepts.
inline std::uint64_t learned(std::uint64_t before, gdl::MoveId own,
                             std::span<const std::uint32_t> percepts) {
  std::uint64_t hash = gdl::mix(before, own + std::uint64_t{1});
  for (const std::uint32_t percept : percepts) hash = gdl::mix(hash, percept + (1ULL << 40));
  return gdl::scatter(hash);
}

}  // namespace ludens::search::hidden
