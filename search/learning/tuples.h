// SPDX-License-Identifier: MIT
// Which variables are looked at together.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// As many tuples as let each variable stand in about eight, in steps of 32, from 32 to 128.
std::size_t usual_tuple_count(const std::vector<Variable>& variables);

/// Tuples of variables that stand together in the conditions of the game. Each begins with the
/// variable that is in the fewest so far and takes in others at random, the likelier the more
/// conditions they share with those that are in, up to eight or to TupleForm::kMostEntries. Fewer
/// than `count` where there are no more different ones.
std::vector<std::vector<std::uint32_t>> choose_tuples(const StateBits& bits,
                                                      const std::vector<Variable>& variables,
                                                      std::size_t count, gdl::Rng& rng);

}  // namespace ludens::search
