// SPDX-License-Identifier: MIT
// The graph of `mcts`: positions and the moves between them, the root, and memory.
#pragma once

#include <bit>
#include <optional>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/arena.h"
#include "search/mcts/position_table.h"
#include "search/mcts/prefetch.h"
#include "search/mcts/pruning.h"

namespace ludens::search::mcts {

/// Owns the nodes. A position that is reached on several paths with the same number of joint moves
/// has one node; after another number of joint moves it is another node. So there are no cycles
/// even if positions recur, and what is proved about a node does not depend on the path to it.
///
/// Memory is reserved before it is used. If there is none left, calls that add something fail, and
/// the search continues without them. Nodes that can't be reached from the root any more are
/// collected a few at a time, so that no move waits for it: reachable nodes are marked, then all
/// others are swept while the search goes on. When memory is short, a collection prunes as well
/// (`pruning.h`): edges with few visits lose their child, unless a descent is in progress there,
/// and keep everything else, including what was proved. So an edge may have more visits than its
/// child.
///
/// Threads. After `serve_threads(true)`, several threads at a time may call `root`, `add`,
/// `restate`, `find`, `mean`, `hold`, the `fetch_` functions, and `state` of a node of the current
/// epoch. They may also read the figures (`size`, `made`, `bytes`, `was_full`, `is_short`,
/// `is_collecting`), which may be out of date. A thread that holds a node may call the functions
/// that take that node. `plant`, `advance`, `clear`, `collect` and the setters need exclusive use
/// of the graph. A thread holds at most one node at a time, or one and a child of it.
class Graph {
 public:
  /// `memory` may be null; `limit_bytes` 0 means no limit of its own.
  Graph(gdl::MemoryBudget* memory, std::size_t limit_bytes);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void serve_threads(bool several) {
    several_ = several;
    arena_.serve_threads(several);
    table_.serve_threads(several);
  }
  [[nodiscard]] bool serves_threads() const { return several_; }
  [[nodiscard]] Hold hold(Node& node) const { return {node.busy, several_}; }

  [[nodiscard]] Node& operator[](NodeId id) { return *reinterpret_cast<Node*>(arena_[id]); }
  [[nodiscard]] const Node& operator[](NodeId id) const {
    return *reinterpret_cast<const Node*>(arena_[id]);
  }
  [[nodiscard]] NodeId root() const { return root_; }  // kNoNode if there is none
  [[nodiscard]] std::size_t size() const { return arena_.count(); }
  [[nodiscard]] std::size_t made() const { return arena_.made(); }  // nodes, ever
  [[nodiscard]] std::size_t bytes() const { return arena_.used() + table_.bytes(); }
  /// The average size of a node, with its edges, its state and its place in the table of positions.
  [[nodiscard]] std::size_t bytes_per_node() const { return size() == 0 ? 0 : bytes() / size(); }
  /// Whether growth was refused, or nodes were pruned, for lack of memory since the last `plant` or
  /// `advance`.
  [[nodiscard]] bool was_full() const { return was_full_.load(std::memory_order_relaxed); }

  /// Forgets everything but a new root. False if there is no memory even for that.
  bool plant(const Facts& facts, std::uint32_t ply, std::uint8_t epoch);
  /// A node below the root becomes the root; nodes that are not reachable from it will be
  /// collected.
  void advance(NodeId root);
  void clear();

  /// The node of a position, which need not be below the root; kNoNode if there is none.
  [[nodiscard]] NodeId find(gdl::StateView state, std::uint32_t ply, std::uint8_t epoch,
                            std::uint32_t hash) const;
  /// The node that a joint move of `parent` leads to; kNoNode if there is none.
  [[nodiscard]] NodeId child(const Node& parent, JointCode code) const {
    if (parent.edges == kNoRef) return kNoNode;
    if (!parent.has_decider()) return child_among(parent, code);
    return code < parent.tried ? edges(parent, parent.decider())[code].child() : kNoNode;
  }
  /// Whether a position that is reached on several paths has one node; otherwise each path makes
  /// its own.
  void share_positions(bool share) { share_ = share; }
  /// A state of this hash is about to be added: its place in the table is fetched from memory ...
  void fetch_place(std::uint32_t hash) const { table_.fetch_place(hash); }
  /// ... and then, when that has arrived, the node there.
  void fetch_node_at(std::uint32_t hash) const { table_.fetch_first(hash); }
  /// The child that a joint move whose places have edges leads to: a new node, the one that the
  /// same position already has, or the one that another thread has added. `hash` is that of the
  /// state. kNoNode, and no child, if there is no memory.
  NodeId add(NodeId parent, JointCode code, const Facts& facts, std::uint8_t epoch,
             std::uint32_t hash);
  /// Calls visit(JointCode, NodeId) for each joint move that leads to a node.
  template <typename Visitor>
  void for_each_child(const Node& node, Visitor&& visit) const;
  [[nodiscard]] std::uint64_t child_count(const Node& node) const;
  /// The mean of a node's visits for a role; nullopt if there are no visits, or no node. The node
  /// is held meanwhile.
  [[nodiscard]] std::optional<float> mean(NodeId id, gdl::RoleIndex role) {
    if (id == kNoNode) return std::nullopt;
    Node& node = (*this)[id];
    const Hold held = hold(node);
    return node.visits > 0 ? std::optional(node.mean(role)) : std::nullopt;
  }

