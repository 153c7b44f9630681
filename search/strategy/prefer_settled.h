// SPDX-License-Identifier: MIT
// What is known for sure is better than an equal estimate.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "search/strategy/incumbent.h"

namespace ludens::search {

/// The best of the settled moves, if it is worth something and no less than the move at `best`;
/// otherwise `best`. `is_settled(i)` says whether the value of the move at i is proved; of equally
/// good ones that with the highest `tie(i)` is taken.
template <typename IsSettled, typename Tie>
std::size_t prefer_settled(std::span<const RootMove> moves, std::size_t best,
                           IsSettled&& is_settled, Tie&& tie) {
  const auto rank = [&](std::size_t i) { return std::pair(moves[i].value, tie(i)); };
  std::optional<std::size_t> settled;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (is_settled(i) && (!settled || rank(i) > rank(*settled))) settled = i;
  }
  if (!settled || moves[*settled].value <= 0) return best;
  return moves[*settled].value >= moves[best].value ? *settled : best;
}

}  // namespace ludens::search
