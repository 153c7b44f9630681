// SPDX-License-Identifier: MIT
// The strategy puzzle, for one-player games without chance.
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
    {"factors", "on", "a game of independent parts is searched part by part", "on|off"},
    {"width", "0", "states of a layer that a beam keeps; 0: from narrow to wider and wider",
     "0..1000000000"},
    {"level", "3", "levels of nested policies", "1..8"},
    {"iterations", "100", "of each level of nested policies", "1..1000000000"},
    {"estimate", "auto",
     "moves that astar and ida expect; goal: by the goal that a state would have as the end; "
     "count: "
     "open conditions of the best goal; relaxed: steps until the goal could be reached if moves "
     "did "
     "not exclude each other; added: the same for each condition, added up; auto: the goal if it "
     "distinguishes states, otherwise count",
     "auto|goal|count|relaxed|added"},
    {"weight", "5", "of estimated moves relative to moves made, in astar and ida",
     "0.0..1000000.0"},
    {"nodes", "0", "cap on states per move; 0: none"},
};

/// Searches for the best play from the position on and follows it. While it is not known to be the
/// best, continues the search from the same position. Exact when a play gives 100, or when all
/// states were searched. It does not support games of several roles or with chance: there it
/// answers with the first legal move.
std::unique_ptr<Strategy> make_puzzle(const Options& options, const Resources& resources);

}  // namespace ludens::search
