// SPDX-License-Identifier: MIT
// What goes when memory is short.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// Nodes that were hardly visited hold most of the memory and little of what is known: their
/// parents keep the statistics of the moves that lead to them, and they are made again when they
/// are met again. So a collection that prunes leaves out the edges with the fewest visits, which
/// then lead nowhere, and what is in reach by no other edge is swept away with all that is below.
///
/// How few is read off a sample of nodes, so that three eighths of the memory become free. Of the
/// nodes with the most visits among those that go, some would be enough: they go by the pages that
/// they stand in, which follow one another, after those of the last pruning. So what was made long
/// ago and is hardly visited since goes first, and what becomes free lies side by side.
class Pruning {
 public:
  /// A node of a sample, with the bytes of all its blocks.
  struct Seen {
    std::uint32_t visits;
    std::size_t bytes;
  };
  /// `pages_end`: of the arena. The sample is put in another order.
  void plan(std::vector<Seen>& sample, std::uint32_t pages_end);
  void end() { is_on_ = false; }
  void clear() { *this = {}; }
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// Whether a node with so many visits is left out.
  [[nodiscard]] bool cuts(NodeId id, std::uint32_t visits) const {
    if (visits != visits_) return visits < visits_;
    const std::uint32_t page = Arena::page_of(id);
    return (page < first_page_ ? page + pages_end_ : page) - first_page_ < page_count_;
  }

 private:
  bool is_on_ = false;
  std::uint32_t visits_ = 0;  // with fewer, nodes go wherever they stand
  std::uint32_t first_page_ = 0, page_count_ = 0, pages_end_ = 0;  // the first follows the last
};

}  // namespace ludens::search::mcts
