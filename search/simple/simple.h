// SPDX-License-Identifier: MIT
// The two strategies that do not search: yardsticks, fillers of seats, and the last resort.
#pragma once

#include <memory>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// The first legal move, always.
std::unique_ptr<Strategy> make_legal(const Options& options, const Resources& resources);

/// A legal move by chance, uniformly.
std::unique_ptr<Strategy> make_random(const Options& options, const Resources& resources);

}  // namespace ludens::search