  /// The edges of a role that has a choice, one for each move that was tried. If no role has a
  /// choice, a node can have an edge of the first role for its only joint move.
  [[nodiscard]] std::span<Edge> edges(const Node& node, gdl::RoleIndex role) const {
    if (node.has_decider() && role == node.decider()) {
      return {reinterpret_cast<Edge*>(arena_[node.edges]), node.tried};
    }
    return edges_among(node, role);
  }
  /// Whether the edges have proof numbers (`proof_numbers.h`): must be set before anything is
  /// planted.
  void keep_proof_numbers(bool keep) { keep_proof_numbers_ = keep; }
  /// The number of visits with which nodes that have a prior (`Node::has_prior`) begin. Must be set
  /// before anything is planted.
  void begin_with(std::uint32_t visits) { prior_visits_ = visits; }
  /// The role whose moves are drawn: must be set before anything is planted.
  void set_random(std::optional<gdl::RoleIndex> role) { random_ = role; }
  /// The one role besides `random` and the decider; nullopt if there is none or several.
  [[nodiscard]] std::optional<gdl::RoleIndex> opponent(const Node& node) const;
  /// The proof numbers [place * roles + role] of the edges of a node that has a decider, if they
  /// are kept; 1 at first.
  [[nodiscard]] std::span<std::uint32_t> proof_numbers(const Node& node) const;
  /// How many moves of a role that has a choice have no edge yet.
  [[nodiscard]] std::uint32_t untried(const Node& node, gdl::RoleIndex role) const {
    return edge_limit(node, role) - static_cast<std::uint32_t>(edges(node, role).size());
  }
  /// The edges will be read soon: fetches the first ones from memory. Needs no hold.
  void fetch_edges(const Node& node) const {
    const Ref edges =
        std::atomic_ref(const_cast<Node&>(node).edges).load(std::memory_order_relaxed);
    fetch_to_change(arena_[edges], 2);
  }
  /// The edges of a joint move will be changed soon: fetches the decider's, or, if several roles
  /// have a choice, the first ones. Needs no hold.
  void fetch_edge(const Node& node, JointCode code) const {
    const Ref edges =
        std::atomic_ref(const_cast<Node&>(node).edges).load(std::memory_order_relaxed);
    fetch_to_change(arena_[edges] + (node.has_decider() ? code * sizeof(Edge) : 0));
  }
  /// Makes room for the edges of a node where several roles have a choice; false if there is no
  /// memory.
  bool make_edges(Node& node);
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};
  /// Gives an edge to the `which`-th of the untried moves of a role, at the place after the tried
  /// ones. Returns the place, or kNoPlace if there is no memory.
  std::uint32_t open(Node& node, gdl::RoleIndex role, std::uint32_t which);

  [[nodiscard]] gdl::StateView state(const Node& node) const;
  /// Replaces the state by that of another machine for the same position; false if there is no
  /// memory.
  bool restate(NodeId id, gdl::StateView state, std::uint8_t epoch, std::uint32_t hash);

  /// Continues the collection by this many steps; a step is a node, or a few places of the table.
  /// Unless memory is short, a step frees a few nodes at most, so that the search goes on at nearly
  /// its full rate.
  /// If none is running and memory is short, begins one that prunes.
  void collect(std::size_t steps);
  /// May be out of date while another thread collects.
  [[nodiscard]] bool is_collecting() const { return phase_ != Phase::Idle; }
  /// Whether growth will soon be refused, or several nodes in a row were, or edges of nodes: what
  /// is left may be in pieces that are too small for them. May be out of date while other threads
  /// grow the graph.
  [[nodiscard]] bool is_short() const;
  /// Whether growth was refused since this was last asked.
  [[nodiscard]] bool was_refused() {
    return was_refused_.load(std::memory_order_relaxed) &&
           was_refused_.exchange(false, std::memory_order_relaxed);
  }
  /// How many collections have begun to free what they pruned: code that keeps a node apart from
  /// its descents must check whether it is still reachable.
  [[nodiscard]] std::uint32_t prunings() const { return prunings_; }

