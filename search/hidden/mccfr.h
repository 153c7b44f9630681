// SPDX-License-Identifier: MIT
// Play by Monte Carlo counterfactual regret minimization: Lanctot and others (2009).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `mccfr` in addition to the common ones.
inline constexpr OptionInfo kMccfrOptions[] = {
    {"sampling", "outcome",
     "which moves of the player who learns are followed: all (external) or one (outcome)",
     "external|outcome"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

/// Traverses the game from its initial state whenever it thinks (`playouts` is a cap on traversals
/// per player and move) and draws its moves by the mean strategy; at random in a situation that no
/// traversal reached.
std::unique_ptr<Strategy> make_mccfr(const Options& options, const Resources& resources);

}  // namespace ludens::search
