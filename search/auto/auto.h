// SPDX-License-Identifier: MIT
// The strategy that analyses the game and chooses the search that suits it.
#pragma once

#include <memory>

#include "search/strategy/factory.h"

namespace ludens::search {

/// The options of `auto` in addition to the common ones.
inline constexpr OptionInfo kAutoOptions[] = {
    {"analysis", "10", "share of the first thinking time for the analysis of the game, in percent",
     "0..90"},
    {"bounded", "2", "share of the time for a search for a forced win, in percent", "0..90"},
    {"trial", "5",
     "share of the time for a trial of the full search that suits, and for one of finding all "
     "states, in percent",
     "0..90"},
    {"policy", "8",
     "share of the first thinking time for a trial of policies of playouts, in percent; if it is "
     "less than half a second, mcts has one of its own",
     "0..90"},
    {"learn", "40",
     "share of the first thinking time for learning values of states by self-play, in percent",
     "0..90"},
    {"more", "10", "the same for each later thinking time, if the search uses values", "0..90"},
    {"race", "35",
     "share of the first thinking time for matches of mcts against alphabeta, value, mcts with "
     "values and mcts with proof numbers, in percent; the best gets the rest of the time of each "
     "move",
     "0..90"},
    {"full", "60", "share of the time that these get if they are expected to finish, in percent",
     "0..90"},
    {"factors", "on", "a one-player game with independent parts is searched part by part",
     "on|off"},
};

/// `make`: the strategies that it chooses from.
std::unique_ptr<Strategy> make_auto(const Options& options, const Resources& resources,
                                    StrategyFactory make);

}  // namespace ludens::search
