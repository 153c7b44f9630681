// SPDX-License-Identifier: MIT
#include "search/mcts/graph.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kTableShare = 16;        // of a limit: one in this many bytes
constexpr std::uint32_t kNodesPerGrowth = 32;  // the table grows after about this many new nodes
constexpr std::uint32_t kMostRefused = 64;     // nodes in a row, before a collection prunes
constexpr std::uint32_t kFirstEdges = 2;

/// Refused blocks of edges let a collection prune, too, as many as `kMostRefused`; but not those
/// that are larger than one in this many bytes of the memory, which might find no place after it.
constexpr std::size_t kLargestShare = 8;

/// The number of edges for which a node has room, given how many it has.
std::uint32_t room_for(std::uint32_t tried, std::uint32_t limit) {
  return tried == 0 ? 0 : std::min(limit, std::bit_ceil(std::max(kFirstEdges, tried)));
}

}  // namespace

Graph::Graph(gdl::MemoryBudget* memory, std::size_t limit_bytes)
    : Graph(memory,
            MemoryShares(limit_bytes == 0 && memory != nullptr ? memory->limit() : limit_bytes,
                         kTableShare)) {}

Graph::Graph(gdl::MemoryBudget* memory, const MemoryShares& shares)
    : arena_(memory, shares.arena),
      table_(arena_, memory, shares.table / PositionTable::kListBytes) {}

std::optional<gdl::RoleIndex> Graph::opponent(const Node& node) const {
  std::optional<gdl::RoleIndex> found;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r == node.decider() || r == random_) continue;
    if (found) return std::nullopt;
    found = r;
  }
  return found;
}

