// SPDX-License-Identifier: MIT
// What a descent chooses at a node.
#pragma once

#include <span>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"
#include "search/mcts/proof_numbers.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// The place of the move that `role` takes at a node, which has an edge then; `Graph::kNoPlace` if
/// there is no memory for the first. `random` takes any move with equal chance. Another role takes
/// a move that is proved to be worth 100, if there is one; else one that nobody has tried, if the
/// policy has it tried by now; else, among the candidates, the one with the largest UCB score.
/// Descents in flight count as visits that brought nothing, and where they are all that a move has,
/// its value is the node's. The node is held.
std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng);

/// Chooses for descents that stand at the same node, each after those before it.
class Chooser {
 public:
  /// The place of the move that `role` takes in each of the descents, as by `choose_move`, or,
  /// where the policy has another rule for simultaneous moves, as by `draw_move`. Each is counted
  /// as in flight on its edge, and all have been at the node. The scores of all moves are worked
  /// out once; then, that of each move taken. The node is held.
  /// Where something speaks for moves beside their own visits (`Guides`), those that nobody has
  /// tried are candidates as well, worth what the node is and what speaks for them.
  void choose(Graph& graph, Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
              const Path& path, gdl::Rng& rng, std::span<std::uint32_t> places);

 private:
  void distribute(std::span<Edge> edges, const Node& node, gdl::RoleIndex role,
                  const SelectionPolicy& policy, std::span<std::uint32_t> places);

  bool find_biases(const Graph& graph, const Node& node, gdl::RoleIndex role,
                   const SelectionPolicy& policy, const Path& path);
  void choose_guided(Graph& graph, Node& node, const SelectionPolicy& policy, gdl::Rng& rng,
                     std::span<std::uint32_t> places);
  void choose_in_order(Graph& graph, Node& node, const SelectionPolicy& policy, const Turn& before,
                       gdl::Rng& rng, std::span<std::uint32_t> places);
  void put_in_order(Node& node, const SelectionPolicy& policy, const Turn& before, gdl::Rng& rng);

  std::vector<float> scores_;     // [place], and some that are never chosen
  std::vector<MoveBias> biases_;  // [place]
  ProofRanks ranks_;
};

}  // namespace ludens::search::mcts
