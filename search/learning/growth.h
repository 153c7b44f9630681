// SPDX-License-Identifier: MIT
// More tuples for values that have learned enough.
#pragma once

#include <cstddef>

#include "gdl/machine/rng.h"
#include "search/learning/knowledge.h"
#include "search/learning/state_bits.h"

namespace ludens::search {

/// Adds up to `count` tuples whose weights have learned nothing: all values are as before, and have
/// more to learn with. `bits`: of a machine of the game.
void add_untrained_tuples(Knowledge& knowledge, const StateBits& bits, std::size_t count,
                          gdl::Rng& rng);

}  // namespace ludens::search
