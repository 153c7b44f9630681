// SPDX-License-Identifier: MIT
#include "search/mcts/loss_distance.h"

#include <algorithm>

namespace ludens::search::mcts {

std::optional<std::uint32_t> LossDistance::plies(NodeId id) {
  const Node& node = graph_[id];
  if (node.terminal()) return 0;
  if (!node.bounds(role_).closed()) return std::nullopt;
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  if (known_.size() >= most_nodes_) return std::nullopt;
  known_.emplace(id, std::nullopt);
  const auto result = plies_below(node);
  known_[id] = result;
  return result;
}

/// The distance over the children that lead to the value proved for the node.
std::optional<std::uint32_t> LossDistance::plies_below(const Node& node) {
  const bool own = node.decides(role_);
  const std::uint8_t goal = node.bounds(role_).low;
  std::optional<std::uint32_t> best;
  graph_.for_each_child(node, [&](JointCode, NodeId child) {
    if (graph_[child].bounds(role_) != Bounds{goal, goal}) return;
    const auto below = plies(child);
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
