// SPDX-License-Identifier: MIT
// Random moves, and the value of a position with a random outcome.
#pragma once

#include <optional>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// The place of a uniformly random move, which then has an edge; one of those tried if there is no
/// memory for another, and `Graph::kNoPlace` if none was tried. The node must be held.
std::uint32_t draw_evenly(Graph& graph, Node& node, gdl::RoleIndex role, gdl::Rng& rng);

/// The value of a visited node for a role, scaled to 0..1: the mean of its visits. If only `random`
/// has a choice and all outcomes have been seen, the mean of the outcomes' values. Each outcome
/// then has its probability by the rules, not the share of visits that happened to go there; nodes
/// that are reached on other paths have other visits, too. The node must be held.
float value_of(Graph& graph, const Node& node, gdl::RoleIndex role,
               std::optional<gdl::RoleIndex> random);

}  // namespace ludens::search::mcts
