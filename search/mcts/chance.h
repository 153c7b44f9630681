// SPDX-License-Identifier: MIT
// Moves drawn by chance, and what a position is worth whose outcome is drawn.
#pragma once

#include <optional>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// The place of any move with equal chance, which has an edge then; one of those tried if there is
/// no memory for another, and `Graph::kNoPlace` where none was. The node is held.
std::uint32_t draw_evenly(Graph& graph, Node& node, gdl::RoleIndex role, gdl::Rng& rng);

/// What a node that has visits is worth to a role, scaled to 0..1: the mean of its visits. Where
/// only `random` has a choice, once all outcomes have been seen: the mean of theirs, each with the
/// chance that it has by the rules and not with the share of visits that happened to go there, of
/// which nodes reached in other ways have their own. The node is held.
float value_of(Graph& graph, const Node& node, gdl::RoleIndex role,
               std::optional<gdl::RoleIndex> random);

}  // namespace ludens::search::mcts
