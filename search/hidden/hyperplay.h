// SPDX-License-Identifier: MIT
// HyperPlay-II: Schofield and Thielscher (2015).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `hyperplay` in addition to the common ones.
inline constexpr OptionInfo kHyperplayOptions[] = {
    {"nested", "32", "most histories in the belief of a role in a playout", "1..100000"},
    {"tries", "4", "random playouts of each move in each of these", "1..100000"},
    {"width", "8", "most moves that are tried in this way: the best by random playouts",
     "1..1000000"},
    {"histories", "4096", "most histories in the belief of the role", "1..1000000"},
    {"steps", "200", "a playout is cut after this many steps", "1..1000000"},
};

/// Tries the most promising moves in histories that fit, and plays on to the end with all roles
/// choosing like players who know only what they perceived: each move is the best on average over
/// the histories that the role considers possible at that point. So it values information, and pays
/// for it.
std::unique_ptr<Strategy> make_hyperplay(const Options& options, const Resources& resources);

}  // namespace ludens::search