 private:
  enum class Phase : std::uint8_t { Idle, Mark, Sweep };
  /// At the beginning of the edges' block of a node where several roles have a choice: its
  /// children, a hash table. It is followed, for each role, by the number of its tried moves, and
  /// then by edges.
  struct Children {
    Ref slots = kNoRef;
    std::uint32_t slot_count = 0;  // a power of two
    std::uint32_t count = 0;
  };
  struct Slot {
    JointCode code = 0;
    NodeId node = kNoNode;
  };
  static constexpr std::uint32_t kFirstSlots = 4;
  /// What replaces a state that is stored elsewhere, as a word.
  struct Elsewhere {
    Ref ref;
    std::uint32_t words;
  };
  Graph(gdl::MemoryBudget* memory, const MemoryShares& shares);
  /// `nodes`: by how many the number of nodes changes.
  Ref allocate(std::size_t bytes, std::size_t nodes = 0);
  void free(Ref ref, std::size_t bytes, std::size_t nodes = 0);
  NodeId make_node(const Facts& facts, std::uint32_t ply, std::uint8_t epoch, std::uint32_t hash);
  bool set_state(Node& node, gdl::StateView state);
  [[nodiscard]] static Elsewhere elsewhere(const Node& node) {
    return std::bit_cast<Elsewhere>(*node.state_room().data());
  }
  void drop_state_elsewhere(Node& node);
  void free_node(NodeId id);

  /// The most edges that a role can have; if no role has a choice, only the first role can have
  /// one.
  [[nodiscard]] static std::uint32_t edge_limit(const Node& node, gdl::RoleIndex role);
  [[nodiscard]] static std::size_t bytes_before_edges(const Node& node);
  [[nodiscard]] std::size_t bytes_per_edge(const Node& node) const {
    return sizeof(Edge) + (keep_proof_numbers_ ? node.role_count() * sizeof(std::uint32_t) : 0);
  }
  [[nodiscard]] std::size_t edge_bytes(const Node& node) const;
  [[nodiscard]] std::span<Edge> edges_among(const Node& node, gdl::RoleIndex role) const;
  [[nodiscard]] std::uint32_t& tried_among(const Node& node, gdl::RoleIndex role) const;
  bool make_room(Node& node);

  void enter_table(NodeId id);
  void leave_table(NodeId id);

  [[nodiscard]] NodeId child_among(const Node& parent, JointCode code) const;
  void tell_what_is_proved(const Node& parent, const Edge& edge, NodeId child);
  NodeId set_child(NodeId parent, JointCode code, NodeId child);
  [[nodiscard]] Children& children(const Node& node) const {
    return *reinterpret_cast<Children*>(arena_[node.edges]);
  }
  [[nodiscard]] std::span<Slot> slots(const Node& node) const;
  static Slot& slot(std::span<Slot> slots, JointCode code);
  bool enlarge(Node& node);

  void start_collection();
  void start_pruning();
  [[nodiscard]] std::size_t bytes_of(const Node& node) const;
  [[nodiscard]] std::uint32_t visits_made(const Node& node) const {
    return node.visits - (node.has_prior() ? prior_visits_ : 0);
  }
  void prune(Node& node);
  void prune(Edge& edge, const Node& parent);
  void prune_among(Node& node);
  void put_slots(Node& node, std::span<const Slot> kept);
  void mark(NodeId id);
  void mark_children();
  std::size_t sweep_list();

  // Read by all threads, changed only while there is one thread.
  NodeId root_ = kNoNode;
  bool share_ = true;
  bool keep_proof_numbers_ = false;
  std::uint32_t prior_visits_ = 0;  // of nodes that have some
  std::optional<gdl::RoleIndex> random_;
  bool several_ = false;                   // threads
  std::atomic<Phase> phase_{Phase::Idle};  // but `is_collecting` may read it at any time
  bool collect_again_ = false;             // the root moved on while a collection was running
  std::uint8_t generation_ = 0;
  std::uint32_t next_list_ = 0;
  Pruning pruning_;  // of the running collection
  std::uint32_t prunings_ = 0;

  Arena arena_;
  PositionTable table_;

  std::atomic<bool> was_full_{false}, was_refused_{false};
  std::atomic<std::uint32_t> nodes_refused_{0};   // since one was made, or a collection ended
  std::atomic<std::uint32_t> blocks_refused_{0};  // of edges, say, since a collection ended
  alignas(64) SpinLock marked_lock_;
  std::vector<NodeId> marked_;  // whose children are not marked yet
};

template <typename Visitor>
void Graph::for_each_child(const Node& node, Visitor&& visit) const {
  if (node.edges == kNoRef) return;
  if (node.has_decider()) {
    const auto edges = this->edges(node, node.decider());
    for (JointCode code = 0; code < edges.size(); ++code) {
      const NodeId child = edges[code].child();
      if (child != kNoNode) visit(code, child);
    }
    return;
  }
  for (const Slot& slot : slots(node)) {
    if (slot.node != kNoNode) visit(slot.code, slot.node);
  }
}

}  // namespace ludens::search::mcts
