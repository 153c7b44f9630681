// SPDX-License-Identifier: MIT
// The strategy puzzle, for one-player games without chance.
#pragma once

#include <memory>

#include "search/puzzle/portfolio.h"
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
    {"nodes", "0", "cap on states per move; 0: none"},
};

struct PuzzleSettings {
  puzzle::PortfolioSettings portfolio;
  std::size_t most_moves = puzzle::SearchProblem::kAnyNumber;  // of a play that is looked at
  int enough = 100;                                            // a goal that is as good as the best
  Ties ties = Ties::Random;
  gdl::Rng rng{1};
};

/// Searches for the best play from the position on and follows it. While it is not known to be the
/// best, continues the search from the same position. Exact when a play gives 100, or when all
/// states were searched. It does not support games of several roles or with chance: there it
/// answers with the first legal move.
std::unique_ptr<Strategy> make_puzzle(const PuzzleSettings& settings, const Resources& resources);
/// The same with the options of `kPuzzleOptions` and the common ones.
std::unique_ptr<Strategy> make_puzzle(const Options& options, const Resources& resources);

}  // namespace ludens::search
