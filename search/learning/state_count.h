// SPDX-License-Identifier: MIT
// How many states a game can have, from its variables.
#pragma once

#include <cstdint>

#include "gdl/machine/machine.h"
#include "search/strategy/stopping.h"

namespace ludens::search {

/// The product of the numbers of values of all variables, times that of the states of what depends
/// on ply and mover only, as seen in random games. Most games have far fewer states, because not
/// all combinations can be reached. Infinite if the machine has no network, and if there was no
/// time or memory. `memory`: null for no limit.
double most_states(const gdl::Machine& machine, const Deadline& deadline, gdl::MemoryBudget* memory,
                   std::uint64_t seed);

}  // namespace ludens::search
