// SPDX-License-Identifier: MIT
// Perfect play of a game with few states.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kRetrogradeOptions[] = {
    {"nodes", "0", "cap on the states of the game, for repeatable matches; 0: none",
     "0..4000000000"},
    {"trial", "100",
     "percent of the time after which it gives up if the end of the states is not in sight",
     "0..100"},
};

/// Finds all states that can be reached, once for the match, and what the role can force in each if
/// the others see its moves and do their worst (`backward.h`). The role `random` counts with its
/// mean. If there is not enough time or memory, it publishes the first legal move only, and tries
/// again from the next position. For one thread.
std::unique_ptr<Strategy> make_retrograde(const Options& options, const Resources& resources);

}  // namespace ludens::search
