// SPDX-License-Identifier: MIT
// Whether the weights of one role can learn from the states of the other one.
#pragma once

#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Whether half of the states or more in which role 0 chooses have images after `form.exchange`
/// with as many pieces (`form.counts`) as there were in a state in which role 1 chose. This is
/// false in games in which each move adds a piece.
bool are_exchanged_states_seen(const TupleForm& form, const StateBits& bits,
                               const Observations& seen);

}  // namespace ludens::search
