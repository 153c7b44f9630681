// SPDX-License-Identifier: MIT
// Finds the fluent that says whose turn it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// [role]: the index of a fluent without which the role has at most one legal move, whatever else
/// holds; nullopt if there is none, if the role has only one move, or if stopped. Takes time linear
/// in the network.
std::vector<std::optional<std::uint32_t>> find_controls(const Network& network,
                                                        const StopSignal* stop = nullptr);

/// [role]: fluents without all of which the role has at most one legal move: one as above, or a few
/// if its turn has phases (a piece is placed, then something is rotated). Empty if there are none,
/// if the role has only one move, or if stopped.
std::vector<std::vector<std::uint32_t>> find_phases(const Network& network,
                                                    const StopSignal* stop = nullptr);

/// [move]: illegal wherever the fluent (an index) is false, whatever else holds.
std::vector<bool> moves_that_need(const Network& network, std::uint32_t fluent,
                                  const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
