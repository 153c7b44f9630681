// SPDX-License-Identifier: MIT
#include "search/hidden/mixed_choice.h"

#include <cmath>

#include "gdl/machine/rng.h"
#include "search/strategy/first_choice.h"

namespace ludens::search::hidden {

Choice mixed_choice(std::span<const gdl::MoveId> legal, std::span<const double> chances,
                    std::span<const double> values, std::uint64_t iterations, double share) {
  Choice choice;
  choice.iterations = iterations;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const double visits = chances[i] * static_cast<double>(iterations);
    choice.root.push_back({.move = legal[i],
                           .value = values.empty() ? kUnknownValue : values[i],
                           .visits = static_cast<std::uint64_t>(std::llround(visits))});
  }
  const RootMove& drawn = choice.root[gdl::draw_index(chances, share)];
  choice.move = drawn.move;
  choice.value = drawn.value;
  return choice;
}

}  // namespace ludens::search::hidden
