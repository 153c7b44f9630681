// SPDX-License-Identifier: MIT
// The strategy alphabeta.
#pragma once

#include <memory>

#include "search/minimax/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kAlphaBetaOptions[] = {
    kIterativeOption,
    {"table", "on", "a transposition table, kept from move to move", "on|off"},
    {"table_mb", "128", "its size at most; a quarter of the memory granted, if that is less",
     "1..1000000"},
    {"order", "on",
     "search the moves first that look best; else pvs, aspiration, killers, history "
     "and reductions are off, too",
     "on|off"},
    {"bounds", "on", "a proved 100 (threshold) or 0 is enough", "on|off"},
    {"quiescence", "off", "look further where the evaluation jumps (not with playouts)", "on|off"},
    {"swing", "15", "what counts as a jump, in goal points", "1..100"},
    {"pvs", "on", "moves after the first are tried with a window of no width", "on|off"},
    {"aspiration", "20", "the first window: so far about the value of the step before; 0: all",
     "0..100"},
    {"killers", "on", "moves that cut at the same depth come early", "on|off"},
    {"history", "on", "moves that cut often come early", "on|off"},
    {"reductions", "off", "late moves are tried one ply less deep", "on|off"},
    {"rank", "2", "plies left from which children are looked at to order them", "2..10000"},
    {"batch", "auto",
     "the leaves of a node in one call, where the machine prefers that; auto: if they "
     "are evaluated by playouts",
     "auto|on|off"},
    {"chance", "mean", "the role random counts with its mean, or does its worst", "mean|worst"},
    kEvaluationOption,
    kSamplesOption,
    kNodesOption,
};

std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources);

}  // namespace ludens::search
