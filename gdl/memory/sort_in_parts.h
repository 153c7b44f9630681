// SPDX-License-Identifier: MIT
// Sorting that can be stopped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// Sorts parts, which are then merged, and polls in between; an element counts as `work` elementary
/// steps. If the poll says stop, the order is undefined. Not stable.
template <class T, class Before = std::less<>>
void sort_in_parts(std::vector<T>& values, StopPoll& poll, std::size_t work, Before before = {}) {
  constexpr std::size_t kPart = 4096;
  const auto at = [&](std::size_t i) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(i, values.size()));
  };
  for (std::size_t i = 0; i < values.size() && !poll(work * kPart); i += kPart) {
    std::sort(at(i), at(i + kPart), before);
  }
  for (std::size_t part = kPart; part < values.size(); part *= 2) {
    for (std::size_t i = 0; i < values.size() && !poll(work * part); i += 2 * part) {
      std::inplace_merge(at(i), at(i + part), at(i + 2 * part), before);
    }
  }
}

}  // namespace ludens::gdl
