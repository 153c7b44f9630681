// SPDX-License-Identifier: MIT
// Permutations of fluents that rename or exchange the arguments of their terms.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/limits.h"
#include "search/learning/state_bits.h"

namespace ludens::search {

/// [bit]: its image.
using BitPermutation = std::vector<std::uint32_t>;

/// Shows candidates for symmetries of a game, until `visit` returns false, until 16,384 were tried,
/// or until it is stopped (`stop` may be null).
/// The board is the fluents of the most frequent name among `board_bits`. Constants that have an
/// order (see `Orders`) are reversed and up to four constants are permuted, in one or more
/// arguments at a time; arguments of equal size are exchanged. The same is done in fluents of other
/// names that have the same constants, in all combinations.
void for_each_renaming(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                       const std::vector<bool>& board_bits, const gdl::StopSignal* stop,
                       const std::function<bool(const BitPermutation&)>& visit);

/// The same for permutations that exchange two roles, whose names change places in all arguments.
/// If the board has an argument of more than four constants without an order (its pieces), these
/// are renamed such that the initial state looks like its image; those that are not on the board
/// then are permuted, up to four. `initial`: the words of the initial state.
void for_each_exchange_of_roles(const gdl::Vocabulary& vocabulary, const StateBits& bits,
                                const std::vector<bool>& board_bits,
                                std::span<const std::uint64_t> initial, const gdl::StopSignal* stop,
                                const std::function<bool(const BitPermutation&)>& visit);

}  // namespace ludens::search
