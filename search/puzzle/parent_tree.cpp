// SPDX-License-Identifier: MIT
#include "search/puzzle/parent_tree.h"

#include <algorithm>

namespace ludens::search::puzzle {

std::optional<ParentTree::Node> ParentTree::add(Node parent, gdl::MoveId move) {
  if (size_ % kBlock == 0) {
    if (size_ == kRoot - kRoot % kBlock) return std::nullopt;
    if (!held_.reserve(kBlock * sizeof(Step), memory_)) return std::nullopt;
    blocks_.push_back(std::make_unique_for_overwrite<Step[]>(kBlock));
  }
  blocks_.back()[size_ % kBlock] = {parent, move};
  return size_++;
}

std::vector<gdl::MoveId> ParentTree::line(Node node, gdl::MoveId last) const {
  std::vector<gdl::MoveId> moves{last};
  while (node != kRoot) {
    const Step& step = blocks_[node / kBlock][node % kBlock];
    moves.push_back(step.move);
    node = step.parent;
  }
  std::ranges::reverse(moves);
  return moves;
}

}  // namespace ludens::search::puzzle
