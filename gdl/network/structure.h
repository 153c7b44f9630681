// SPDX-License-Identifier: MIT
// Knowledge about a game that can be read off its network.
#pragma once

#include <optional>
#include <vector>

#include "gdl/machine/structure.h"
#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Takes time linear in the network and the number of goal values, within a budget of work. What
/// would cost more, or was not begun when the signal (may be null) stops it, stays empty. Moves
/// that no fluent depends on, and that are always legal, are in no factor. Exclusions are proved
/// unless they are given.
Structure find_structure(const Network& network, const Vocabulary& vocabulary,
                         const StopSignal* stop = nullptr,
                         const std::optional<std::vector<Structure::Exclusion>>& exclusions = {});

}  // namespace ludens::gdl
