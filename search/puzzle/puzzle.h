// SPDX-License-Identifier: MIT
// The strategy puzzle: games for one, without chance.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kPuzzleOptions[] = {
    {"search", "auto",
     "breadth: all states by layers; beam: the best of each layer; astar, ida: by estimated moves "
     "to the goal; nested: rollout policies that adapt; parts: independent parts one by one, then "
     "together; auto: all of them, in turns",
     "auto|breadth|beam|astar|ida|nested|parts"},
    {"factors", "on", "a game of independent parts is searched by part", "on|off"},
    {"width", "0", "states of a layer that a beam keeps; 0: from narrow to ever wider", "0.."},
    {"level", "3", "levels of nested policies", "1..8"},
    {"iterations", "100", "of each level of nested policies", "1.."},
    {"estimate", "auto",
     "moves that astar and ida expect; goal: by the goal that a state would have as the end; "
     "count: "
     "conditions of the best goal that are open; relaxed: steps until the goal could be if moves "
     "did "
     "not exclude each other; added: the same for each condition, added up; auto: the goal where "
     "it "
     "tells states apart, else count",
     "auto|goal|count|relaxed|added"},
    {"weight", "5", "of estimated moves against moves made, in astar and ida", "0.0.."},
    {"nodes", "0", "cap on states a move; 0: none"},
};

/// Looks for the best play from the position on, follows it, and while it is not known to be the
/// best, goes on looking: from the same position where it left off. Exact when a play brings 100,
/// or when all states were looked at. Games of more roles, or with chance, are not for it: there it
/// answers with the first legal move.
std::unique_ptr<Strategy> make_puzzle(const Options& options, const Resources& resources);

}  // namespace ludens::search
