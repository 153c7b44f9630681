// SPDX-License-Identifier: MIT
// Score bounds: what is proved about a position, whatever the playouts say.
#pragma once

#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// Takes the bounds of a node, and of its edges, from its children; true if a bound of the node
/// changed. After Cazenave and Saffidine, "Score Bounded Monte-Carlo Tree Search" (2010), for each
/// role separately and pessimistically: a role's `low` is what it can force, its `high` what the
/// others can limit it to if all of them cooperate. Both are sound for the minimax value of a
/// general game.
///
/// * One role has a choice: it takes the best of its own bounds; the others get their worst.
/// * Only `random` has a choice: the mean, rounded outwards.
/// * Several have a choice simultaneously: a move is worth at least its worst outcome and at most
///   its best. (That others could limit a role to less by choosing first is not used, so that the
///   bounds also hold when mixed moves are better.)
///
/// A child that does not exist yet is worth 0 to 100. `changed` is the joint move whose child has
/// new bounds.
bool update_bounds(Graph& graph, NodeId id, JointCode changed, const SelectionPolicy& policy);

/// Takes the bounds from all children. A child that has several parents tells only the one on the
/// path of the descent that proved something; the others ask again from time to time.
bool refresh_bounds(Graph& graph, NodeId id, const SelectionPolicy& policy);

/// Whether a node may have bounds that its parents want to know.
[[nodiscard]] bool has_bounds(const Node& node);

/// What the edges of a role that has a choice show of its bounds. More may be known about a node
/// that was pruned and made again. The node must be held.
Bounds shown_bounds(const Graph& graph, const Node& node, gdl::RoleIndex role);

}  // namespace ludens::search::mcts
