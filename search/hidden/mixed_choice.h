// SPDX-License-Identifier: MIT
// A move drawn by a mixed strategy, as strategies publish it.
#pragma once

#include <cstdint>
#include <span>

#include "search/strategy/incumbent.h"

namespace ludens::search::hidden {

/// One of the legal moves, drawn by `chances` ([move], they add up to 1) with a number in 0..1.
/// `values` ([move]) are expected goals; empty if they are not known. The visits of the root moves
/// are their shares of all iterations.
Choice mixed_choice(std::span<const gdl::MoveId> legal, std::span<const double> chances,
                    std::span<const double> values, std::uint64_t iterations, double share);

}  // namespace ludens::search::hidden
