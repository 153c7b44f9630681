// SPDX-License-Identifier: MIT
// The two strategies that do not search, for comparisons, to fill seats, and as the last resort.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// Always chooses the first legal move.
std::unique_ptr<Strategy> make_legal(const Options& options, const Resources& resources);

/// Chooses a legal move uniformly at random.
std::unique_ptr<Strategy> make_random(const Options& options, const Resources& resources);

}  // namespace ludens::search