Ref Graph::allocate(std::size_t bytes, std::size_t nodes) {
  const Ref ref = arena_.allocate(bytes, nodes);
  if (ref == kNoRef) {
    was_full_.store(true, std::memory_order_relaxed);
    was_refused_.store(true, std::memory_order_relaxed);
    if (nodes == 0 && bytes <= arena_.limit() / kLargestShare) {
      blocks_refused_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  return ref;
}

bool Graph::is_short() const {
  return arena_.is_short() || nodes_refused_.load(std::memory_order_relaxed) >= kMostRefused ||
         blocks_refused_.load(std::memory_order_relaxed) >= kMostRefused;
}

void Graph::free(Ref ref, std::size_t bytes, std::size_t nodes) {
  arena_.free(ref, bytes, nodes);
}

void Graph::clear() {
  table_.clear();
  arena_.clear();
  root_ = kNoNode;
  was_full_ = was_refused_ = false;
  nodes_refused_ = blocks_refused_ = 0;
  phase_ = Phase::Idle;
  collect_again_ = false;
  pruning_.clear();
  marked_.clear();
}

bool Graph::plant(const Facts& facts, std::uint32_t ply, std::uint8_t epoch) {
  clear();
  if (!table_.open()) return false;
  root_ = make_node(facts, ply, epoch, position_hash(facts.state));
  return root_ != kNoNode;
}

NodeId Graph::make_node(const Facts& facts, std::uint32_t ply, std::uint8_t epoch,
                        std::uint32_t hash) {
  if (facts.state.words().size() > Node::kMostStateWords) return kNoNode;
  if (facts.begins.size() - 1 > Node::kMostRoles) return kNoNode;
  const NodeId id = allocate(Node::bytes_for(facts), 1);
  if (id == kNoNode) {
    nodes_refused_.fetch_add(1, std::memory_order_relaxed);
    return kNoNode;
  }
  if (nodes_refused_.load(std::memory_order_relaxed) != 0) nodes_refused_ = 0;
  Node& node = *new (arena_[id]) Node();
  node.fill(facts);
  node.ply = static_cast<std::uint16_t>(ply);
  node.epoch = epoch;
  node.hash = hash;
  node.generation = generation_;
  enter_table(id);
  return id;
}

gdl::StateView Graph::state(const Node& node) const {
  if (!node.has_state_elsewhere()) return gdl::StateView(node.state_room());
  const Elsewhere where = elsewhere(node);
  const auto* words = reinterpret_cast<const std::uint64_t*>(arena_[where.ref]);
  return gdl::StateView({words, where.words});
}

void Graph::drop_state_elsewhere(Node& node) {
  if (!node.has_state_elsewhere()) return;
  const Elsewhere where = elsewhere(node);
  free(where.ref, where.words * sizeof(std::uint64_t));
  node.set_state_elsewhere(false);
}

bool Graph::set_state(Node& node, gdl::StateView state) {
  const auto words = state.words();
  if (words.size() == node.state_room().size()) {
    drop_state_elsewhere(node);
    std::ranges::copy(words, node.state_room().begin());
    return true;
  }
  const Elsewhere where{allocate(std::max<std::size_t>(1, words.size()) * sizeof(std::uint64_t)),
                        static_cast<std::uint32_t>(words.size())};
  if (where.ref == kNoRef) return false;
  drop_state_elsewhere(node);
  if (!words.empty()) std::memcpy(arena_[where.ref], words.data(), words.size_bytes());
  *node.state_room().data() = std::bit_cast<std::uint64_t>(where);
  node.set_state_elsewhere(true);
  return true;
}

bool Graph::restate(NodeId id, gdl::StateView state, std::uint8_t epoch, std::uint32_t hash) {
  Node& node = (*this)[id];
  const Hold held = hold(node);
  if (node.epoch == epoch) return true;
  leave_table(id);
  const bool done = set_state(node, state);
  if (done) {
    node.hash = hash;
    node.epoch = epoch;
  }
  enter_table(id);
  return done;
}

void Graph::enter_table(NodeId id) {
  const std::uint32_t hash = (*this)[id].hash;
  {
    const Hold held = table_.hold(hash);
    table_.enter(id);
  }
  if (hash % kNodesPerGrowth == 0) table_.grow(arena_.count());
}

void Graph::leave_table(NodeId id) {
  const Hold held = table_.hold((*this)[id].hash);
  table_.leave(id);
}

NodeId Graph::find(gdl::StateView state, std::uint32_t ply, std::uint8_t epoch,
                   std::uint32_t hash) const {
  if (root_ == kNoNode) return kNoNode;
  const Hold held = table_.hold(hash);
  for (NodeId id = table_.first(hash); id != kNoNode; id = (*this)[id].next) {
    const Node& node = (*this)[id];
    if (node.hash != hash || node.ply != static_cast<std::uint16_t>(ply) || node.epoch != epoch) {
      continue;
    }
    const bool dead = phase_ == Phase::Sweep && node.generation != generation_;
    if (!dead && this->state(node) == state) return id;
  }
  return kNoNode;
}

NodeId Graph::add(NodeId parent, JointCode code, const Facts& facts, std::uint8_t epoch,
                  std::uint32_t hash) {
  const std::uint32_t ply = (*this)[parent].ply + 1U;
  const NodeId known = share_ ? find(facts.state, ply, epoch, hash) : kNoNode;
  if (known != kNoNode) {
    mark(known);
    return set_child(parent, code, known);
  }
  const NodeId made = make_node(facts, ply, epoch, hash);
  if (made == kNoNode) return kNoNode;
  const NodeId child = set_child(parent, code, made);
  // If threads share the table, another may have found the node meanwhile, so it stays there.
  if (child != made && !several_) {
    leave_table(made);
    free_node(made);
  }
  return child;
}

void Graph::free_node(NodeId id) {
  Node& node = (*this)[id];
  if (node.edges != kNoRef) {
    if (!node.has_decider() && children(node).slots != kNoRef) {
      free(children(node).slots, children(node).slot_count * sizeof(Slot));
    }
    free(node.edges, edge_bytes(node));
  }
  drop_state_elsewhere(node);
  free(id, node.bytes(), 1);
}

/// What `free_node` frees.
std::size_t Graph::bytes_of(const Node& node) const {
  std::size_t bytes = node.bytes();
  if (node.has_state_elsewhere()) bytes += elsewhere(node).words * sizeof(std::uint64_t);
  if (node.edges == kNoRef) return bytes;
  if (!node.has_decider()) bytes += children(node).slot_count * sizeof(Slot);
  return bytes + edge_bytes(node);
}

std::uint32_t Graph::edge_limit(const Node& node, gdl::RoleIndex role) {
  if (node.has_decider()) return role == node.decider() ? node.move_count(role) : 0;
  return node.decides(role) ? node.move_count(role) : 0;
}

std::size_t Graph::bytes_before_edges(const Node& node) {
  return sizeof(Children) + (node.role_count() + 1) / 2 * 2 * sizeof(std::uint32_t);
}

std::size_t Graph::edge_bytes(const Node& node) const {
  if (node.has_decider()) {
    return room_for(node.tried, node.move_count(node.decider())) * bytes_per_edge(node);
  }
  std::size_t bytes = bytes_before_edges(node);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    bytes += edge_limit(node, r) * sizeof(Edge);
  }
  return bytes;
}

std::uint32_t& Graph::tried_among(const Node& node, gdl::RoleIndex role) const {
  return reinterpret_cast<std::uint32_t*>(arena_[node.edges] + sizeof(Children))[role];
}

std::span<Edge> Graph::edges_among(const Node& node, gdl::RoleIndex role) const {
  if (node.edges == kNoRef || edge_limit(node, role) == 0) return {};
  std::byte* at = arena_[node.edges] + bytes_before_edges(node);
  for (gdl::RoleIndex r = 0; r < role; ++r) at += edge_limit(node, r) * sizeof(Edge);
  return {reinterpret_cast<Edge*>(at), tried_among(node, role)};
}

/// They come after the room for the edges.
std::span<std::uint32_t> Graph::proof_numbers(const Node& node) const {
  if (!keep_proof_numbers_ || node.tried == 0) return {};
  const std::uint32_t room = room_for(node.tried, node.move_count(node.decider()));
  return {reinterpret_cast<std::uint32_t*>(arena_[node.edges] + room * sizeof(Edge)),
          node.tried * node.role_count()};
}

/// Makes room for one more edge of the decider.
bool Graph::make_room(Node& node) {
  const std::uint32_t limit = node.move_count(node.decider());
  const std::uint32_t before = room_for(node.tried, limit);
  const std::uint32_t after = room_for(node.tried + 1, limit);
  if (before == after) return true;
  const Ref ref = allocate(after * bytes_per_edge(node));
  if (ref == kNoRef) return false;
  if (before > 0) {
    std::memcpy(arena_[ref], arena_[node.edges], node.tried * sizeof(Edge));
    if (keep_proof_numbers_) {
      std::ranges::copy(proof_numbers(node),
                        reinterpret_cast<std::uint32_t*>(arena_[ref] + after * sizeof(Edge)));
    }
    free(node.edges, before * bytes_per_edge(node));
  }
  // `fetch_edges` may read it meanwhile.
  std::atomic_ref(node.edges).store(ref, std::memory_order_relaxed);
  return true;
}

bool Graph::make_edges(Node& node) {
  if (node.edges != kNoRef) return true;
  const Ref ref = allocate(edge_bytes(node));
  if (ref == kNoRef) return false;
  std::atomic_ref(node.edges).store(ref, std::memory_order_relaxed);
  new (&children(node)) Children();
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) tried_among(node, r) = 0;
  return true;
}

