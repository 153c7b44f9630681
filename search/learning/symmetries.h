// SPDX-License-Identifier: MIT
// Symmetries of a game, found in the terms of its fluents and tested on states of random games.
#pragma once

#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Permutations of the fluents of all variables after which the game goes on in the same way for
/// all roles: from the image of a state, the moves lead to the images of its successors, with as
/// many legal moves for each role, and with the same goals. This is not proved but tested, on
/// states of random games and on those before their ends. At most `TupleForm::kMostSymmetries`, and
/// none if the machine is stopped meanwhile.
std::vector<Symmetry> find_symmetries(const gdl::Machine& machine, gdl::Machine::Context& context,
                                      const StateBits& bits, const Observations& seen,
                                      const std::vector<Variable>& variables, gdl::Rng& rng);

}  // namespace ludens::search
