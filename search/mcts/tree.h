// The tree of `mcts`: its nodes, its root, its memory.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// Owns the nodes. A tree and not a graph: a position that is reached in two ways has two nodes, so
/// that nothing depends on how it was reached, and positions that recur make no cycles. Not
/// thread-safe.
///
/// Memory is reserved from the budget before it is used; where there is none left, what would grow
/// says so and the search goes on without. What is no longer reachable is collected a few nodes at
/// a time, so that no move waits for it.
class Tree {
 public:
  /// `memory` may be null; `limit_bytes` 0 is no limit of its own.
  Tree(gdl::MemoryBudget* memory, std::size_t limit_bytes) : memory_(memory), limit_(limit_bytes) {}
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  [[nodiscard]] Node& operator[](NodeId id) { return (*chunks_[id / kChunk])[id % kChunk]; }
  [[nodiscard]] const Node& operator[](NodeId id) const {
    return (*chunks_[id / kChunk])[id % kChunk];
  }
  [[nodiscard]] NodeId root() const { return root_; }  // kNoNode if the tree is empty
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return used_; }
  /// Whether growth was refused for want of memory since the last `plant` or `advance`.
  [[nodiscard]] bool was_full() const { return was_full_; }

  /// A new root; what was there dies. False if there is no memory even for that.
  bool plant(const Facts& facts, std::uint16_t epoch);
  /// The root's child becomes the root; everything not below it dies.
  void advance(NodeId child);
  /// Everything dies.
  void clear();

  /// A child of `parent` where it has none, or kNoNode if there is no memory.
  NodeId add(NodeId parent, JointCode code, const Facts& facts, std::uint16_t epoch);
  /// Gives a node its edges, if it has none yet; false if there is no memory.
  bool grow(Node& node);
  /// The same position as a state of another machine; false if there is no memory.
  bool restate(NodeId id, gdl::StateView state, std::uint16_t epoch);
  /// Frees up to `count` dead nodes.
  void collect(std::size_t count);
  [[nodiscard]] bool has_dead() const { return !dead_.empty(); }

 private:
  static constexpr std::size_t kChunk = 1024;
  using Chunk = std::array<Node, kChunk>;

  [[nodiscard]] bool reserve(std::size_t bytes);
  bool reserve_now(std::size_t bytes);
  void release(std::size_t bytes);
  NodeId allocate(const Facts& facts, std::uint16_t epoch);

  gdl::MemoryBudget* memory_;
  std::size_t limit_;
  std::size_t used_ = 0;     // by nodes and chunks
  std::size_t granted_ = 0;  // by the budget, in large pieces
  bool was_full_ = false;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<NodeId> free_;
  std::vector<NodeId> dead_;  // roots of dead subtrees
  NodeId root_ = kNoNode;
  std::size_t size_ = 0;  // nodes that are not free
};

}  // namespace ludens::search::mcts
