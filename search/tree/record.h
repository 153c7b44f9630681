// SPDX-License-Identifier: MIT
// What depth-first searches write down as they go: lines of play, and nodes of a trace.
#pragma once

#include <span>
#include <vector>

#include "search/strategy/trace.h"
#include "search/tree/depth_first.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// Back at a node from one below it, from which play goes on with `below`: the joint moves of the
/// play from this state on. Cut after 64 joint moves, so that the lines on a long stack stay small.
void write_line(const GameTree& tree, std::span<const gdl::MoveId> below,
                std::vector<gdl::MoveId>& line);

/// The node at which the tree stands, entered by `move`. For branches the tree must be open.
TraceNode trace_node(const GameTree& tree, TraceNode::Kind kind, gdl::MoveId move, double alpha,
                     double beta);

/// What a leaf is called in a trace.
TraceNode::Kind leaf_kind(Arrival arrival);

}  // namespace ludens::search
