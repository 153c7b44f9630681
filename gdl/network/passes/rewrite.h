// SPDX-License-Identifier: MIT
// A new network from an old one, with some inputs known or some gates replaced: the last step of a
// pass.
#pragma once

#include <unordered_map>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"
#include "gdl/network/ternary.h"

namespace ludens::gdl {

/// Gates with other inputs than they had. Nodes from `gates.size()` on are new and exist only here.
/// There are no cycles.
using ReplacedGates = std::unordered_map<NodeId, std::vector<Edge>>;

/// [fluent], [move]: known inputs vanish (none if empty), what depends on their constants is
/// simplified, and gates that no output needs are left out. If stopped by the signal (may be null),
/// the result is unfinished and useless.
Network rewrite(const Network& network, const std::vector<Known>& fluents,
                const std::vector<Known>& moves, const StopSignal* stop,
                const ReplacedGates& replaced = {});
/// The same with no inputs known.
Network rewrite(const Network& network, const StopSignal* stop, const ReplacedGates& replaced);

}  // namespace ludens::gdl
