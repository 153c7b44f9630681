// SPDX-License-Identifier: MIT
// Where the legal moves of a history are in an information set, which may have more moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search::hidden {

/// Indices of legal moves among the elements of `known`, whose moves `move_of` names. Missing ones
/// are added by `add(move)`. Most sets have their moves in the order in which they are legal, so
/// that order is tried first: a new set gets its moves without a search.
template <typename T, typename MoveOf, typename Add>
void find_or_add(std::span<const gdl::MoveId> legal, const std::vector<T>& known, MoveOf move_of,
                 Add add, std::vector<std::uint32_t>& out) {
  out.clear();
  const std::size_t before = known.size();
  bool in_order = true;  // so far; legal moves are distinct, so what follows the end is new
  for (std::size_t i = 0; i < legal.size(); ++i) {
    std::size_t place = i;
    if (in_order && i >= before) {
      add(legal[i]);
    } else if (i >= known.size() || std::invoke(move_of, known[i]) != legal[i]) {
      in_order = false;
      const auto found = std::ranges::find(known, legal[i], move_of);
      place = static_cast<std::size_t>(found - known.begin());
      if (found == known.end()) add(legal[i]);
    }
    out.push_back(static_cast<std::uint32_t>(place));
  }
}

}  // namespace ludens::search::hidden
