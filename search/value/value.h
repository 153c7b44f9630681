// SPDX-License-Identifier: MIT
// The strategy value: best-first search on a learned value of states, without playouts.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"
#include "search/value/evaluator.h"

namespace ludens::search {

inline constexpr OptionInfo kValueOptions[] = {
    {"learn", "80",
     "percent of the first thinking time of a match in which it learns by playing itself",
     "0..100"},
    {"more", "10",
     "the same for each later thinking time; more if that is longer than all learning before",
     "0..100"},
    {"games", "0",
     "games that it learns from instead, for repeatable matches; 0: by the clock, or 500 where "
     "states or playouts are capped"},
    {"nodes", "0", "cap on states evaluated per move, for repeatable matches; 0: none"},
    {"exploration", "0.3", "weight of the priors in the choice of a descent (PUCT)", "0.0..100.0"},
    {"minimax", "0.5", "share of minimax in the value of a move; the rest is the mean of descents",
     "0.0..1.0"},
    {"leaves", "16", "positions whose moves are all made in one call of the machine", "1..1024"},
    {"transpositions", "on", "one node for a position that is reached in several ways", "on|off"},
    {"reach", "0",
     "most moves of a role for which values depend on what it could change by them; 0: they don't",
     "0..3"},
    {"memory", "0", "cap on the tree in MiB; 0: half of what the player has", "0..1048576"},
};

/// The strategy `value`. The options are those of `kValueOptions` and the common ones; what the
/// resources point to must outlive it.
std::unique_ptr<Strategy> make_value(const Options& options, const Resources& resources);
/// The same search with the values of an evaluator, for batches of `leaves` states; nothing is
/// learned. `nodes` counts the evaluated states.
std::unique_ptr<Strategy> make_evaluated_value(const Options& options, const Resources& resources,
                                               std::shared_ptr<Evaluator> evaluator);

}  // namespace ludens::search
