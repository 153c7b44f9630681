// SPDX-License-Identifier: MIT
// What a descent chooses at a node.
#pragma once

#include <span>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"
#include "search/mcts/proof_numbers.h"
#include "search/mcts/rating.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// The place of the move that `role` chooses at a node, which then has an edge; `Graph::kNoPlace`
/// if there is no memory for the first. `random` chooses uniformly. Another role chooses a move
/// that is proved to be worth 100, if there is one; otherwise an untried move, if the policy wants
/// one tried now; otherwise the candidate with the largest UCB score. Descents in flight count as
/// visits with value 0. If a move has no other visits, its value is the node's. The node must be
/// held.
std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng);

/// Chooses for descents at the same node, one after another.
class Chooser {
 public:
  /// The place of the move that `role` chooses in each of the descents, as by `choose_move`, or, if
  /// the policy has another rule for simultaneous moves, as by `draw_move`. Each is counted as in
  /// flight on its edge; all must be counted at the node already. The scores of all moves are
  /// computed once, and then only that of each chosen move. The node must be held. If moves have
  /// more than their own visits (`Guides`), untried ones are candidates, too, with the value of the
  /// node plus their bias.
  void choose(Graph& graph, Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
              const Path& path, gdl::Rng& rng, std::span<std::uint32_t> places);

 private:
  void distribute(std::span<Edge> edges, const Node& node, gdl::RoleIndex role,
                  const SelectionPolicy& policy, std::span<std::uint32_t> places);

  bool find_biases(const Graph& graph, const Node& node, gdl::RoleIndex role,
                   const SelectionPolicy& policy, const Path& path);
  std::span<std::uint32_t> choose_guided(Graph& graph, Node& node, const SelectionPolicy& policy,
                                         const Path& path, gdl::Rng& rng,
                                         std::span<std::uint32_t> places);
  void find_scores(std::span<const Edge> edges, const UcbTerms& measure, bool first_ties,
                   gdl::Rng& rng);
  std::uint32_t open_next(Graph& graph, Node& node, const SelectionPolicy& policy, const Path& path,
                          gdl::Rng& rng);
  void choose_in_order(Graph& graph, Node& node, const SelectionPolicy& policy, const Turn& before,
                       gdl::Rng& rng, std::span<std::uint32_t> places);
  void put_in_order(Node& node, const SelectionPolicy& policy, const Turn& before, gdl::Rng& rng);

  std::vector<float> scores_;     // [place], padded with some that are never chosen
  std::vector<MoveBias> biases_;  // [place]; the last one may be that of all untried moves
  ProofBonus proof_bonus_;
};

}  // namespace ludens::search::mcts
