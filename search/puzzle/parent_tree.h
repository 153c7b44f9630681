// SPDX-License-Identifier: MIT
// How each state was reached: its parent and the move from there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/held_memory.h"
#include "gdl/memory/limits.h"

namespace ludens::search::puzzle {

/// A tree of moves, eight bytes per node, that only grows. One thread.
class ParentTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0xffffffff;

  /// Memory is reserved from `memory`, which must outlive this; null: no limit.
  explicit ParentTree(gdl::MemoryBudget* memory) : memory_(memory) {}

  /// nullopt when memory is used up.
  std::optional<Node> add(Node parent, gdl::MoveId move);
  /// The moves from the root to a node, then one more.
  [[nodiscard]] std::vector<gdl::MoveId> line(Node node, gdl::MoveId last) const;

 private:
  static constexpr std::size_t kBlock = 16384;
  struct Step {
    Node parent;
    gdl::MoveId move;
  };
  gdl::MemoryBudget* memory_;
  gdl::HeldMemory held_;
  std::vector<std::unique_ptr<Step[]>> blocks_;
  Node size_ = 0;
};

}  // namespace ludens::search::puzzle
