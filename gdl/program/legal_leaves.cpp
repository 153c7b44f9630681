// SPDX-License-Identifier: MIT
#include "gdl/program/legal_leaves.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ludens::gdl {

namespace {

using kernel::FamilyLeaf;

/// The number of families considered for the next place of a leaf.
constexpr std::size_t kWindow = 40;

}  // namespace

kernel::SparseChooser LegalLeaves::chooser() const {
  const auto count = static_cast<std::uint32_t>(leaves.size());
  return {kernel::leaf_tree(count, static_cast<std::uint32_t>(families.size())),
          leaves.data(),
          code.data(),
          count,
          families.data(),
          own.data(),
          first_set.data(),
          sets.data(),
          nullptr};
}

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

void LegalLeavesBuilder::add_member(std::uint32_t common, std::uint32_t own,
                                    std::span<const std::uint32_t> sets) {
  const std::uint32_t slots[] = {common, own};
  add(slots, {}, sets);
  members_.push_back(moves_.back());
  moves_.pop_back();
}

/// A condition is padded with inputs that it has, so it must have some.
bool LegalLeavesBuilder::fits(const kernel::LegalLeaf& leaf, const Move& move) const {
  return leaf.moves < kernel::LegalLeaf::kMoves && (leaf.plain == 0) == (move.plain == 0) &&
         (leaf.complemented == 0) == (move.complemented == 0);
}

LegalLeaves LegalLeavesBuilder::finish(std::uint32_t false_slot) {
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
  arrange_families(out, false_slot);
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
    write_sets(out, there ? &m : nullptr);
  }
}

void LegalLeavesBuilder::write_sets(LegalLeaves& out, const Move* move) const {
  if (move != nullptr) {
    const auto first = sets_.begin() + move->first_set;
    out.sets.insert(out.sets.end(), first, first + move->sets);
  }
  out.first_set.push_back(static_cast<std::uint32_t>(out.sets.size()));
}

/// The families. Those next to each other have the same rarest own slot, among slots that several
/// families have.
std::vector<LegalLeavesBuilder::FamilyMoves> LegalLeavesBuilder::families() {
  const auto common = [this](const Move& m) { return slots_[m.first_slot]; };
  std::ranges::stable_sort(members_, {},
                           [&](const Move& m) { return std::pair(common(m), own(m)); });
  std::vector<FamilyMoves> families;
  for (std::size_t first = 0, m = 0; first < members_.size(); first = m) {
    while (m < members_.size() && m - first < FamilyLeaf::kMoves &&
           common(members_[m]) == common(members_[first])) {
      ++m;
    }
    FamilyMoves family{std::span(members_).subspan(first, m - first), {}};
    for (const Move& member : family.moves) family.own.push_back(own(member));
    families.push_back(std::move(family));
  }
  std::unordered_map<std::uint32_t, std::uint32_t> times;
  for (const Move& m : members_) ++times[own(m)];
  const auto rarest = [&](const FamilyMoves& family) {
    std::pair<std::uint32_t, std::uint32_t> best{~0U, family.own[0]};
    for (const std::uint32_t slot : family.own) {
      const std::uint32_t n = times[slot];
      if (n >= FamilyLeaf::kFamilies) best = std::min(best, {n, slot});
    }
    return best;
  };
  std::ranges::stable_sort(families, {}, rarest);
  return families;
}

/// Distributes families to leaves, so that those of a leaf have many own slots in common. Families
/// that are like no other come last.
void LegalLeavesBuilder::arrange_families(LegalLeaves& out, std::uint32_t false_slot) {
  std::vector<FamilyMoves> rest = families(), alone;
  std::ranges::reverse(rest);  // the next is taken from the end
  while (!rest.empty()) {
    const Alike leaf = take_alike(rest, true);
    if (leaf.families.size() == 1) {
      alone.push_back(leaf.families[0]);
    } else {
      write_families(out, leaf, false_slot);
    }
  }
  while (!alone.empty()) write_families(out, take_alike(alone, false), false_slot);
}

/// Takes families for a leaf from the end. `choosy`: each has at least half of the slots that those
/// before have in common.
LegalLeavesBuilder::Alike LegalLeavesBuilder::take_alike(std::vector<FamilyMoves>& rest,
                                                         bool choosy) const {
  Alike leaf{{rest.back()}, rest.back().own};
  rest.pop_back();
  while (leaf.families.size() < FamilyLeaf::kFamilies && !rest.empty()) {
    auto [best, common] = most_alike(leaf.shared, rest);
    if (choosy && 2 * common.size() < leaf.shared.size()) break;
    leaf.shared = std::move(common);
    leaf.families.push_back(rest[best]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return leaf;
}

/// The index of the family, among the last `kWindow`, that shares the most of these slots, and the
/// shared slots.
std::pair<std::size_t, std::vector<std::uint32_t>> LegalLeavesBuilder::most_alike(
    std::span<const std::uint32_t> shared, std::span<const FamilyMoves> families) const {
  std::size_t best = families.size() - 1;
  std::vector<std::uint32_t> most;
  for (std::size_t i = 0; i < std::min(kWindow, families.size()); ++i) {
    const std::size_t family = families.size() - 1 - i;
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(shared, families[family].own, std::back_inserter(both));
    if (both.size() <= most.size()) continue;
    best = family;
    most = std::move(both);
  }
  return {best, std::move(most)};
}

void LegalLeavesBuilder::write_families(LegalLeaves& out, const Alike& alike,
                                        std::uint32_t false_slot) const {
  const auto& [families, shared] = alike;
  const auto fill = [&] {
    while (out.own.size() % FamilyLeaf::kBlock != 0) out.own.push_back(false_slot);
    return static_cast<std::uint32_t>(out.own.size());
  };
  FamilyLeaf leaf{static_cast<std::uint32_t>(out.own.size()), 0, {}};
  out.own.insert(out.own.end(), shared.begin(), shared.end());
  leaf.shared_blocks = (fill() - leaf.shared) / FamilyLeaf::kBlock;
  std::ranges::fill(leaf.families, FamilyLeaf::Family{false_slot, 0, 0, 0});
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(out.own.size());
    std::vector<const Move*> others;
    const auto first_move = static_cast<std::uint32_t>(out.first_set.size() - 1);
    std::size_t next = 0;  // of the shared slots
    for (const Move& m : families[i].moves) {
      if (next < shared.size() && own(m) == shared[next]) {
        write_sets(out, &m);
        ++next;
      } else {
        others.push_back(&m);
        out.own.push_back(own(m));
      }
    }
    for (; next < std::size_t{leaf.shared_blocks} * FamilyLeaf::kBlock; ++next) {
      write_sets(out, nullptr);
    }
    for (const Move* m : others) write_sets(out, m);
    leaf.families[i] = {slots_[families[i].moves[0].first_slot], first,
                        (fill() - first) / FamilyLeaf::kBlock, first_move};
  }
  out.families.push_back(leaf);
}

}  // namespace ludens::gdl
