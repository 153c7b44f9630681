// SPDX-License-Identifier: MIT
// The strategy compulsive: one player, the whole game at each move.
#pragma once

#include <memory>

#include "search/minimax/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kCompulsiveOptions[] = {kNodesOption};

/// Compulsive deliberation (Genesereth and Thielscher, chapter 5): depth-first search through all
/// states that can be reached, each once, until `threshold` is found or nothing is left; repeated
/// at each move, where the play found before is continued unless there is a better one. Also exact
/// if states recur: what a state leads to does not depend on the path to it. Games of more than one
/// role are searched by bounded minimax, also to their end.
std::unique_ptr<Strategy> make_compulsive(const Options& options, const Resources& resources);

}  // namespace ludens::search
