// SPDX-License-Identifier: MIT
// Legal moves in the form in which a choice among many evaluates them itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/kernel/kernel.h"

namespace ludens::gdl {

/// One role's moves in leaves of 64. The order is free, so moves whose conditions have equal shapes
/// are adjacent: their loops have no branches.
struct LegalLeaves {
  std::vector<kernel::LegalLeaf> leaves;
  std::vector<std::uint32_t> code;       // slots; see kernel::LegalLeaf
  std::vector<std::uint32_t> first_set;  // [move in this order], one more at the end
  std::vector<std::uint32_t> sets;       // slots
};

class LegalLeavesBuilder {
 public:
  /// Adds a move that is legal if all `plain` slots and none of the `complemented` slots hold, and
  /// the slots of the sets that it is in.
  void add(std::span<const std::uint32_t> plain, std::span<const std::uint32_t> complemented,
           std::span<const std::uint32_t> sets);
  [[nodiscard]] LegalLeaves finish();

 private:
  struct Move {
    std::uint32_t plain, complemented;  // how many
    std::uint32_t first_slot, first_set, sets;
  };
  [[nodiscard]] bool fits(const kernel::LegalLeaf& leaf, const Move& move) const;
  void write(LegalLeaves& out, kernel::LegalLeaf leaf, std::span<const Move> moves) const;

  std::vector<Move> moves_;
  std::vector<std::uint32_t> slots_, sets_;
};

}  // namespace ludens::gdl
