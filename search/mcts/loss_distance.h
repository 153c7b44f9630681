// SPDX-License-Identifier: MIT
// How long a role that has lost can hold out.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// Reads the proof of a loss: the role takes the longest way, the others the shortest proved one.
/// For two roles, or if the others have the same aim. Needs exclusive use of the graph.
class LossDistance {
 public:
  /// Visits at most `most_nodes` for all calls together.
  LossDistance(const Graph& graph, gdl::RoleIndex role, std::size_t most_nodes)
      : graph_(graph), role_(role), most_nodes_(most_nodes) {}

  /// Joint moves from a node to the end, if the role's goal is settled. nullopt if it isn't, or if
  /// the proof is too large to be read.
  [[nodiscard]] std::optional<std::uint32_t> plies(NodeId id);

 private:
  struct Distance {
    std::optional<std::uint32_t> plies;
    bool read = false;  // otherwise the node waits for others
  };
  [[nodiscard]] bool is_read(NodeId id) const;
  bool list_unread(NodeId id);
  [[nodiscard]] std::optional<std::uint32_t> distance(NodeId id) const;
  [[nodiscard]] std::optional<std::uint32_t> plies_below(const Node& node) const;
  template <typename Visitor>
  void for_each_follower(const Node& node, Visitor&& visit) const;

  const Graph& graph_;
  gdl::RoleIndex role_;
  std::size_t most_nodes_;
  std::unordered_map<NodeId, Distance> known_;
  std::vector<NodeId> waiting_;  // each for those after it: a proof may be deeper than a stack
};

}  // namespace ludens::search::mcts
