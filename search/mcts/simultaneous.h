// SPDX-License-Identifier: MIT
// Chooses moves when several roles have a choice simultaneously, by rules that find mixed
// strategies: the best choice may be random, and UCB, which does not draw, does not find it
// reliably.
//
// Regret matching (Hart and Mas-Colell 2000; in trees Lanctot, Lisy and Winands 2013), with regrets
// kept above 0 (Tammelin 2014): how much more another move would have brought against the others'
// moves, by the mean of the child that it leads to. Moves are drawn in proportion.
//
// Exp3 (Auer et al. 2002): a move is drawn in proportion to the exponential of the sum of its
// results, each divided by the probability with which the move was drawn.
//
// Both draw a share `mixing` of their moves uniformly, and both approach equilibrium on average,
// over all visits: `mix` is that average.
#pragma once

#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// The place of the move that `role` draws by the policy's rule, which then has an edge; or of a
/// move that is proved to be worth 100. `Graph::kNoPlace` if there is no memory. The node must be
/// held.
std::uint32_t draw_move(Graph& graph, Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy, gdl::Rng& rng);

/// The probability with which Exp3 draws the move at a place, which has an edge. The node must be
/// held.
double chance_of(const Graph& graph, const Node& node, gdl::RoleIndex role, std::uint32_t place,
                 const SelectionPolicy& policy);

/// The results, for one role, of the descents that chose the same joint move at a node.
struct Results {
  JointCode code;
  std::uint32_t count;
  double sum;     // of their values, scaled to 0..1
  double chance;  // of the role's move when it was drawn
};

/// Learns from descents by the policy's rule. The node must be held.
void learn(Graph& graph, Node& node, gdl::RoleIndex role, const Results& results,
           const SelectionPolicy& policy);

/// The probabilities with which `role` should draw its moves, for the places of tried moves: its
/// visits without those drawn uniformly.
std::vector<double> mix(const Graph& graph, const Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy);

/// Whether the move at a place is worth the role's value of the node, up to `margin` (on a scale of
/// 1), whatever the others do: then no random choice is needed. Uses the means of children that
/// were visited often enough.
bool is_safe(const Graph& graph, const Node& node, gdl::RoleIndex role, std::uint32_t place,
             double margin);

}  // namespace ludens::search::mcts
