// SPDX-License-Identifier: MIT
// Games in which the roles take turns: which role is in control, and what the network simplifies to
// then.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Fluents, by index, and their values wherever one role is in control. Nothing is claimed about
/// the states that a game reaches: the user of a turn must test whether it applies.
using Turn = std::vector<std::pair<std::uint32_t, bool>>;

/// For each role that has more than one move, one turn, or a few if its turn has phases (a piece is
/// placed, then something is rotated): its fluent holds and those of all other turns don't. Without
/// any of its fluents a role has at most one move, whatever else holds. Empty if there are no such
/// fluents, or if stopped.
std::vector<Turn> find_turns(const Network& network, const StopSignal* stop = nullptr);

/// The network restricted to a turn: all fluents are still inputs and outputs, but what depends on
/// those of the turn is simplified. Moves that are then never legal, or that a role has to make,
/// are no longer inputs. nullopt if a role has no move at all, or if stopped.
std::optional<Network> in_turn(const Network& network, const Turn& turn,
                               const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
