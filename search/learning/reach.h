// SPDX-License-Identifier: MIT
// Machines whose states say what roles can reach, for values that depend on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gdl/reach/reach_machine.h"
#include "search/strategy/stopping.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// Finds the places of the game in random games, always the same ones: the groups of fluents of
/// which one holds at most (see `find_variables`). `most_moves`: how many moves of a role are
/// looked ahead, at least 1. Takes a tenth of a second, several with many moves. A sentence if the
/// game can't have such a machine, or if the deadline came first.
gdl::Result<std::shared_ptr<const gdl::ReachMachine>> with_reach(
    const std::shared_ptr<const gdl::Machine>& machine, std::uint32_t most_moves,
    gdl::MemoryBudget* memory, const Deadline& deadline);

/// The position on such a machine of its game; nullopt if stopped or out of memory.
std::optional<Position> position_on(const std::shared_ptr<const gdl::ReachMachine>& machine,
                                    const Position& position, const gdl::Limits& limits);

}  // namespace ludens::search
