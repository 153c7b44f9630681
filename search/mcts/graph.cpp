#include "search/mcts/graph.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "search/mcts/score.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kCollectAtOnce = 4096;  // steps, when the memory is out
constexpr std::size_t kBucketsAStep = 64;     // swept
constexpr std::size_t kNodeBytes = 192;       // about, to size the table of positions
constexpr std::size_t kMostBuckets = std::size_t{1} << 24;
constexpr std::uint32_t kFirstSlots = 4;

std::uint32_t fold(gdl::StateView state) {
  const gdl::StateHash hash = gdl::hash(state);
  return static_cast<std::uint32_t>(hash.low ^ (hash.low >> 32));
}

/// The edges of a role of a node: of the first where no role has a choice.
std::size_t edge_count(const Node& node, gdl::RoleIndex role) {
  if (node.has_decider()) return role == node.decider() ? node.joint_count() : 0;
  return node.decides(role) ? node.move_count(role) : 0;
}

}  // namespace

Graph::Graph(gdl::MemoryBudget* memory, std::size_t limit_bytes)
    : arena_(memory, limit_bytes == 0 && memory != nullptr ? memory->limit() : limit_bytes),
      memory_(memory) {
  const std::size_t wanted = std::bit_ceil(arena_.limit() / kNodeBytes + 1);
  const std::size_t count = std::min(wanted, kMostBuckets);
  void* const range = mmap(nullptr, count * sizeof(NodeId), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return;
  buckets_ = static_cast<NodeId*>(range);
  bucket_mask_ = static_cast<std::uint32_t>(count - 1);
}

Graph::~Graph() {
  clear();
  if (buckets_ != nullptr) munmap(buckets_, (std::size_t{bucket_mask_} + 1) * sizeof(NodeId));
}

Ref Graph::allocate(std::size_t bytes) {
  Ref ref = arena_.allocate(bytes);
  if (ref == kNoRef && is_collecting()) {
    collect(kCollectAtOnce);
    ref = arena_.allocate(bytes);
  }
  was_full_ |= ref == kNoRef;
  return ref;
}

void Graph::clear() {
  if (buckets_ != nullptr && size_ > 0) {
    madvise(buckets_, (std::size_t{bucket_mask_} + 1) * sizeof(NodeId), MADV_DONTNEED);
  }
  if (memory_ != nullptr) memory_->release(table_bytes_);
  table_bytes_ = 0;
  arena_.clear();
  root_ = kNoNode;
  size_ = 0;
  was_full_ = false;
  phase_ = Phase::Idle;
  collect_again_ = false;
  marked_.clear();
}

bool Graph::plant(const Facts& facts, std::uint32_t ply, std::uint16_t epoch) {
  clear();
  if (buckets_ == nullptr) return false;
  // The table of positions is as large as it will ever be: it never has to be made anew.
  const std::size_t table = (std::size_t{bucket_mask_} + 1) * sizeof(NodeId);
  if (memory_ != nullptr && !memory_->reserve(table)) return false;
  table_bytes_ = memory_ != nullptr ? table : 0;
  root_ = make_node(facts, ply, epoch, fold(facts.state));
  return root_ != kNoNode;
}

NodeId Graph::make_node(const Facts& facts, std::uint32_t ply, std::uint16_t epoch,
                        std::uint32_t hash) {
  const std::size_t bytes = Node::bytes_for(facts);
  const NodeId id = allocate(bytes);
  if (id == kNoNode) return kNoNode;
  Node& node = *new (arena_[id]) Node();
  node.fill(facts);
  node.ply = ply;
  node.epoch = epoch;
  node.hash = hash;
  node.set_generation(generation_);
  if (!set_state(node, facts.state)) {
    arena_.free(id, bytes);
    return kNoNode;
  }
  enter_table(id);
  ++size_;
  return id;
}

bool Graph::set_state(Node& node, gdl::StateView state) {
  const auto words = state.words();
  if (words.size() != node.state_words) {
    const Ref ref = words.empty() ? kNoRef : allocate(words.size_bytes());
    if (ref == kNoRef && !words.empty()) return false;
    if (node.state != kNoRef) arena_.free(node.state, node.state_words * sizeof(std::uint64_t));
    node.state = ref;
    node.state_words = static_cast<std::uint32_t>(words.size());
  }
  if (!words.empty()) std::memcpy(arena_[node.state], words.data(), words.size_bytes());
  return true;
}

gdl::StateView Graph::state(const Node& node) const {
  const auto* words = reinterpret_cast<const std::uint64_t*>(arena_[node.state]);
  return gdl::StateView({words, node.state_words});
}

bool Graph::restate(NodeId id, gdl::StateView state, std::uint16_t epoch) {
  Node& node = (*this)[id];
  if (!set_state(node, state)) return false;
  leave_table(id);
  node.hash = fold(state);
  node.epoch = epoch;
  enter_table(id);
  return true;
}

void Graph::enter_table(NodeId id) {
  Node& node = (*this)[id];
  NodeId& head = bucket(node.hash);
  node.next = head;
  head = id;
}

void Graph::leave_table(NodeId id) {
  const Node& node = (*this)[id];
  NodeId* link = &bucket(node.hash);
  while (*link != id) link = &(*this)[*link].next;
  *link = node.next;
}

void Graph::announce(gdl::StateView state, std::uint32_t& hash, bool again) const {
  if (again) return __builtin_prefetch(arena_[bucket(hash)]);
  hash = fold(state);
  __builtin_prefetch(&bucket(hash));
}

NodeId Graph::find(gdl::StateView state, std::uint32_t ply, std::uint16_t epoch) const {
  return root_ == kNoNode ? kNoNode : find(state, ply, epoch, fold(state));
}

NodeId Graph::find(gdl::StateView state, std::uint32_t ply, std::uint16_t epoch,
                   std::uint32_t hash) const {
  for (NodeId id = bucket(hash); id != kNoNode; id = (*this)[id].next) {
    const Node& node = (*this)[id];
    if (node.hash != hash || node.ply != ply || node.epoch != epoch) continue;
    const bool dead = phase_ == Phase::Sweep && node.generation() != generation_;
    if (!dead && this->state(node) == state) return id;
  }
  return kNoNode;
}

NodeId Graph::add(NodeId parent, JointCode code, const Facts& facts, std::uint16_t epoch) {
  const std::uint32_t hash = fold(facts.state);
  const std::uint32_t ply = (*this)[parent].ply + 1;
  NodeId id = share_ ? find(facts.state, ply, epoch, hash) : kNoNode;
  if (id != kNoNode) {
    mark(id);
    return set_child(parent, code, id) ? id : kNoNode;
  }
  id = make_node(facts, ply, epoch, hash);
  if (id == kNoNode || set_child(parent, code, id)) return id;
  leave_table(id);
  free_node(id);
  return kNoNode;
}

void Graph::free_node(NodeId id) {
  Node& node = (*this)[id];
  if (node.edges != kNoRef) {
    if (!node.has_decider() && children(node).slots != kNoRef) {
      arena_.free(children(node).slots, children(node).slot_count * sizeof(Slot));
    }
    arena_.free(node.edges, edge_bytes(node));
  }
  if (node.state != kNoRef) arena_.free(node.state, node.state_words * sizeof(std::uint64_t));
  arena_.free(id, node.bytes());
  --size_;
}

std::size_t Graph::edge_bytes(const Node& node) {
  if (node.has_decider()) return bytes_of_edges(node.joint_count());
  std::size_t bytes = 2 * sizeof(Children);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    bytes += bytes_of_edges(edge_count(node, r));
  }
  return bytes;
}

