// SPDX-License-Identifier: MIT
// The nodes of `value`, how positions are found, and memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <tuple>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/position_table.h"
#include "search/value/node.h"

namespace ludens::search::value {

/// Owns the nodes. A position that is reached on several paths with the same number of joint moves
/// is one node with several parents, unless `share_positions(false)`; so there are no cycles. Nodes
/// count the edges that lead to them. Those without any are freed a few at a time, so that no move
/// waits for it; until then they may be found, and stay.
///
/// When memory is short, the nodes with the fewest visits go, until three eighths of the memory are
/// free: their parents keep the value, the bounds and the visits of the move that led there, and a
/// node is made again when a descent reaches it again. So the tree keeps growing where it matters.
///
/// Threads: several may make, find, enter, let go, drop and free nodes at a time, and change nodes
/// that they hold. One may prune while others make, find, let go and drop nodes, but don't hold
/// any. All other calls need exclusive use of the tree.
class Tree {
 public:
  /// The change of the bytes of nodes, by the number of binary digits of their visits.
  using Census = std::array<std::ptrdiff_t, 33>;

  /// `memory` may be null; `limit_bytes` 0 means no limit of its own.
  Tree(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed);

  void serve_threads(bool several) {
    several_ = several;
    arena_.serve_threads(several);
    table_.serve_threads(several);
  }
  /// To be called before anything is planted.
  void share_positions(bool share) { share_ = share; }
  [[nodiscard]] Node& operator[](NodeId id) const { return *reinterpret_cast<Node*>(arena_[id]); }
  [[nodiscard]] NodeId root() const { return root_; }
  [[nodiscard]] std::size_t size() const { return arena_.count(); }
  [[nodiscard]] std::size_t made() const { return arena_.made(); }  // nodes, ever
  [[nodiscard]] std::size_t bytes() const { return arena_.used() + table_.bytes(); }
  /// Whether memory was short since the last `plant` or `advance`.
  [[nodiscard]] bool was_full() const { return was_full_; }

  /// Makes an empty node that is not part of the tree yet; kNoNode if there is no memory.
  [[nodiscard]] NodeId make(const Shape& shape);
  /// Frees a node that never became part of the tree.
  void drop(NodeId id) { arena_.free(id, (*this)[id].bytes(), 1); }
  /// The node of a position, if the tree has it after as many joint moves; otherwise kNoNode. An
  /// edge must be made to lead there, or `let_go` be called. `hash` is that of the state.
  [[nodiscard]] NodeId find(gdl::StateView state, std::uint16_t ply, std::uint32_t hash);
  /// Makes a new node, whose hash and ply are set, part of the tree, or drops it if another thread
  /// has made one for its position. Returns the one that is part of the tree, as `find` does.
  [[nodiscard]] NodeId enter(NodeId made, Census& census);
  /// Takes back a call of `find` or `enter`.
  void let_go(NodeId id);
  /// Locks a node for the thread that changes it; does nothing if there is only one thread.
  [[nodiscard]] std::unique_lock<mcts::SpinLock> hold(Node& node) const {
    return several_ ? std::unique_lock(node.lock) : std::unique_lock<mcts::SpinLock>();
  }
  /// Makes a new node the root of an empty tree.
  void plant(NodeId root);
  /// Makes the node of a child of `parent` the root; all nodes that are not below it will be freed.
  void advance(NodeId parent, std::uint32_t child);
  void clear();

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

  Tree(gdl::MemoryBudget* memory, const mcts::MemoryShares& shares, std::uint64_t seed);
  static void count_node(const Node& node, Census& census);
  [[nodiscard]] NodeId find_among(gdl::StateView state, std::uint16_t ply, std::uint32_t hash);
  [[nodiscard]] bool leave(Node& node, NodeId id);
  void unlink(NodeId id);
  [[nodiscard]] static std::size_t class_of(std::uint32_t visits);
  static void change_visits(Node& node, std::uint32_t visits, Census& census);
  void release(NodeId id, Census& census);
  void start_pruning();
  void prune_children(NodeId id);
  [[nodiscard]] bool goes(const Node& node);

  mcts::Arena arena_;
  mcts::PositionTable table_;
  gdl::Rng rng_;
  NodeId root_ = kNoNode;
  bool share_ = true;
  bool has_table_ = false;  // if positions are shared and there was memory for the table
  bool several_ = false;    // threads
  bool was_full_ = false;
  std::mutex bytes_mutex_;
  Census bytes_{};                        // of the tree's nodes, by class
  std::mutex dead_mutex_;                 // not needed if no other thread searches
  std::vector<NodeId> dead_;              // to free, unless an edge leads there again
  std::atomic<bool> collecting_ = false;  // whether there are any
  std::vector<NodeId> to_prune_;          // nodes whose children must be examined
  std::atomic<bool> pruning_ = false;     // whether there are any
  std::uint8_t generation_ = 0;           // of the last pruning
  std::size_t last_class_ = 0;            // the highest class that pruning frees; all lower ones
                                          // are freed completely
  double share_that_goes_ = 0;            // the share of that class
};

}  // namespace ludens::search::value
