// SPDX-License-Identifier: MIT
// Legal moves in the form in which a choice among many evaluates them itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gdl/kernel/kernel.h"

namespace ludens::gdl {

/// One role's moves in leaves of 64, and in families. The order is free, so moves whose conditions
/// have equal shapes are adjacent: their loops have no branches.
struct LegalLeaves {
  std::vector<kernel::LegalLeaf> leaves;
  std::vector<std::uint32_t> code;  // slots; see kernel::LegalLeaf
  std::vector<kernel::FamilyLeaf> families;
  std::vector<std::uint32_t> own;        // slots; see kernel::FamilyLeaf
  std::vector<std::uint32_t> first_set;  // as in kernel::SparseChooser
  std::vector<std::uint32_t> sets;       // slots

  /// Without scratch; valid as long as this.
  [[nodiscard]] kernel::SparseChooser chooser() const;
};

class LegalLeavesBuilder {
 public:
  /// Adds a move that is legal if all `plain` slots and none of the `complemented` slots hold, and
  /// the slots of the sets that it is in.
  void add(std::span<const std::uint32_t> plain, std::span<const std::uint32_t> complemented,
           std::span<const std::uint32_t> sets);
  /// Adds a move that is legal if both slots hold, of which the first is common to its family.
  void add_member(std::uint32_t common, std::uint32_t own, std::span<const std::uint32_t> sets);
  /// `false_slot`: one that never holds.
  [[nodiscard]] LegalLeaves finish(std::uint32_t false_slot);

 private:
  struct Move {
    std::uint32_t plain, complemented;  // how many
    std::uint32_t first_slot, first_set, sets;
  };
  [[nodiscard]] bool fits(const kernel::LegalLeaf& leaf, const Move& move) const;
  void write(LegalLeaves& out, kernel::LegalLeaf leaf, std::span<const Move> moves) const;
  struct FamilyMoves {
    std::span<const Move> moves;     // ascending by own slot
    std::vector<std::uint32_t> own;  // [move]: slot
  };
  [[nodiscard]] std::uint32_t own(const Move& member) const {
    return slots_[member.first_slot + 1];
  }
  /// Families of a leaf, and the own slots that all of them have.
  struct Alike {
    std::vector<FamilyMoves> families;
    std::vector<std::uint32_t> shared;
  };
  [[nodiscard]] std::vector<FamilyMoves> families();
  void arrange_families(LegalLeaves& out, std::uint32_t false_slot);
  Alike take_alike(std::vector<FamilyMoves>& rest, bool choosy) const;
  [[nodiscard]] std::pair<std::size_t, std::vector<std::uint32_t>> most_alike(
      std::span<const std::uint32_t> shared, std::span<const FamilyMoves> families) const;
  void write_families(LegalLeaves& out, const Alike& alike, std::uint32_t false_slot) const;
  void write_sets(LegalLeaves& out, const Move* move) const;

  std::vector<Move> moves_;
  std::vector<Move> members_;  // of families; their slots are the common one and their own
  std::vector<std::uint32_t> slots_, sets_;
};

}  // namespace ludens::gdl
