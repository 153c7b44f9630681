// SPDX-License-Identifier: MIT
#include "search/mcts/loss_distance.h"

#include <algorithm>

namespace ludens::search::mcts {

/// Visits the children that lead to the value proved for the node.
template <typename Visitor>
void LossDistance::for_each_follower(const Node& node, Visitor&& visit) const {
  const Bounds proved = node.bounds(role_);
  graph_.for_each_child(node, [&](JointCode, NodeId child) {
    if (graph_[child].bounds(role_) == proved) visit(child);
  });
}

std::optional<std::uint32_t> LossDistance::plies(NodeId id) {
  waiting_.assign(1, id);
  while (!waiting_.empty()) {
    const NodeId at = waiting_.back();
    if (is_read(at) || !list_unread(at)) waiting_.pop_back();
  }
  return distance(id);
}

bool LossDistance::is_read(NodeId id) const {
  const Node& node = graph_[id];
  if (node.terminal() || !node.bounds(role_).closed()) return true;
  const auto known = known_.find(id);
  return known == known_.end() ? known_.size() >= most_nodes_ : known->second.read;
}

/// Has the children of a node wait before it that must be read first; reads it and returns false if
/// there are none.
bool LossDistance::list_unread(NodeId id) {
  const auto [known, fresh] = known_.try_emplace(id);
  if (fresh) {
    const std::size_t before = waiting_.size();
    for_each_follower(graph_[id], [&](NodeId child) {
      if (!is_read(child)) waiting_.push_back(child);
    });
    if (waiting_.size() > before) return true;
  }
  known->second = {plies_below(graph_[id]), true};
  return false;
}

/// What is known about a node that was read.
std::optional<std::uint32_t> LossDistance::distance(NodeId id) const {
  if (graph_[id].terminal()) return 0;
  const auto known = known_.find(id);
  return known == known_.end() ? std::nullopt : known->second.plies;
}

std::optional<std::uint32_t> LossDistance::plies_below(const Node& node) const {
  const bool own = node.decides(role_);
  std::optional<std::uint32_t> best;
  for_each_follower(node, [&](NodeId child) {
    const auto below = distance(child);
    if (!below) return;
    const std::uint32_t here = *below + 1;
    if (!best) {
      best = here;
    } else {
      best = own ? std::max(*best, here) : std::min(*best, here);
    }
  });
  return best;
}

}  // namespace ludens::search::mcts
