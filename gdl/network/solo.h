// SPDX-License-Identifier: MIT
// The part of a game that decides what one role gets, as a game for that role alone.
#pragma once

#include <optional>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// The fluents on which the end, the role's goals and its legal moves depend, and the next values
/// of these, with role 0 for the role. Of another role's legal moves on which they depend, the
/// first one counts as made: where another role's choice can change this part, the result is a
/// different game. Ids of fluents and moves stay. nullopt if every fluent belongs to the part, so
/// that nothing can be left out, or if stopped.
std::optional<Network> solo_network(const Network& from, RoleIndex role,
                                    const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
