// SPDX-License-Identifier: MIT
// The strategy alphabeta.
#pragma once

#include <memory>

#include "search/minimax/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kAlphaBetaOptions[] = {
    kIterativeOption,
    {"table", "on", "a transposition table, kept from move to move", "on|off"},
    {"table_mb", "128", "its maximum size; a quarter of the memory, if that is less", "1..1000000"},
    {"order", "on",
     "search the most promising moves first; otherwise pvs, aspiration, killers, history "
     "and reductions are off, too",
     "on|off"},
    {"bounds", "on", "a proved 100 (threshold) or 0 is enough", "on|off"},
    {"quiescence", "off", "search further where the evaluation jumps (not with playouts)",
     "on|off"},
    {"swing", "15", "what counts as a jump, in goal points", "1..100"},
    {"pvs", "on", "moves after the first are tried with a window of zero width", "on|off"},
    {"aspiration", "20", "the first window: this far around the value of the previous step; 0: all",
     "0..100"},
    {"killers", "on", "moves that cut at the same depth come early", "on|off"},
    {"history", "on", "moves that cut often come early", "on|off"},
    {"reductions", "off", "late moves are first searched one ply less deeply", "on|off"},
    {"rank", "2", "plies left from which children are examined to order them", "2..10000"},
    {"batch", "auto",
     "the leaves of a node in one call, if the machine prefers that; auto: if they "
     "are evaluated by playouts",
     "auto|on|off"},
    {"chance", "mean", "the role random counts with its mean, or does its worst", "mean|worst"},
    kEvaluationOption,
    kSamplesOption,
    kNodesOption,
};

/// The strategy `alphabeta`. The options are those of `kAlphaBetaOptions` and the common ones; what
/// the resources point to must outlive it.
std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources);

}  // namespace ludens::search
