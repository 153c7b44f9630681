// SPDX-License-Identifier: MIT
// What every strategy does before it thinks: publish a legal move.
#pragma once

#include <vector>

#include "search/strategy/strategy.h"

namespace ludens::search {

/// The middle of the scale: the value of a move about which nothing is known.
inline constexpr double kUnknownValue = 50;

/// All legal moves of the position's role, in their order; none if the machine was stopped before
/// it found them.
std::vector<gdl::MoveId> legal_moves(const Position& position, const Deadline& deadline);

/// Publishes the first legal move of the position's role, unless an earlier search of the position
/// has left a legal one in the incumbent, and returns all of them in their order. Returns nothing,
/// and publishes nothing, if the machine was stopped before it found them or the role has none.
std::vector<gdl::MoveId> publish_first(const Position& position, const Deadline& deadline,
                                       Incumbent& incumbent);

}  // namespace ludens::search
