// SPDX-License-Identifier: MIT
// How much memory the names of a game take.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::gdl {

/// What a vocabulary needs for a term of so many cells, including the spare capacity of vectors.
constexpr std::size_t bytes_of_id(std::size_t cells) {
  constexpr std::size_t kBytes = 80, kBytesOfCell = 2 * sizeof(std::uint32_t);
  return kBytes + cells * kBytesOfCell;
}

}  // namespace ludens::gdl
