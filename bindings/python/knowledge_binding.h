// SPDX-License-Identifier: MIT
// What roles know in games of hidden information, from the moves that led to a state.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bindings/python/state_binding.h"
#include "search/strategy/strategy.h"

namespace ludens::bindings {

/// What a role knows, one turn for each joint move since the initial state; nullopt if the rules
/// hide nothing. ValueError if the state was made without the moves that led to it.
std::optional<std::vector<search::KnownTurn>> knowledge_of(const PythonState& state,
                                                           gdl::RoleIndex role);

/// The likeliest state that fits what a role knows, which is what `knowledge_of` gave.
PythonState believed_state(const PythonState& state, gdl::RoleIndex role,
                           std::span<const search::KnownTurn> known);

}  // namespace ludens::bindings
