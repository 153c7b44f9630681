// SPDX-License-Identifier: MIT
// Play by Monte Carlo counterfactual regret minimization: Lanctot and others (2009).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `mccfr` beside the common ones.
inline constexpr OptionInfo kMccfrOptions[] = {
    {"sampling", "outcome",
     "of the moves of the player who learns: all are followed (external) or one (outcome)",
     "external|outcome"},
    {"exploration", "0.6", "share of even draws where one is followed", "0.01..1.0"},
    {"traversals", "0",
     "a pass, for each player; 0: up to what the machine likes best, or 16 where all are followed",
     "0..65536"},
    {"steps", "200", "a game is cut after so many steps", "1..1000000"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

/// The options of `oos` beside the common ones.
inline constexpr OptionInfo kOosOptions[] = {
    {"targeting", "0.9", "share of traversals that begin with a history that fits", "0.0..0.99"},
    {"exploration", "0.4", "share of even draws of the player who learns", "0.01..1.0"},
    {"traversals", "0", "a pass, for each player; 0: up to what the machine likes best",
     "0..65536"},
    {"histories", "1024", "histories that traversals may begin with, at most", "1..1000000"},
    {"steps", "200", "a game is cut after so many steps", "1..1000000"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

/// Traverses the game from its initial state in all of its time (`playouts` is a cap on traversals
/// of each player a move) and draws its moves by the mean strategy; by chance in a situation that
/// no traversal met.
std::unique_ptr<Strategy> make_mccfr(const Options& options, const Resources& resources);

/// Online outcome sampling (Lisy, Lanctot and Bowling 2015): the same with outcome sampling, where
/// most traversals begin behind histories that fit what the role knows now.
std::unique_ptr<Strategy> make_oos(const Options& options, const Resources& resources);

}  // namespace ludens::search
