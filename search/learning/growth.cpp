// SPDX-License-Identifier: MIT
#include "search/learning/growth.h"

#include <utility>

#include "search/learning/tuples.h"

namespace ludens::search {

bool one_extends_the_other(const TupleForm& one, const TupleForm& other) {
  const std::size_t shared = std::min(one.tuples.size(), other.tuples.size());
  return std::equal(one.tuples.begin(), one.tuples.begin() + static_cast<std::ptrdiff_t>(shared),
                    other.tuples.begin()) &&
         one.variables == other.variables && one.symmetries == other.symmetries &&
         one.exchange == other.exchange && one.counts == other.counts;
}

void add_untrained_tuples(Knowledge& knowledge, const StateBits& bits, std::size_t count,
                          gdl::Rng& rng) {
  TupleForm longer = knowledge.form;
  add_tuples(longer, bits, count, rng);
  knowledge.weights = extended(knowledge.weights, knowledge.shape.tables(), knowledge.form, longer);
  knowledge.form = std::move(longer);
}

}  // namespace ludens::search
