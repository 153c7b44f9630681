// SPDX-License-Identifier: MIT
// How many processors a match can use.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/game/rulesheet.h"
#include "server/match/player_spec.h"

namespace ludens::server {

/// How many roles have a choice at the same time, as far as a few random playouts show: one if
/// roles take turns. At least one.
std::size_t thinking_roles(const Rulesheet& game, std::chrono::milliseconds limit);

/// Threads that a player computes with in this program; 0 for those that run elsewhere.
std::size_t player_threads(const PlayerSpec& player);

/// Processors that a match wants: those of the `thinking` players with most threads. `threads` has
/// those of each player of the plan, `players` the player of each role.
std::size_t match_threads(const std::vector<std::size_t>& threads,
                          const std::vector<std::optional<std::size_t>>& players,
                          std::size_t thinking);

}  // namespace ludens::server
