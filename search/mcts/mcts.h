// SPDX-License-Identifier: MIT
// Monte Carlo tree search (UCT) for any game: Browne et al., "A Survey of Monte Carlo Tree Search
// Methods" (2012), with decoupled choice if roles move simultaneously.
#pragma once

#include <memory>

#include "search/mcts/policy_names.h"
#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `mcts` in addition to the common ones.
inline constexpr OptionInfo kMctsOptions[] = {
    {"gamma", "-1.0",
     "weight of exploration in the UCB score; below 0: 0.4 with one playout per leaf, 0.2 with "
     "more",
     "-1.0..100.0"},
    {"spread", "on", "multiply gamma by the spread of values, where a fair coin has 1", "on|off"},
    {"leaves", "0",
     "descents per pass; 0: a quarter of its playouts, at most 4096; all threads together have "
     "65,535 at most",
     "0..4096"},
    {"batch", "0", "playouts per pass, shared by its leaves; 0: what the machine prefers",
     "0..1048576"},
    {"steps", "1000", "a playout is cut after this many steps", "1..1000000"},
    {"bounds", "on", "keep score bounds: play what is proved, skip what is refuted", "on|off"},
    {"transpositions", "on", "one node for a position that is reached in several ways", "on|off"},
    {"simultaneous", "uct", "how a move is chosen if several roles move simultaneously",
     "uct|regret|exp3"},
    {"mixing", "0.1", "share of moves that regret and exp3 draw uniformly", "0.001..1.0"},
    {"mixed", "off", "draw the answer if roles move simultaneously and no move is safe", "on|off"},
    {"early", "off", "answer when no more iterations in the time left could change the choice",
     "on|off"},
    {"rate", "0", "most iterations per second, to play like a slower program; 0: any",
     "0.0..1000000000.0"},
    {"policy", "auto", "of playouts: make and prevent winning moves; auto: by a trial",
     mcts::kPolicyNames},
    {"evaluation", "off",
     "an evaluation learned from playouts of the match: instead of a leaf's playouts (leaf), the "
     "mean of both (mixed), or a new node begins with it (prior); values take its place",
     "off|prior|mixed|leaf"},
    {"values", "0.0",
     "share of values learned by self-play in what a descent brings; the rest comes from its "
     "playouts",
     "0.0..1.0"},
    {"reach", "0",
     "most moves of a role for which these values depend on what it could change by them; 0: they "
     "don't",
     "0..3"},
    {"prior", "4", "visits with which a new node begins if evaluation=prior", "1..100000"},
    {"mast", "0.0",
     "how much more often playouts make moves that won playouts before: e to the power of this "
     "times the difference from the role's mean, 0..1; 0: uniformly",
     "0.0..1000.0"},
    {"first", "any", "the order in which moves are first tried: any, or those that won most",
     "any|won"},
    {"widening", "0.0",
     "at a node visited n times, this many times the square root of n moves are tried; 0: all, "
     "before any is repeated",
     "0.0..1000.0"},
    {"grave", "0.0",
     "most visits that playouts in which a move was made later are worth (GRAVE); 0: none",
     "0.0..1000000.0"},
    {"reference", "50", "visits above which a node has its own statistics of this kind",
     "1..1000000"},
    {"nst", "-1.0",
     "how much the order in which moves are first tried depends on how they did as answers to the "
     "previous move (NST): a factor of their gain; 0: not at all; -1: 1 if playouts follow a "
     "policy and first=any",
     "-1.0..1000.0"},
    {"pn", "0.0", "weight of proof numbers in the UCB score (PN-MCTS); 0: they are not kept",
     "0.0..1000.0"},
    {"pn_bias", "rank",
     "what weighs: a move's rank by its number, for two adversaries in turn; or, for two roles and "
     "more without chance, its number's distance from the least (max) or share of the sum "
     "(GPN-MCTS)",
     "rank|max|sum"},
    {"memory", "0", "cap on the tree in MiB; 0: half of what the player has", "0..1048576"},
};

/// The strategy `mcts`. The options are those of `kMctsOptions` and the common ones; what the
/// resources point to must outlive it.
std::unique_ptr<Strategy> make_mcts(const Options& options, const Resources& resources);
/// A search with `playouts` uniform playouts per move, in one thread, for trials of policies.
/// `memory` (null: no limit) must outlive it.
std::unique_ptr<Strategy> make_uniform_search(std::uint64_t playouts, gdl::MemoryBudget* memory);

}  // namespace ludens::search
