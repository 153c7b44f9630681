// SPDX-License-Identifier: MIT
// What roles know in games of hidden information, from the moves that led to a state.
#pragma once

#include "bindings/python/state_binding.h"
#include "search/strategy/strategy.h"

namespace ludens::bindings {

/// The position as far as the role knows it: where the rules hide something, that of the likeliest
/// history that fits what the role knows. ValueError if the state was then made without the moves
/// that led to it.
search::Position known_position(const PythonState& state, gdl::RoleIndex role);

}  // namespace ludens::bindings
