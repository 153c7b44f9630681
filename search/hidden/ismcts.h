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
     "whose knowledge distinguishes situations: that of each role that decides (all: MO-ISMCTS) or "
     "of the role that searches (one: SO-ISMCTS); or the others know the state (defence)",
     "one|all|defence"},
    {"selection", "uct", "how moves are chosen: the largest UCB score, or at random (Exp3)",
     "uct|exp3"},
    {"gamma", "0.7", "weight of exploration in the UCB score", "0.0..100.0"},
    {"mixing", "0.1", "share of moves that exp3 draws uniformly", "0.001..1.0"},
    {"mixed", "off", "draw the answer by the shares of visits", "on|off"},
    {"inference", "0",
     "how far weights of histories assume that the other roles moved as the search expected (0: "
     "uniformly)",
     "0.0..0.99"},
    {"leaves", "0", "descents per pass; 0: a quarter of what the machine prefers", "0..4096"},
    {"histories", "4096", "most histories in the belief of the role", "1..1000000"},
    {"steps", "1000", "a playout is cut after this many steps", "1..1000000"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

std::unique_ptr<Strategy> make_ismcts(const Options& options, const Resources& resources);

}  // namespace ludens::search
