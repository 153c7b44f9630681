// SPDX-License-Identifier: MIT
// Variables of a game, found from its rules and from random games.
#pragma once

#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// More are left out.
inline constexpr std::size_t kMostVariables = 256;

/// Groups of fluents of which at most one held in all states observed. For each name of fluents one
/// or two arguments are left open, so that groups are as large as they can be (all that may stand
/// on a cell); groups of several names that agree in the other arguments are joined where they
/// exclude each other, too. What is left alone is put together by proved exclusions. Left out are
/// what never changes, what ply and mover alone decide, and parts of the game without moves. The
/// most important come first: those that legal moves depend on, and of these those that vary most.
std::vector<Variable> find_variables(const gdl::Machine& machine, const StateBits& bits,
                                     const Observations& seen);

}  // namespace ludens::search
