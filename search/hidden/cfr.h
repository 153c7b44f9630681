// SPDX-License-Identifier: MIT
// Play by the equilibrium that CFR+ finds: Tammelin (2014).
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The options of `cfr` in addition to the common ones.
inline constexpr OptionInfo kCfrOptions[] = {
    {"nodes", "0", "cap on histories; 0: as many as there is memory for"},
};

/// Follows all histories of the game in the first three fifths of its first thinking time, improves
/// a strategy for all information sets by CFR+ whenever it thinks (`playouts` is a cap on
/// iterations), and draws its moves by the mean strategy. If a game is too large for its time or
/// its memory, it plays at random.
std::unique_ptr<Strategy> make_cfr(const Options& options, const Resources& resources);

}  // namespace ludens::search