bool Graph::grow(Node& node, bool in_order, gdl::Rng& rng) {
  if (node.edges != kNoRef) return true;
  node.edges = allocate(edge_bytes(node));
  if (node.edges == kNoRef) return false;
  if (!node.has_decider()) new (&children(node)) Children();
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (edge_count(node, r) > 0) lay_out(edges(node, r), in_order, rng);
  }
  return true;
}

EdgeList Graph::edges_among(const Node& node, gdl::RoleIndex role) const {
  std::byte* at = arena_[node.edges];
  if (!node.has_decider()) at += 2 * sizeof(Children);
  for (gdl::RoleIndex r = 0; r < role; ++r) at += bytes_of_edges(edge_count(node, r));
  return edges_at(at, edge_count(node, role));
}

void Graph::lay_out(const EdgeList& list, bool in_order, gdl::Rng& rng) {
  const std::uint32_t count = list.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    new (&list.edges[i]) Edge();
    list.value[i] = unvisited_score(in_order ? i : static_cast<std::uint32_t>(rng()));
    list.spread[i] = 0;
  }
  for (std::size_t i = count; i < padded(count); ++i) {
    list.value[i] = kNeverChosen;
    list.spread[i] = 0;
  }
}

NodeId Graph::child(const Node& parent, JointCode code) const {
  if (parent.edges == kNoRef) return kNoNode;
  if (parent.has_decider()) return edges(parent, parent.decider()).edges[code].child;
  const auto all = slots(parent);
  return all.empty() ? kNoNode : slot(all, code).node;
}

