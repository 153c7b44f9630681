// SPDX-License-Identifier: MIT
// First moves that are drawn at random, so that matches of the same players differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/game/position.h"

namespace ludens::server {

/// Joint moves from the initial state, uniformly random for each role; the same for the same seed.
/// The game is not over after any of them. Several sequences are tried; empty if all ended too
/// early, or if the rules can't be followed within the position's limits. The final position is
/// unspecified.
std::vector<std::vector<gdl::MoveId>> draw_opening(Position& position, std::size_t steps,
                                                   std::uint64_t seed);

/// Joint moves of an earlier match, by name; empty if some are not legal, or if the rules can't be
/// followed within the position's limits. The final position is unspecified.
std::vector<std::vector<gdl::MoveId>> repeat_opening(
    Position& position, const std::vector<std::vector<std::string>>& moves);

}  // namespace ludens::server
