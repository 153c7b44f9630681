// SPDX-License-Identifier: MIT
// HyperPlay-II: Schofield and Thielscher (2015).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `hyperplay` beside the common ones.
inline constexpr OptionInfo kHyperplayOptions[] = {
    {"nested", "32", "histories that a role of a playout believes in, at most", "1..100000"},
    {"tries", "4", "random playouts of each move in each of these", "1..100000"},
    {"width", "8", "moves that are tried so, at most: the best by random playouts", "1..1000000"},
    {"histories", "4096", "histories that the role may believe in, at most", "1..1000000"},
    {"steps", "200", "a playout is cut after so many steps", "1..1000000"},
};

/// Tries the most promising moves in histories that fit, and plays on to the end with all roles
/// choosing as players do who know only what they perceived: each move is the best on average over
/// the histories that this role, there, may believe in. So it knows the worth of information, and
/// pays for it.
std::unique_ptr<Strategy> make_hyperplay(const Options& options, const Resources& resources);

}  // namespace ludens::search
