// SPDX-License-Identifier: MIT
// Backpropagation: adds the values of descents to the nodes and edges of their paths.
#pragma once

#include <span>
#include <vector>

#include "search/mcts/descents.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

class Backpropagation {
 public:
  /// All values are added to the nodes and edges on the paths, and to the leaf if a group has one.
  /// If the policy uses bounds, a value is clamped to the bounds of each node on its way up: a
  /// result worse than a role can force there was the fault of its own move there, and does not
  /// count against the moves that led there. Where results are noisy, a result may be worse than
  /// what is proved, which limits the mean of all; so values change only as far as the mean of the
  /// node would otherwise pass its bounds. An edge's mean is that of its child, which may have been
  /// reached on other paths, too, unless the child was pruned and has fewer visits than the edge.
  void run(Graph& graph, const SelectionPolicy& policy, Descents& descents);

 private:
  using Group = Descents::Group;

  void update_edges(Graph& graph, Node& node, const Group& part, const SelectionPolicy& policy,
                    Descents& descents);
  void add_up(Descents& descents, std::size_t index);
  void clamp(Descents& descents, std::size_t index, const Node& node);
  void clamp_mean(Descents& descents, std::size_t index, Node& node);
  [[nodiscard]] std::span<double> sums(std::size_t group) {
    return std::span(sums_).subspan(group * roles_, roles_);
  }
  [[nodiscard]] std::span<std::uint32_t> proof_numbers(std::size_t group) {
    return std::span(proof_numbers_).subspan(group * roles_, roles_);
  }

  std::size_t roles_ = 0;
  std::vector<double> sums_;                  // [group * roles + role]: of its descents' values
  std::vector<std::uint32_t> proof_numbers_;  // [group * roles + role], or nothing: of its node,
                                              // when the node is updated
};

/// Cancels the descents: they have no values, and are no longer in flight.
void cancel(Graph& graph, const Descents& descents);

}  // namespace ludens::search::mcts
