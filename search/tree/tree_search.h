// SPDX-License-Identifier: MIT
// One search of one position, in steps of increasing depth.
#pragma once

#include <cstdint>

#include "search/tree/game_tree.h"
#include "search/tree/root_moves.h"

namespace ludens::search {

/// The bound of a search without a cap on depth. An infinite play without recurring states then
/// only makes a value inexact instead of using up all memory.
inline constexpr std::size_t kDeepest = 10'000;

class TreeSearch {
 public:
  virtual ~TreeSearch() = default;
  enum class Outcome : std::uint8_t {
    Complete,  // nothing was cut off at the depth limit
    Cut,       // deeper steps may find more
    Stopped,   // the search is over; its tree may be at any node
  };
  /// Searches to the depth and records the moves of the root.
  virtual Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) = 0;
};

}  // namespace ludens::search
