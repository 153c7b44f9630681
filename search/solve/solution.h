// SPDX-License-Identifier: MIT
// What a position is worth exactly, as far as that is known.
#pragma once

#include <cstdint>
#include <vector>

#include "search/strategy/incumbent.h"

namespace ludens::search {

/// The goal that the role can force whatever the others do (the mean of that, where there is the
/// role `random`); a play that never ends counts as 0.
struct Solution {
  double low = 0, high = 100;  // the value lies there, proved
  bool exact = false;
  gdl::MoveId move = gdl::kNoMove;  // the best known
  std::uint64_t nodes = 0;          // states visited (Backward: found)
  std::vector<RootMove> root;       // each legal move with its bounds, where asked for
  [[nodiscard]] double value() const { return exact ? low : low > 0 ? low : (low + high) / 2; }
};

}  // namespace ludens::search
