// SPDX-License-Identifier: MIT
// Gates for pairs of conditions that several moves have.
#pragma once

#include <optional>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// The same network, in which legal moves are shorter ANDs: the AND of two conditions is evaluated
/// once if three or more moves have both, for example "the square is free, and a move to it ends a
/// check". Moves with up to three conditions, which are one instruction, and
/// with more than eight are left as they are. nullopt if nothing changes, or if stopped.
std::optional<Network> share_condition_pairs(const Network& network,
                                             const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
