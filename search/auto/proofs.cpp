// SPDX-License-Identifier: MIT
#include "search/auto/proofs.h"

#include <algorithm>
#include <tuple>

namespace ludens::search {

void Proofs::add(std::span<const RootMove> root, bool with_upper) {
  for (const RootMove& move : root) {
    const auto known = std::ranges::find(moves_, move.move, &RootMove::move);
    const double high = with_upper ? move.high : 100;
    if (known == moves_.end()) {
      moves_.push_back({.move = move.move, .low = move.low, .high = high});
    } else {
      known->low = std::max(known->low, move.low);
      known->high = std::min(known->high, high);
    }
  }
}

void Proofs::tighten(RootMove& move) const {
  const auto known = std::ranges::find(moves_, move.move, &RootMove::move);
  if (known == moves_.end()) return;
  move.low = std::max(move.low, known->low);
  move.high = std::min(move.high, known->high);
  if (move.low <= move.high) move.value = std::clamp(move.value, move.low, move.high);
}

void Proofs::improve(Choice& choice, double threshold) const {
  if (choice.root.empty()) return;
  for (RootMove& move : choice.root) tighten(move);
  const RootMove& surest = *std::ranges::max_element(choice.root, {}, &RootMove::low);
  auto is_worse = [&](const RootMove& move) {
    return move.high <= surest.low && move.low < surest.low;
  };
  auto rank = [&](const RootMove& move) {
    const bool lost = move.high <= 0;
    return std::tuple(!is_worse(move), !lost, move.move == choice.move, move.visits, move.value);
  };
  const RootMove* best = &*std::ranges::max_element(
      choice.root, [&](const RootMove& a, const RootMove& b) { return rank(a) < rank(b); });
  const bool sure = surest.low >= threshold || surest.low >= best->value;
  if (surest.low > best->low && sure) best = &surest;
  if (best->move != choice.move) {
    choice.move = best->move;
    choice.variation.clear();  // it belongs to the other move
  }
  choice.value = best->value;
  const bool best_of_all = std::ranges::all_of(
      choice.root, [&](const RootMove& move) { return move.high <= best->low; });
  choice.exact |= best->low >= 100 || best_of_all;
}

}  // namespace ludens::search
