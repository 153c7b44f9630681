// SPDX-License-Identifier: MIT
#include "search/learning/growth.h"

#include <algorithm>
#include <utility>

#include "search/learning/table_layout.h"
#include "search/learning/tuples.h"

namespace ludens::search {

void add_untrained_tuples(Knowledge& knowledge, const StateBits& bits, std::size_t count,
                          gdl::Rng& rng) {
  const TableLayout before(knowledge.form);
  const std::size_t tuples = knowledge.form.tuples.size();
  add_tuples(knowledge.form, bits, count, rng);
  const TableLayout after(knowledge.form);
  const std::size_t added = knowledge.form.tuples.size() - tuples;
  std::vector<TrainedWeight> weights(knowledge.shape.tables() * after.entries());
  for (std::size_t table = 0; table < knowledge.shape.tables(); ++table) {
    const auto from =
        knowledge.weights.begin() + static_cast<std::ptrdiff_t>(table * before.entries());
    const auto to = weights.begin() + static_cast<std::ptrdiff_t>(table * after.entries());
    // Tuples come first, and then counts and mobility.
    for (std::size_t t = 0; t < before.tuple_count(); ++t) {
      const std::size_t moved = t < tuples ? t : t + added;
      std::copy_n(from + static_cast<std::ptrdiff_t>(before.begin(t)),
                  before.begin(t + 1) - before.begin(t),
                  to + static_cast<std::ptrdiff_t>(after.begin(moved)));
    }
  }
  knowledge.weights = std::move(weights);
}

}  // namespace ludens::search
