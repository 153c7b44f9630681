// The strategies minimax, bounded, paranoid, expectimax and maxn.
#pragma once

#include <memory>

#include "search/tree/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kMinimaxOptions[] = {kIterativeOption, kNodesOption, kEvaluationOption,
                                                 kSamplesOption};

/// Plain minimax: looks at the whole tree.
std::unique_ptr<Strategy> make_minimax(const Options& options, const Resources& resources);

/// Minimax that stops at a node whose value can't get better for the role that decides: 100 (or
/// `threshold`) at a max node, 0 at a min node.
std::unique_ptr<Strategy> make_bounded(const Options& options, const Resources& resources);

/// Minimax for many roles that all play against the searching one (Sturtevant and Korf 2000), with
/// alpha-beta, which such a two-sided reading allows.
std::unique_ptr<Strategy> make_paranoid(const Options& options, const Resources& resources);

/// Expectiminimax: the role `random` counts with the mean of its moves, the others do their worst.
std::unique_ptr<Strategy> make_expectimax(const Options& options, const Resources& resources);

/// Every role looks after itself.
std::unique_ptr<Strategy> make_maxn(const Options& options, const Resources& resources);

}  // namespace ludens::search
