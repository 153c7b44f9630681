// SPDX-License-Identifier: MIT
#include "search/value/tree.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace ludens::search::value {

namespace {

constexpr double kGoes = 0.375;  // of the memory in use

}  // namespace

Tree::Tree(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed)
    : arena_(memory, limit_bytes == 0 ? mcts::Arena::kMostBytes : limit_bytes), rng_(seed) {}

std::size_t Tree::class_of(std::uint32_t visits) {
  return static_cast<std::size_t>(std::bit_width(visits));
}

NodeId Tree::make(const Shape& shape) {
  const NodeId id = arena_.allocate(Node::bytes_for(shape), 1);
  if (id != kNoNode) Node::make(arena_[id], shape);
  return id;
}

void Tree::plant(NodeId root) {
  count_node((*this)[root], bytes_);
  root_ = root;
  was_full_ = false;
}

void Tree::advance(NodeId parent, std::uint32_t child) {
  NodeId& slot = (*this)[parent].children()[child];
  dead_.push_back(root_);
  collecting_ = true;
  root_ = slot;
  slot = kNoNode;
  to_prune_.clear();
  pruning_ = false;
  was_full_ = false;
}

void Tree::clear() {
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
  for (const NodeId child : node.children()) {
    if (child != kNoNode) dead_.push_back(child);
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
  share_ = here > 0 ? wanted / here : 1;
  to_prune_.push_back(root_);
}

bool Tree::goes(const Node& node) {
  if (node.in_flight > 0) return false;
  const std::size_t its_class = class_of(node.visits);
  return its_class < last_class_ || (its_class == last_class_ && rng_.uniform() < share_);
}

void Tree::prune_children(NodeId id) {
  for (NodeId& child : (*this)[id].children()) {
    if (child == kNoNode || child == kInTheMaking) continue;
    if (goes((*this)[child])) {
      dead_.push_back(child);
      child = kNoNode;
    } else {
      to_prune_.push_back(child);
    }
  }
}

}  // namespace ludens::search::value
