// SPDX-License-Identifier: MIT
// Play by the equilibrium of a small game in which two roles move at once.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kNashOptions[] = {
    {"nodes", "0", "cap on the states of the game, for repeatable matches; 0: none",
     "0..4000000000"},
};

/// Finds all states that can be reached, and by backward induction (`backward.h`) the mixture of
/// moves in each that guarantees most whatever the others do; draws its moves by it. In a game of
/// two whose goals have one sum, that is the equilibrium. If there is not enough time or memory, it
/// publishes the first legal move only, and tries again from the next position. For one thread.
std::unique_ptr<Strategy> make_nash(const Options& options, const Resources& resources);

}  // namespace ludens::search
