// What `mcts` knows: positions and the moves between them, the root, and memory.
#pragma once

#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/arena.h"
#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// Owns the nodes. A position that is reached in several ways by as many joint moves has one node;
/// after another number of joint moves it is another node. So there are no cycles, though positions
/// recur, and what is proved of a node does not depend on the way there. Not thread-safe.
///
/// Memory is reserved before it is used; where there is none left, what would grow says so and the
/// search goes on without. What is no longer in reach of the root is collected a few nodes at a
/// time, so that no move waits for it: nodes in reach are marked, then all others are swept away,
/// while the search goes on.
class Graph {
 public:
  /// `memory` may be null; `limit_bytes` 0 is no limit of its own.
  Graph(gdl::MemoryBudget* memory, std::size_t limit_bytes);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] Node& operator[](NodeId id) { return *reinterpret_cast<Node*>(arena_[id]); }
  [[nodiscard]] const Node& operator[](NodeId id) const {
    return *reinterpret_cast<const Node*>(arena_[id]);
  }
  [[nodiscard]] NodeId root() const { return root_; }  // kNoNode if there is none
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return arena_.used() + table_bytes_; }
  /// Whether growth was refused for want of memory since the last `plant` or `advance`.
  [[nodiscard]] bool was_full() const { return was_full_; }

  /// Forgets everything but a new root. False if there is no memory even for that.
  bool plant(const Facts& facts, std::uint32_t ply, std::uint16_t epoch);
  /// A node below the root becomes the root; what it does not lead to will be collected.
  void advance(NodeId root);
  void clear();

  /// The node of a position, which need not be below the root; kNoNode if there is none.
  [[nodiscard]] NodeId find(gdl::StateView state, std::uint32_t ply, std::uint16_t epoch) const;
  /// The node that a joint move of `parent` leads to; kNoNode if there is none.
  [[nodiscard]] NodeId child(const Node& parent, JointCode code) const;
  /// Says that a child in this state is about to be added, so that what that takes is fetched from
  /// memory meanwhile; called for several children, then for all of them again.
  void announce(gdl::StateView state, std::uint32_t& hash, bool again) const;
  /// Whether a position that is reached in several ways has one node; else each way makes its own.
  void share_positions(bool share) { share_ = share; }
  /// Makes it: a new node, or the one that the same position already has. kNoNode, and no child, if
  /// there is no memory.
  NodeId add(NodeId parent, JointCode code, const Facts& facts, std::uint16_t epoch);
  /// Calls visit(JointCode, NodeId) for each joint move that leads to a node.
  template <typename Visitor>
  void for_each_child(const Node& node, Visitor&& visit) const;

  /// Gives a node its edges, if it has none yet; false if there is no memory. Unvisited moves stand
  /// in the order of the moves, or in one that is drawn from `rng`.
  bool grow(Node& node, bool in_order, gdl::Rng& rng);
  /// The edges of a role that has a choice. Where none has, a node has an edge of the first role
  /// for its only joint move. The node has grown.
  [[nodiscard]] EdgeList edges(const Node& node, gdl::RoleIndex role) const {
    if (node.has_decider() && role == node.decider()) {
      return edges_at(arena_[node.edges], node.joint_count());
    }
    return edges_among(node, role);
  }

  [[nodiscard]] gdl::StateView state(const Node& node) const;
  /// The same position as a state of another machine; false if there is no memory.
  bool restate(NodeId id, gdl::StateView state, std::uint16_t epoch);

  /// Goes on with the collection by so many steps; a node is a step, or a few places of the table.
  void collect(std::size_t steps);
  [[nodiscard]] bool is_collecting() const { return phase_ != Phase::Idle; }

 private:
  enum class Phase : std::uint8_t { Idle, Mark, Sweep };
  /// Children of a node where several roles have a choice, before its edges: a hash table.
  struct Children {
    Ref slots = kNoRef;
    std::uint32_t slot_count = 0;  // a power of two
  };
  struct Slot {
    JointCode code = 0;
    NodeId node = kNoNode;
  };

  [[nodiscard]] static std::size_t padded(std::size_t count) {
    return (count + 3) & ~std::size_t{3};
  }
  [[nodiscard]] static EdgeList edges_at(std::byte* begin, std::size_t count) {
    EdgeList list;
    list.value = reinterpret_cast<float*>(begin);
    list.spread = list.value + padded(count);
    list.edges = {reinterpret_cast<Edge*>(list.spread + padded(count)), count};
    return list;
  }
  [[nodiscard]] EdgeList edges_among(const Node& node, gdl::RoleIndex role) const;
  [[nodiscard]] static std::size_t bytes_of_edges(std::size_t count) {
    return padded(count) * 2 * sizeof(float) + count * sizeof(Edge);
  }
  static void lay_out(const EdgeList& list, bool in_order, gdl::Rng& rng);
  [[nodiscard]] static std::size_t edge_bytes(const Node& node);
  Ref allocate(std::size_t bytes);
  NodeId make_node(const Facts& facts, std::uint32_t ply, std::uint16_t epoch, std::uint32_t hash);
  bool set_state(Node& node, gdl::StateView state);
  void free_node(NodeId id);

  [[nodiscard]] NodeId& bucket(std::uint32_t hash) const { return buckets_[hash & bucket_mask_]; }
  void enter_table(NodeId id);
  void leave_table(NodeId id);
  [[nodiscard]] NodeId find(gdl::StateView state, std::uint32_t ply, std::uint16_t epoch,
                            std::uint32_t hash) const;

  bool set_child(NodeId parent, JointCode code, NodeId child);
  [[nodiscard]] Children& children(const Node& node) const {
    return *reinterpret_cast<Children*>(arena_[node.edges]);
  }
  [[nodiscard]] std::span<Slot> slots(const Node& node) const;
  static Slot& slot(std::span<Slot> slots, JointCode code);
  bool enlarge(Node& node);

  void start_collection();
  void mark(NodeId id);
  void mark_children();
  void sweep_bucket();

  Arena arena_;
  gdl::MemoryBudget* memory_;
  NodeId* buckets_ = nullptr;  // mapped, so that unused parts take no memory
  std::uint32_t bucket_mask_ = 0;
  std::size_t table_bytes_ = 0;
  NodeId root_ = kNoNode;
  std::size_t size_ = 0;
  bool was_full_ = false;
  bool share_ = true;

  Phase phase_ = Phase::Idle;
  bool collect_again_ = false;  // the root moved on while a collection was under way
  std::uint8_t generation_ = 0;
  std::vector<NodeId> marked_;  // whose children are not marked yet
  std::size_t next_bucket_ = 0;
};

template <typename Visitor>
void Graph::for_each_child(const Node& node, Visitor&& visit) const {
  if (node.edges == kNoRef) return;
  if (node.has_decider()) {
    const auto edges = this->edges(node, node.decider()).edges;
    for (JointCode code = 0; code < edges.size(); ++code) {
      if (edges[code].child != kNoNode) visit(code, edges[code].child);
    }
    return;
  }
  for (const Slot& slot : slots(node)) {
    if (slot.node != kNoNode) visit(slot.code, slot.node);
  }
}

}  // namespace ludens::search::mcts
