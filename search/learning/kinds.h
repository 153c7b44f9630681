// SPDX-License-Identifier: MIT
// Fluents of one kind, such as all places of a piece.
#pragma once

#include <cstddef>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Fluents with one name that agree in the arguments in which the values of a variable differ: for
/// (cell X Y PIECE), of which one holds for each X and Y, the fluents of each piece. Returns the
/// kinds with the most fluents (at least four), at most `most` of them. What a role can reach by
/// the same number of moves is a kind, too.
std::vector<std::vector<gdl::FluentId>> find_kinds(const gdl::Vocabulary& vocabulary,
                                                   const StateBits& bits,
                                                   const std::vector<Variable>& variables,
                                                   std::size_t most);

}  // namespace ludens::search
