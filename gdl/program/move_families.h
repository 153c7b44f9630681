// SPDX-License-Identifier: MIT
// Finds moves whose conditions have a part in common, for example the moves of one piece to one
// square that shoot at different squares (amazons).
#pragma once

#include <array>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Two plain edges that both hold where a move is legal, and only there. The first is common to its
/// family; the second may be kTrueEdge. Both are kFalse for a move without a family.
using MoveParts = std::array<Edge, 2>;

/// [move]: the parts of the conditions of moves without a node, where that pays. Adds gates for
/// them to the network. If stopped, the result means nothing.
std::vector<MoveParts> find_families(Network& network, StopPoll& poll);

}  // namespace ludens::gdl
