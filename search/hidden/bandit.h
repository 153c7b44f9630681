// SPDX-License-Identifier: MIT
// The moves of a role in one information set, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search::hidden {

struct Arm {
  gdl::MoveId move;
  std::uint64_t visits = 0;
  std::uint64_t available = 0;  // visits of the set in which it was legal
  double sum = 0;               // of goals / 100
};

/// A bandit whose arms may not all be legal in each history (subset-armed, Cowling, Powley and
/// Whitehouse 2012).
struct Bandit {
  static constexpr std::size_t kBytesOfMove = sizeof(Arm);

  std::vector<Arm> arms;  // in the order in which they were first legal
  std::uint64_t visits = 0;

  void reserve(std::size_t moves) { arms.reserve(moves); }
  /// Indices of the arms of legal moves; new ones are added.
  void find(std::span<const gdl::MoveId> legal, std::vector<std::uint32_t>& out);
};

}  // namespace ludens::search::hidden
