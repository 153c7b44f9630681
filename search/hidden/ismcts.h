// SPDX-License-Identifier: MIT
// Information set Monte Carlo tree search: Cowling, Powley and Whitehouse (2012).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `ismcts` in addition to the common ones.
inline constexpr OptionInfo kIsmctsOptions[] = {
    {"observers", "all",
     "whose knowledge distinguishes situations: that of each role that decides (all: MO-ISMCTS), "
     "or the others know the state (defence)",
     "all|defence"},
    {"gamma", "0.7", "weight of exploration in the UCB score", "0.0..100.0"},
    {"leaves", "0", "descents per pass; 0: a quarter of what the machine prefers", "0..4096"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

std::unique_ptr<Strategy> make_ismcts(const Options& options, const Resources& resources);

}  // namespace ludens::search
