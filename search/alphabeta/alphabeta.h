// The strategy alphabeta.
#pragma once

#include <memory>

#include "search/tree/tree_strategy.h"

namespace ludens::search {

inline constexpr OptionInfo kAlphaBetaOptions[] = {
    kIterativeOption,
    {"table", "on", "a transposition table, kept from move to move", "on|off"},
    {"table_mb", "128", "its size at most; a quarter of the memory granted, if that is less",
     "1..1000000"},
    {"order", "on", "search the moves first that look best", "on|off"},
    {"bounds", "on", "a proved 100 (threshold) or 0 is enough", "on|off"},
    {"quiescence", "on", "look further where the evaluation jumps (not with playouts)", "on|off"},
    {"swing", "15", "what counts as a jump, in goal points", "1..100"},
    {"chance", "mean", "the role random counts with its mean, or does its worst", "mean|worst"},
    kEvaluationOption,
    kSamplesOption,
    kNodesOption,
};

std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources);

}  // namespace ludens::search
