// SPDX-License-Identifier: MIT
// What every strategy does before it thinks: have a legal move.
#pragma once

#include <vector>

#include "search/strategy/strategy.h"

namespace ludens::search {

/// The middle of the scale: what a move is worth of which nothing is known.
inline constexpr double kUnknownValue = 50;

/// Publishes the first legal move of the position's role, and gives back all of them in their
/// order. Empty, and nothing published, where the machine was stopped before it could say or the
/// role has none.
std::vector<gdl::MoveId> publish_first(const Position& position, const Deadline& deadline,
                                       Incumbent& incumbent);

}  // namespace ludens::search
