// SPDX-License-Identifier: MIT
// What depth-first searches record: lines of play, and nodes of a trace.
#pragma once

#include <span>
#include <vector>

#include "search/strategy/trace.h"
#include "search/tree/depth_first.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// To be called back at a node from one below it, from which play continues with `below`: writes
/// the joint moves of the play from this state on. It is cut after 64 joint moves, so that the
/// lines on a long stack stay small.
void write_line(const GameTree& tree, std::span<const gdl::MoveId> below,
                std::vector<gdl::MoveId>& line);

/// A trace node for the tree's current node, entered by `move`. For branches the tree must be open.
TraceNode trace_node(const GameTree& tree, TraceNode::Kind kind, gdl::MoveId move, double alpha,
                     double beta);

/// The kind of a leaf in a trace.
TraceNode::Kind leaf_kind(Arrival arrival);

}  // namespace ludens::search
