// SPDX-License-Identifier: MIT
// Which variables are combined in tuples.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// The number of tuples, with all their images, such that each variable is in about eight, in steps
/// of 32, from 32 to 128.
std::size_t usual_tuple_count(const std::vector<Variable>& variables);

/// Adds tuples of variables that occur together in the conditions of the game. Each begins with the
/// variable that is in the fewest tuples so far and adds others at random, preferring those that
/// share more conditions with it, up to eight or to TupleForm::kMostEntries. Adds fewer than
/// `count` if there are no more different ones. Images of tuples are not tuples of their own.
void add_tuples(TupleForm& form, const StateBits& bits, std::size_t count, gdl::Rng& rng);

}  // namespace ludens::search
