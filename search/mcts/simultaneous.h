// SPDX-License-Identifier: MIT
// Choosing where several roles have a choice at once, by rules that find mixed strategies: the best
// choice may be one by chance, and UCB, which does not draw, is no sure way to it.
//
// Regret matching (Hart and Mas-Colell 2000; in trees Lanctot, Lisy and Winands 2013), with regrets
// kept above 0 (Tammelin 2014): what another move would have brought against the others' moves, by
// the mean of the child it leads to, beyond what this one did. Moves are drawn in proportion.
//
// Exp3 (Auer et al. 2002): a move is drawn in proportion to the exponential of what it brought when
// it was drawn, each time divided by the chance that it was.
//
// Both draw `mixing` of their moves evenly, and both approach equilibrium on average, over all
// visits: `mix` is that average.
#pragma once

#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// The place of the move that `role` draws by the policy's rule, which has an edge then; or a move
/// that is proved to be worth 100. `Graph::kNoPlace` if there is no memory. The node is held.
std::uint32_t draw_move(Graph& graph, Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy, gdl::Rng& rng);

/// A descent that made the joint move `code` brings `value` to the role. The node is held.
void learn(Graph& graph, Node& node, gdl::RoleIndex role, JointCode code, double value,
           const SelectionPolicy& policy);

/// The chances by which `role` should draw its moves, place by place of those tried: its visits
/// without what was drawn evenly.
std::vector<double> mix(const Graph& graph, const Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy);

/// Whether the move at a place is worth the role's share of the node, up to `margin` (of 1),
/// however the others answer: no chance is needed then. By the means of children visited often
/// enough to tell.
bool is_safe(const Graph& graph, const Node& node, gdl::RoleIndex role, std::uint32_t place,
             double margin);

}  // namespace ludens::search::mcts