bool Graph::set_child(NodeId parent, JointCode code, NodeId child) {
  Node& node = (*this)[parent];
  if (node.has_decider()) {
    NodeId& place = edges(node, node.decider()).edges[code].child;
    node.child_count += place == kNoNode ? 1 : 0;
    place = child;
    return true;
  }
  if (4 * (node.child_count + 1) > 3 * children(node).slot_count && !enlarge(node)) return false;
  Slot& place = slot(slots(node), code);
  node.child_count += place.node == kNoNode ? 1 : 0;
  place = {code, child};
  return true;
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
  if (table.slots != kNoRef) arena_.free(table.slots, table.slot_count * sizeof(Slot));
  table = {ref, count};
  return true;
}

void Graph::advance(NodeId root) {
  root_ = root;
  was_full_ = false;
  if (phase_ == Phase::Idle) {
    start_collection();
  } else {
    collect_again_ = true;
  }
}

void Graph::start_collection() {
  collect_again_ = false;
  phase_ = Phase::Mark;
  ++generation_;
  marked_.clear();
  mark(root_);
}

/// A node that the search is led to while others are being marked is in use as well.
void Graph::mark(NodeId id) {
  Node& node = (*this)[id];
  if (phase_ != Phase::Mark || node.generation() == generation_) return;
  node.set_generation(generation_);
  marked_.push_back(id);
}

void Graph::mark_children() {
  const NodeId id = marked_.back();
  marked_.pop_back();
  for_each_child((*this)[id], [this](JointCode, NodeId child) { mark(child); });
}

void Graph::sweep_bucket() {
  NodeId* link = &buckets_[next_bucket_++];
  while (*link != kNoNode) {
    const NodeId id = *link;
    Node& node = (*this)[id];
    if (node.generation() == generation_) {
      link = &node.next;
    } else {
      *link = node.next;
      free_node(id);
    }
  }
}

void Graph::collect(std::size_t steps) {
  for (; steps > 0 && phase_ == Phase::Mark; --steps) {
    if (!marked_.empty()) {
      mark_children();
    } else {
      phase_ = Phase::Sweep;
      next_bucket_ = 0;
    }
  }
  for (std::size_t i = steps * kBucketsAStep; i > 0 && phase_ == Phase::Sweep; --i) {
    if (next_bucket_ <= bucket_mask_) {
      sweep_bucket();
    } else {
      phase_ = Phase::Idle;
      if (collect_again_) start_collection();
    }
  }
}

}  // namespace ludens::search::mcts
