// SPDX-License-Identifier: MIT
// Perfect-information Monte Carlo: Levy (1989), Ginsberg (2001).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `pimc` in addition to the common ones.
inline constexpr OptionInfo kPimcOptions[] = {
    {"worlds", "32", "histories drawn for a move, each searched as if it were known", "1..1000000"},
};

/// Searches each of several fitting histories with `mcts`, as if everything were known from there
/// on, with equal time for each, and plays the move that is best on average. It never plays to
/// learn or to hide something.
std::unique_ptr<Strategy> make_pimc(const Options& options, const Resources& resources);

}  // namespace ludens::search
