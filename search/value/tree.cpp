// SPDX-License-Identifier: MIT
#include "search/value/tree.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace ludens::search::value {

namespace {

constexpr double kGoes = 0.375;                // of the memory in use
constexpr std::size_t kTableShare = 32;        // of a limit: one in this many bytes
constexpr std::uint32_t kNodesPerGrowth = 32;  // the table grows after about this many new nodes

}  // namespace

Tree::Tree(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed)
    : Tree(memory, mcts::MemoryShares(limit_bytes, kTableShare), seed) {}

Tree::Tree(gdl::MemoryBudget* memory, const mcts::MemoryShares& shares, std::uint64_t seed)
    : arena_(memory, shares.arena),
      table_(arena_, memory, shares.table / mcts::PositionTable::kListBytes),
      rng_(seed) {}

std::size_t Tree::class_of(std::uint32_t visits) {
  return static_cast<std::size_t>(std::bit_width(visits));
}

NodeId Tree::make(const Shape& shape) {
  const NodeId id = arena_.allocate(Node::bytes_for(shape), 1);
  if (id != kNoNode) Node::make(arena_[id], shape);
  return id;
}

NodeId Tree::find_among(gdl::StateView state, std::uint16_t ply, std::uint32_t hash) {
  for (NodeId id = table_.first(hash); id != kNoNode; id = (*this)[id].next) {
    Node& node = (*this)[id];
    if (node.hash == hash && node.ply == ply && gdl::StateView(node.state()) == state) return id;
  }
  return kNoNode;
}

NodeId Tree::find(gdl::StateView state, std::uint16_t ply, std::uint32_t hash) {
  if (!has_table_) return kNoNode;
  const mcts::Hold held = table_.hold(hash);
  const NodeId known = find_among(state, ply, hash);
  if (known != kNoNode) ++(*this)[known].links;
  return known;
}

NodeId Tree::enter(NodeId made, Census& census) {
  Node& node = (*this)[made];
  node.links = 1;  // before others can find it
  if (has_table_) {
    const mcts::Hold held = table_.hold(node.hash);
    const NodeId known = find_among(gdl::StateView(node.state()), node.ply, node.hash);
    if (known != kNoNode) {
      ++(*this)[known].links;
      drop(made);
      return known;
    }
    table_.enter(made);
  }
  count_node(node, census);
  if (has_table_ && node.hash % kNodesPerGrowth == 0) table_.grow(arena_.count());
  return made;
}

void Tree::let_go(NodeId id) {
  const std::lock_guard lock(dead_mutex_);
  unlink(id);
}

/// One edge less leads to a node. Needs `dead_mutex_`, unless no other thread searches.
void Tree::unlink(NodeId id) {
  Node& node = (*this)[id];
  if (--node.links > 0 || node.dying) return;
  node.dying = true;
  dead_.push_back(id);
  collecting_ = true;
}

/// False if an edge leads to the node again. Otherwise it can't be found any more.
bool Tree::leave(Node& node, NodeId id) {
  node.dying = false;
  if (!has_table_) return node.links == 0;
  const mcts::Hold held = table_.hold(node.hash);
  if (node.links > 0) return false;
  table_.leave(id);
  return true;
}

void Tree::plant(NodeId root) {
  has_table_ = share_ && table_.open();
  root_ = enter(root, bytes_);
  was_full_ = false;
}

void Tree::advance(NodeId parent, std::uint32_t child) {
  const NodeId next = (*this)[parent].children()[child];
  ++(*this)[next].links;
  unlink(std::exchange(root_, next));
  to_prune_.clear();
  pruning_ = false;
  was_full_ = false;
}

void Tree::clear() {
  table_.clear();
  has_table_ = false;
  arena_.clear();
  root_ = kNoNode;
  bytes_ = {};
  dead_.clear();
  to_prune_.clear();
  collecting_ = pruning_ = false;
}

void Tree::count_node(const Node& node, Census& census) {
  census[class_of(node.visits)] += static_cast<std::ptrdiff_t>(node.bytes());
}

void Tree::change_visits(Node& node, std::uint32_t visits, Census& census) {
  const std::size_t before = class_of(node.visits);
  const std::size_t after = class_of(visits);
  node.visits = visits;
  if (before == after) return;
  const auto bytes = static_cast<std::ptrdiff_t>(node.bytes());
  census[before] -= bytes;
  census[after] += bytes;
}

void Tree::take_up(Census& census) {
  const std::lock_guard lock(bytes_mutex_);
  std::ranges::transform(bytes_, census, bytes_.begin(), std::plus());
  census = {};
}

void Tree::collect(std::size_t steps) {
  if (!collecting_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(dead_mutex_, std::try_to_lock);
  if (!lock) return;
  Census freed{};
  for (; steps > 0 && !dead_.empty(); --steps) {
    const NodeId id = dead_.back();
    dead_.pop_back();
    release(id, freed);
  }
  collecting_ = !dead_.empty();
  take_up(freed);
}

void Tree::prune(std::size_t steps) {
  const std::lock_guard lock(dead_mutex_);
  if (to_prune_.empty()) {
    if (!wants_pruning()) return;
    start_pruning();
  }
  for (; steps > 0 && !to_prune_.empty(); --steps) {
    const NodeId id = to_prune_.back();
    to_prune_.pop_back();
    prune_children(id);
  }
  pruning_ = !to_prune_.empty();
  collecting_ = !dead_.empty();
}

void Tree::release(NodeId id, Census& census) {
  Node& node = (*this)[id];
  if (!leave(node, id)) return;
  for (const NodeId child : node.children()) {
    if (child != kNoNode) unlink(child);
  }
  census[class_of(node.visits)] -= static_cast<std::ptrdiff_t>(node.bytes());
  arena_.free(id, node.bytes(), 1);
}

/// Frees whole classes of nodes by their visits, and a random share of one class.
void Tree::start_pruning() {
  was_full_ = true;
  if (!several_) arena_.drain();
  double wanted = kGoes * static_cast<double>(arena_.used());
  for (last_class_ = 0; last_class_ + 1 < kClasses; ++last_class_) {
    const auto here = static_cast<double>(bytes_[last_class_]);
    if (here >= wanted) break;
    wanted -= here;
  }
  const auto here = static_cast<double>(bytes_[last_class_]);
  share_that_goes_ = here > 0 ? wanted / here : 1;
  ++generation_;
  to_prune_.push_back(root_);
}

bool Tree::goes(const Node& node) {
  if (node.in_flight > 0) return false;
  const std::size_t its_class = class_of(node.visits);
  return its_class < last_class_ || (its_class == last_class_ && rng_.uniform() < share_that_goes_);
}

void Tree::prune_children(NodeId id) {
  for (NodeId& child : (*this)[id].children()) {
    if (child == kNoNode || child == kInTheMaking) continue;
    Node& below = (*this)[child];
    if (goes(below)) {
      unlink(child);
      child = kNoNode;
    } else if (below.generation != generation_) {
      below.generation = generation_;
      to_prune_.push_back(child);
    }
  }
}

}  // namespace ludens::search::value
