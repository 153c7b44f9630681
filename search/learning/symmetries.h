// SPDX-License-Identifier: MIT
// Symmetries of a game, found in the terms of its fluents and tested on states of random games.
#pragma once

#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Finds `form.symmetries`: permutations of the fluents of all variables after which the game goes
/// on in the same way for all roles. From the image of a state, the moves lead to the images of its
/// successors, with as many legal moves for each role, and with the same goals. With
/// `exchange_roles` (for two roles), it then looks for one more permutation, after which the game
/// goes on in the same way if the two roles change places (`form.exchange`).
///
/// All this is not proved but tested, on states of random games and on those before their ends.
/// There are at most `TupleForm::kMostSymmetries`, and none, nor an exchange, if the machine is
/// stopped meanwhile.
void find_symmetries(const gdl::Machine& machine, gdl::Machine::Context& context,
                     const StateBits& bits, const Observations& seen, bool exchange_roles,
                     gdl::Rng& rng, TupleForm& form);

}  // namespace ludens::search
