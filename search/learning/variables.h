// SPDX-License-Identifier: MIT
// Variables of a game, found from its rules and from random games.
#pragma once

#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Groups of fluents of which at most one held in all states observed. For each fluent name one or
/// two arguments are left open, so that groups are as large as possible (everything that may be on
/// a cell). Groups of several names that agree in the other arguments are joined if they exclude
/// each other, too. Remaining fluents are grouped by proved exclusions. Fluents that never change,
/// fluents that ply and mover alone determine, and parts of the game without moves are left out.
/// What a role can reach in a place is one more variable for each role and place.
/// The most important variables come first: those that legal moves depend on, and among these those
/// that vary most. Those after `kMostVariables` are dropped.
std::vector<Variable> find_variables(const gdl::Machine& machine, const StateBits& bits,
                                     const Observations& seen);

}  // namespace ludens::search
