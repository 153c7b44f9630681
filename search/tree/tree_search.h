// SPDX-License-Identifier: MIT
// One search of one position, step by step deeper.
#pragma once

#include <cstdint>

#include "search/tree/game_tree.h"
#include "search/tree/root_moves.h"

namespace ludens::search {

/// A search without a cap on depth is bounded by this, so that a play that goes on for ever without
/// a state recurring costs a value that is not exact, not all memory.
inline constexpr std::size_t kDeepest = 10'000;

class TreeSearch {
 public:
  virtual ~TreeSearch() = default;
  enum class Outcome : std::uint8_t {
    Complete,  // nothing was cut off at the depth limit
    Cut,       // deeper steps may tell more
    Stopped,   // the search is over; its tree stands anywhere
  };
  /// Searches to the depth and records the moves of the root.
  virtual Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) = 0;
};

}  // namespace ludens::search
