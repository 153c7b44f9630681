// SPDX-License-Identifier: MIT
// Moves of a role of which only one can be legal, made one move.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

struct MergedMoves {
  Network network;
  /// Groups of fluents, by index. The network says the same as before in states in which at most
  /// one of each group holds, and says wrong things in others.
  std::vector<std::vector<std::uint32_t>> apart;
};

/// The network with fewer moves to choose among: those of a queen and of a rook between the same
/// two squares become one, because no two pieces stand on a square. It is made where one of its
/// members is, which is the one that is legal. Members have a condition in common, and each
/// requires another fluent of a group. `groups`: fluents, by index, that may exclude each other;
/// only some of them are needed. nullopt if each role keeps two thirds of its moves or more,
/// or if stopped.
std::optional<MergedMoves> merge_exclusive_moves(
    const Network& network, const std::vector<std::vector<std::uint32_t>>& groups,
    const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
