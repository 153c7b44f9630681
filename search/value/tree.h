// SPDX-License-Identifier: MIT
// The nodes of `value` and their memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <tuple>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/value/node.h"

namespace ludens::search::value {

/// Owns the nodes, each of which has one parent. Unused nodes are freed a few at a time, so that no
/// move waits for it.
///
/// When memory is short, the nodes with the fewest visits go, until three eighths of the memory are
/// free: their parents keep the value, the bounds and the visits of the move that led there, and a
/// node is made again when a descent reaches it again. So the tree keeps growing where it matters.
///
/// Threads: several may make, drop and free nodes at a time, and change nodes that they hold. All
/// other calls need exclusive use of the tree.
class Tree {
 public:
  /// The change of the bytes of nodes, by the number of binary digits of their visits.
  using Census = std::array<std::ptrdiff_t, 33>;

  /// `memory` may be null; `limit_bytes` 0 means no limit of its own.
  Tree(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed);

  void serve_threads(bool several) {
    several_ = several;
    arena_.serve_threads(several);
  }
  [[nodiscard]] Node& operator[](NodeId id) const { return *reinterpret_cast<Node*>(arena_[id]); }
  [[nodiscard]] NodeId root() const { return root_; }
  [[nodiscard]] std::size_t size() const { return arena_.count(); }
  [[nodiscard]] std::size_t made() const { return arena_.made(); }  // nodes, ever
  [[nodiscard]] std::size_t bytes() const { return arena_.used(); }
  /// Whether memory was short since the last `plant` or `advance`.
  [[nodiscard]] bool was_full() const { return was_full_; }

  /// Makes an empty node that is not part of the tree yet; kNoNode if there is no memory.
  [[nodiscard]] NodeId make(const Shape& shape);
  /// Frees a node that never became part of the tree.
  void drop(NodeId id) { arena_.free(id, (*this)[id].bytes(), 1); }
  /// Locks a node for the thread that changes it; does nothing if there is only one thread.
  [[nodiscard]] std::unique_lock<mcts::SpinLock> hold(Node& node) const {
    return several_ ? std::unique_lock(node.lock) : std::unique_lock<mcts::SpinLock>();
  }
  /// Makes a new node the root of an empty tree.
  void plant(NodeId root);
  /// Makes the node of a child of `parent` the root; all nodes that are not below it will be freed.
  void advance(NodeId parent, std::uint32_t child);
  void clear();

  /// Records that a new node becomes part of the tree.
  static void count_node(const Node& node, Census& census);
  /// Records that a descent begins to choose at a node, or is cancelled.
  static void count_visit(Node& node, Census& census) {
    change_visits(node, node.visits + 1, census);
  }
  static void uncount_visit(Node& node, Census& census) {
    change_visits(node, node.visits - 1, census);
  }
  /// Adds what a thread has recorded, and clears that.
  void take_up(Census& census);

  /// Frees this many of the unreachable nodes, unless another thread does.
  void collect(std::size_t steps);
  /// Whether memory is short, or pruning has begun.
  [[nodiscard]] bool wants_pruning() const {
    return pruning_.load(std::memory_order_relaxed) ||
           (!collecting_.load(std::memory_order_relaxed) && root_ != kNoNode && arena_.is_short());
  }
  /// Continues pruning by this many nodes.
  void prune(std::size_t steps);

 private:
  static constexpr std::size_t kClasses = std::tuple_size_v<Census>;

  [[nodiscard]] static std::size_t class_of(std::uint32_t visits);
  static void change_visits(Node& node, std::uint32_t visits, Census& census);
  void release(NodeId id, Census& census);
  void start_pruning();
  void prune_children(NodeId id);
  [[nodiscard]] bool goes(const Node& node);

  mcts::Arena arena_;
  gdl::Rng rng_;
  NodeId root_ = kNoNode;
  bool several_ = false;  // threads
  bool was_full_ = false;
  std::mutex bytes_mutex_;
  Census bytes_{};                        // of the tree's nodes, by class
  std::mutex dead_mutex_;                 // not needed with exclusive use of the tree
  std::vector<NodeId> dead_;              // to free with everything below
  std::atomic<bool> collecting_ = false;  // whether there are any
  std::vector<NodeId> to_prune_;          // nodes whose children must be examined
  std::atomic<bool> pruning_ = false;     // whether there are any
  std::size_t last_class_ = 0;            // the highest class that pruning frees; all lower ones
                                          // are freed completely
  double share_ = 0;                      // the share of that class
};

}  // namespace ludens::search::value
