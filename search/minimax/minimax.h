// SPDX-License-Identifier: MIT
// The strategies minimax, bounded, paranoid, expectimax and maxn.
#pragma once

#include <memory>

#include "search/minimax/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kMinimaxOptions[] = {
    kIterativeOption,
    kNodesOption,
    kEvaluationOption,
    kSamplesOption,
    {"moves", "all",
     "keeps those of all open nodes, or only those of one, which are computed again", "all|one"}};

inline constexpr OptionInfo kExpectimaxOptions[] = {
    kIterativeOption,
    kNodesOption,
    kEvaluationOption,
    kSamplesOption,
    {"star", "1",
     "outcomes of chance are searched as far as they can matter (1), and one move "
     "below each first (2), or all of them (off, without alpha-beta)",
     "off|1|2"}};

inline constexpr OptionInfo kMaxnOptions[] = {
    kIterativeOption,
    kNodesOption,
    kEvaluationOption,
    kSamplesOption,
    {"prune", "on", "skip what no role can prefer", "on|off"},
    {"sum", "0", "the goals of all roles never add up to more than this; 0: not known",
     "0..10000"}};

/// Plain minimax: searches the whole tree.
std::unique_ptr<Strategy> make_minimax(const Options& options, const Resources& resources);

/// Minimax that stops at a node whose value can't improve for the role that decides: 100 (or
/// `threshold`) at a max node, 0 at a min node.
std::unique_ptr<Strategy> make_bounded(const Options& options, const Resources& resources);

/// Minimax for many roles that all play against the searching one (Sturtevant and Korf 2000), with
/// alpha-beta, which this two-sided view allows.
std::unique_ptr<Strategy> make_paranoid(const Options& options, const Resources& resources);

/// Expectiminimax: the role `random` counts with the mean of its moves, the others do their worst;
/// with alpha-beta, and Star1 or Star2 at chance nodes.
std::unique_ptr<Strategy> make_expectimax(const Options& options, const Resources& resources);

/// Max^n: every role maximises its own goal.
std::unique_ptr<Strategy> make_maxn(const Options& options, const Resources& resources);

}  // namespace ludens::search
