// SPDX-License-Identifier: MIT
// The depth-first strategies by name: minimax, bounded, paranoid, expectimax, alphabeta, maxn and
// exhaustive. All but the last two are settings of one search.
#pragma once

#include <memory>

#include "search/minimax/minimax_search.h"
#include "search/minimax/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kMinimaxOptions[] = {kIterativeOption, kNodesOption, kEvaluationOption};

inline constexpr OptionInfo kMaxnOptions[] = {
    kIterativeOption,
    kNodesOption,
    kEvaluationOption,
    {"sum", "0", "the goals of all roles never add up to more than this; 0: not known",
     "0..10000"}};

inline constexpr OptionInfo kAlphaBetaOptions[] = {
    kIterativeOption,
    {"table", "on", "a transposition table, kept from move to move", "on|off"},
    {"order", "on", "search the most promising moves first, and the others with a narrow window",
     "on|off"},
    {"bounds", "on", "a proved 100 (threshold) or 0 is enough", "on|off"},
    {"quiescence", "off", "search further where the evaluation jumps (not with playouts)",
     "on|off"},
    kEvaluationOption,
    kNodesOption,
};

inline constexpr OptionInfo kExhaustiveOptions[] = {kNodesOption};

/// Plain minimax: searches the whole tree.
MinimaxRules minimax_rules();
/// Minimax that stops at a node whose value can't improve for the role that decides: 100 (or
/// `threshold`) at a max node, 0 at a min node.
MinimaxRules bounded_rules(int threshold);
/// Minimax for many roles that all play against the searching one (Sturtevant and Korf 2000), with
/// alpha-beta, which this two-sided view allows.
MinimaxRules paranoid_rules();
/// Expectiminimax: the role `random` counts with the mean of its moves, the others do their worst;
/// with alpha-beta, and Star1 at chance nodes.
MinimaxRules expectimax_rules();
/// Alpha-beta with ordering, bounds and narrow windows.
MinimaxRules alphabeta_rules(int threshold);

/// A strategy of these rules. `table`: with a transposition table, kept from move to move. What the
/// resources point to must outlive it, here and below.
std::unique_ptr<Strategy> make_two_sided(std::string_view name, const MinimaxRules& rules,
                                         bool table, const TreeSettings& settings,
                                         const Resources& resources);
/// Max^n: every role maximises its own goal.
std::unique_ptr<Strategy> make_maxn(bool prune, double sum, const TreeSettings& settings,
                                    const Resources& resources);

/// By the options in the tables above, and the common ones.
std::unique_ptr<Strategy> make_minimax(const Options& options, const Resources& resources);
std::unique_ptr<Strategy> make_bounded(const Options& options, const Resources& resources);
std::unique_ptr<Strategy> make_paranoid(const Options& options, const Resources& resources);
std::unique_ptr<Strategy> make_expectimax(const Options& options, const Resources& resources);
std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources);
std::unique_ptr<Strategy> make_maxn(const Options& options, const Resources& resources);

/// Exhaustive search, which Genesereth and Thielscher call compulsive deliberation (chapter 5):
/// depth-first through all states that can be reached, each once, until `threshold` is found or
/// nothing is left; repeated at each move, where the play found before is continued unless there is
/// a better one. Also exact if states recur: what a state leads to does not depend on the path to
/// it. Games of more than one role are searched by bounded minimax, also to their end.
std::unique_ptr<Strategy> make_exhaustive(const Options& options, const Resources& resources);

}  // namespace ludens::search
