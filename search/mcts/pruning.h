// SPDX-License-Identifier: MIT
// Which nodes are freed when memory is short.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// Nodes that were hardly visited hold most of the memory and little knowledge: their parents keep
/// the statistics of the moves that lead to them, and they are made again when they are reached
/// again. So a collection that prunes cuts the edges with the fewest visits, and nodes that no
/// other edge reaches are swept with everything below them.
///
/// The limit on visits is estimated from a sample of nodes, so that three eighths of the memory
/// become free. Only some of the nodes at the limit need to go: they are chosen by their pages, in
/// page order, starting after those of the last pruning. So nodes that were made long ago and
/// hardly visited since go first, and the freed memory is contiguous.
class Pruning {
 public:
  /// A node of a sample, with the bytes of all its blocks.
  struct Seen {
    std::uint32_t visits;
    std::size_t bytes;
  };
  /// `pages_end`: that of the arena. Reorders the sample.
  void plan(std::vector<Seen>& sample, std::uint32_t pages_end);
  void end() { is_on_ = false; }
  void clear() { *this = {}; }
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// Whether a node with this many visits is cut.
  [[nodiscard]] bool cuts(NodeId id, std::uint32_t visits) const {
    if (visits != visits_) return visits < visits_;
    const std::uint32_t page = Arena::page_of(id);
    return (page < first_page_ ? page + pages_end_ : page) - first_page_ < page_count_;
  }

 private:
  bool is_on_ = false;
  std::uint32_t visits_ = 0;  // with fewer, nodes go wherever they are
  std::uint32_t first_page_ = 0, page_count_ = 0, pages_end_ = 0;  // the first follows the last
};

}  // namespace ludens::search::mcts
