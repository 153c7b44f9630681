// SPDX-License-Identifier: MIT
#include "search/value/tree.h"

#include <bit>

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

void Tree::adopt(NodeId id) {
  const Node& node = (*this)[id];
  bytes_[class_of(node.visits)] += node.bytes();
}

void Tree::plant(NodeId root) {
  adopt(root);
  root_ = root;
  was_full_ = false;
}

void Tree::advance(NodeId parent, std::uint32_t child) {
  NodeId& slot = (*this)[parent].children()[child];
  dead_.push_back(root_);
  root_ = slot;
  slot = kNoNode;
  to_prune_.clear();
  was_full_ = false;
}

void Tree::clear() {
  arena_.clear();
  root_ = kNoNode;
  bytes_ = {};
  dead_.clear();
  to_prune_.clear();
}

void Tree::change_visits(Node& node, std::uint32_t visits) {
  const std::size_t before = class_of(node.visits);
  const std::size_t after = class_of(visits);
  node.visits = visits;
  if (before == after) return;
  bytes_[before] -= node.bytes();
  bytes_[after] += node.bytes();
}

void Tree::collect(std::size_t steps) {
  if (dead_.empty() && to_prune_.empty()) {
    if (root_ == kNoNode || !arena_.is_short()) return;
    start_pruning();
  }
  for (; steps > 0; --steps) {
    if (!dead_.empty()) {
      const NodeId id = dead_.back();
      dead_.pop_back();
      release(id);
    } else if (!to_prune_.empty()) {
      const NodeId id = to_prune_.back();
      to_prune_.pop_back();
      prune(id);
    } else {
      return;
    }
  }
}

void Tree::release(NodeId id) {
  Node& node = (*this)[id];
  for (const NodeId child : node.children()) {
    if (child != kNoNode) dead_.push_back(child);
  }
  bytes_[class_of(node.visits)] -= node.bytes();
  arena_.free(id, node.bytes(), 1);
}

/// What goes is whole classes of nodes by their visits, and of one class a share, drawn by chance.
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

void Tree::prune(NodeId id) {
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
