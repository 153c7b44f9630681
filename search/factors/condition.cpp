// SPDX-License-Identifier: MIT
#include "search/factors/condition.h"

#include <algorithm>

namespace ludens::search::factors {

bool ConditionReader::holds(const gdl::Structure::Condition& condition,
                            std::span<const gdl::FluentId> fluents) {
  values_.clear();
  for (const gdl::FluentId fluent : condition.fluents) {
    values_.push_back(std::ranges::binary_search(fluents, fluent) ? 1 : 0);
  }
  const auto value = [&](std::uint32_t edge) { return (values_[edge / 2] ^ (edge & 1)) != 0; };
  for (std::size_t gate = 0; gate + 1 < condition.begin.size(); ++gate) {
    const auto inputs =
        std::span(condition.inputs)
            .subspan(condition.begin[gate], condition.begin[gate + 1] - condition.begin[gate]);
    values_.push_back(std::ranges::all_of(inputs, value) ? 1 : 0);
  }
  return value(condition.result);
}

}  // namespace ludens::search::factors