std::uint32_t Graph::open(Node& node, gdl::RoleIndex role, std::uint32_t which) {
  if (!(node.has_decider() ? make_room(node) : make_edges(node))) return kNoPlace;
  std::uint32_t& tried = node.has_decider() ? node.tried : tried_among(node, role);
  const std::uint32_t place = tried++;
  node.swap_moves(role, place, place + which);
  Edge& edge = *new (&edges(node, role)[place]) Edge();
  if (!node.has_decider()) {
    edge.cumulative = 0;
  } else if (keep_proof_numbers_) {
    std::ranges::fill(proof_numbers(node).last(node.role_count()), 1U);
  }
  return place;
}

NodeId Graph::child_among(const Node& parent, JointCode code) const {
  const auto all = slots(parent);
  return all.empty() ? kNoNode : slot(all, code).node;
}

std::uint64_t Graph::child_count(const Node& node) const {
  if (!node.has_decider()) return node.edges == kNoRef ? 0 : children(node).count;
  std::uint64_t count = 0;
  for_each_child(node, [&](JointCode, NodeId) { ++count; });
  return count;
}

/// Returns the child that is there afterwards: an existing one stays.
NodeId Graph::set_child(NodeId parent, JointCode code, NodeId child) {
  Node& node = (*this)[parent];
  const Hold held = hold(node);
  if (node.has_decider()) {
    Edge& edge = edges(node, node.decider())[code];
    if (edge.child() != kNoNode) return edge.child();
    tell_what_is_proved(node, edge, child);
    edge.link = child;
    return child;
  }
  if (4 * (children(node).count + 1) > 3 * children(node).slot_count && !enlarge(node)) {
    return kNoNode;
  }
  Slot& place = slot(slots(node), code);
  if (place.node == kNoNode) {
    place = {code, child};
    ++children(node).count;
  }
  return place.node;
}

/// The child may take the place of a pruned one.
void Graph::tell_what_is_proved(const Node& parent, const Edge& edge, NodeId id) {
  if (edge.bounds == Bounds{}) return;
  Node& child = (*this)[id];
  const Hold held = hold(child);
  child.set_bounded();
  child.tighten(parent.decider(), edge.bounds);
  if (edge.others_low() > 0) child.tighten(*opponent(parent), {edge.others_low(), 100});
}

std::span<Graph::Slot> Graph::slots(const Node& node) const {
  const Children& table = children(node);
  return {reinterpret_cast<Slot*>(arena_[table.slots]), table.slot_count};
}

Graph::Slot& Graph::slot(std::span<Slot> slots, JointCode code) {
  const std::size_t mask = slots.size() - 1;
  std::size_t i = code & mask;
  while (slots[i].node != kNoNode && slots[i].code != code) i = (i + 1) & mask;
  return slots[i];
}

bool Graph::enlarge(Node& node) {
  const std::uint32_t count = std::max(kFirstSlots, 2 * children(node).slot_count);
  const Ref ref = allocate(count * sizeof(Slot));
  if (ref == kNoRef) return false;
  const std::span<Slot> enlarged{reinterpret_cast<Slot*>(arena_[ref]), count};
  std::uninitialized_fill(enlarged.begin(), enlarged.end(), Slot());
  for (const Slot& old : slots(node)) {
    if (old.node != kNoNode) slot(enlarged, old.code) = old;
  }
  Children& table = children(node);
  if (table.slots != kNoRef) free(table.slots, table.slot_count * sizeof(Slot));
  table.slots = ref;
  table.slot_count = count;
  return true;
}

}  // namespace ludens::search::mcts
