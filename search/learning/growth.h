// SPDX-License-Identifier: MIT
// More tuples for values that have learned enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/learning/knowledge.h"
#include "search/learning/state_bits.h"
#include "search/learning/table_layout.h"

namespace ludens::search {

/// Whether the tuples of one form begin with all those of the other one, and the forms are equal in
/// all else.
bool one_extends_the_other(const TupleForm& one, const TupleForm& other);

/// What there is for each weight, laid out for a form that extends `form`; nothing for new weights.
template <typename OfWeight>
std::vector<OfWeight> extended(const std::vector<OfWeight>& all, std::size_t tables,
                               const TupleForm& form, const TupleForm& longer) {
  const TableLayout before(form), after(longer);
  const std::size_t tuples = form.tuples.size(), added = longer.tuples.size() - tuples;
  std::vector<OfWeight> moved(tables * after.entries());
  for (std::size_t table = 0; table < tables; ++table) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(table * before.entries());
    const auto to = moved.begin() + static_cast<std::ptrdiff_t>(table * after.entries());
    // Tuples come first, and then counts and mobility.
    for (std::size_t t = 0; t < before.tuple_count(); ++t) {
      std::copy_n(from + static_cast<std::ptrdiff_t>(before.begin(t)),
                  before.begin(t + 1) - before.begin(t),
                  to + static_cast<std::ptrdiff_t>(after.begin(t < tuples ? t : t + added)));
    }
  }
  return moved;
}

/// Adds up to `count` tuples whose weights have learned nothing: all values are as before, and have
/// more to learn with. `bits`: of a machine of the game.
void add_untrained_tuples(Knowledge& knowledge, const StateBits& bits, std::size_t count,
                          gdl::Rng& rng);

}  // namespace ludens::search
