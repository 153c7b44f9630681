// What a position is worth whose outcome is drawn.
#pragma once

#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// What a node that has visits is worth to a role, scaled to 0..1: the mean of its visits. Where
/// only `random` has a choice, once all outcomes have been seen: the mean of theirs, each with the
/// chance that it has by the rules and not with the share of visits that happened to go there, of
/// which nodes reached in other ways have their own. The node is held.
float value_of(Graph& graph, const Node& node, gdl::RoleIndex role,
               std::optional<gdl::RoleIndex> random);

}  // namespace ludens::search::mcts
