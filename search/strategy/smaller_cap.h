// SPDX-License-Identifier: MIT
// Two caps on one count.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ludens::search {

/// The smaller one of two caps, of which 0 means none.
constexpr std::uint64_t smaller_cap(std::uint64_t one, std::uint64_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

}  // namespace ludens::search
