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
    {"exploration", "0.6", "share of uniform draws if one is followed", "0.01..1.0"},
    {"traversals", "0",
     "per pass and player; 0: up to what the machine prefers, or 16 if all moves are followed",
     "0..65536"},
    {"steps", "200", "a game is cut after this many steps", "1..1000000"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

/// The options of `oos` in addition to the common ones.
inline constexpr OptionInfo kOosOptions[] = {
    {"targeting", "0.9", "share of traversals that begin with a history that fits", "0.0..0.99"},
    {"exploration", "0.4", "share of uniform draws of the player who learns", "0.01..1.0"},
    {"traversals", "0", "per pass and player; 0: up to what the machine prefers", "0..65536"},
    {"histories", "1024", "most histories with which traversals may begin", "1..1000000"},
    {"steps", "200", "a game is cut after this many steps", "1..1000000"},
    {"memory", "0", "cap on information sets in MiB; 0: half of what the player has", "0..1048576"},
};

/// Traverses the game from its initial state whenever it thinks (`playouts` is a cap on traversals
/// per player and move) and draws its moves by the mean strategy; at random in a situation that no
/// traversal reached.
std::unique_ptr<Strategy> make_mccfr(const Options& options, const Resources& resources);

/// Online outcome sampling (Lisy, Lanctot and Bowling 2015): the same with outcome sampling, but
/// most traversals begin after histories that fit what the role knows now.
std::unique_ptr<Strategy> make_oos(const Options& options, const Resources& resources);

}  // namespace ludens::search
