// SPDX-License-Identifier: MIT
#include "gdl/program/legal_leaves.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ludens::gdl {

void LegalLeavesBuilder::add(std::span<const std::uint32_t> plain,
                             std::span<const std::uint32_t> complemented,
                             std::span<const std::uint32_t> sets) {
  moves_.push_back(
      {static_cast<std::uint32_t>(plain.size()), static_cast<std::uint32_t>(complemented.size()),
       static_cast<std::uint32_t>(slots_.size()), static_cast<std::uint32_t>(sets_.size()),
       static_cast<std::uint32_t>(sets.size())});
  slots_.insert(slots_.end(), plain.begin(), plain.end());
  slots_.insert(slots_.end(), complemented.begin(), complemented.end());
  sets_.insert(sets_.end(), sets.begin(), sets.end());
}

/// A condition is padded with inputs that it has, so it must have some.
bool LegalLeavesBuilder::fits(const kernel::LegalLeaf& leaf, const Move& move) const {
  return leaf.moves < kernel::LegalLeaf::kMoves && (leaf.plain == 0) == (move.plain == 0) &&
         (leaf.complemented == 0) == (move.complemented == 0);
}

LegalLeaves LegalLeavesBuilder::finish() {
  std::ranges::stable_sort(moves_, {}, [](const Move& m) {
    return std::tuple(m.plain == 0, m.complemented == 0, m.plain + m.complemented, m.plain);
  });
  LegalLeaves out;
  out.first_set.push_back(0);
  for (std::size_t first = 0; first < moves_.size();) {
    kernel::LegalLeaf leaf{moves_[first].plain, moves_[first].complemented, 0, 0};
    for (std::size_t m = first; m < moves_.size() && fits(leaf, moves_[m]); ++m) {
      leaf.plain = std::max(leaf.plain, moves_[m].plain);
      leaf.complemented = std::max(leaf.complemented, moves_[m].complemented);
      ++leaf.moves;
    }
    write(out, leaf, std::span(moves_).subspan(first, leaf.moves));
    first += leaf.moves;
  }
  return out;
}

void LegalLeavesBuilder::write(LegalLeaves& out, kernel::LegalLeaf leaf,
                               std::span<const Move> moves) const {
  leaf.code = static_cast<std::uint32_t>(out.code.size());
  out.leaves.push_back(leaf);
  for (std::uint32_t i = 0; i < kernel::LegalLeaf::kMoves; ++i) {
    const bool there = i < moves.size();
    const Move& m = there ? moves[i] : moves.back();
    for (std::uint32_t k = 0; k < leaf.plain; ++k) {
      out.code.push_back(slots_[m.first_slot + (k < m.plain ? k : 0)]);
    }
    for (std::uint32_t k = 0; k < leaf.complemented; ++k) {
      out.code.push_back(slots_[m.first_slot + m.plain + (k < m.complemented ? k : 0)]);
    }
    if (there) {
      const auto first = sets_.begin() + m.first_set;
      out.sets.insert(out.sets.end(), first, first + m.sets);
    }
    out.first_set.push_back(static_cast<std::uint32_t>(out.sets.size()));
  }
}

}  // namespace ludens::gdl
