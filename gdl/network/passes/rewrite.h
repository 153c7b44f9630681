// SPDX-License-Identifier: MIT
// A new network from an old one, with some inputs known or some gates replaced: what passes end
// with.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"
#include "gdl/network/ternary.h"

namespace ludens::gdl {

/// Gates with other inputs than they had. Nodes from `gates.size()` on are new and stand only here.
/// No cycles.
using ReplacedGates = std::unordered_map<NodeId, std::vector<Edge>>;

/// [fluent], [move]: inputs that are known vanish (none if empty); what their constants decide is
/// simplified; gates that no output needs are left behind. Unfinished, and worth nothing, if the
/// signal (may be null) says so.
Network rewrite(const Network& network, const std::vector<Known>& fluents,
                const std::vector<Known>& moves, const StopSignal* stop,
                const ReplacedGates& replaced = {});
/// The same with all inputs open.
Network rewrite(const Network& network, const StopSignal* stop, const ReplacedGates& replaced);

}  // namespace ludens::gdl
