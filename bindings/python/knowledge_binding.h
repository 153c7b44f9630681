// SPDX-License-Identifier: MIT
// What roles know in games of hidden information, from the moves that led to a state.
#pragma once

#include "bindings/python/state_binding.h"
#include "search/hidden/known_position.h"
#include "search/strategy/strategy.h"

namespace ludens::bindings {

/// The true position, with what the role knows if the rules hide something. ValueError if the state
/// was then made without the moves that led to it.
search::Position known_position(const PythonState& state, gdl::RoleIndex role);
/// Replaces the position by that of the likeliest history that fits what the role knows; leaves it
/// as it is if the rules hide nothing. False if there was not enough time to find such a history.
/// Does not need the GIL.
bool believe(search::Position& position, search::hidden::MatchPhase match,
             const search::Deadline& deadline, gdl::MemoryBudget* memory);

}  // namespace ludens::bindings
