// SPDX-License-Identifier: MIT
// The loops over rows of indices, written once and compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::search::tables {

/// Lengths are multiples of this.
inline constexpr std::size_t kLanes = 32;

/// Each bit of a state adds a row of 16-bit numbers. `stride`: numbers per row; `mask`: [word], the
/// bits whose row is not all 0.
struct Rows {
  const std::uint16_t* of_bit;  // [bit * stride]
  const std::uint64_t* mask;
  std::size_t words, stride;
};

/// Where the entries of tuples begin in a table of weights, which other threads may be writing.
struct Table {
  const float* weights;
  const std::uint32_t* first;  // [count]
  std::size_t count;           // a multiple of kLanes
};

/// Reads a number that other threads may be writing: the old or the new value.
template <typename Number>
inline Number read(const Number& from) {
  Number number;
  __atomic_load(&from, &number, __ATOMIC_RELAXED);
  return number;
}

/// One instruction set. Results are the same for all, to the last bit.
struct Kernel {
  const char* name;
  /// The sum of the rows of a state's bits.
  void (*add)(const Rows& rows, const std::uint64_t* state, std::uint16_t* out);
  /// The same, starting from the sum of another state, by the bits in which they differ.
  void (*change)(const Rows& rows, const std::uint64_t* before, const std::uint16_t* indices,
                 const std::uint64_t* after, std::uint16_t* out);
  /// The sum of the weights at `after` minus that of the weights at `before`, where the two differ.
  /// `known` are the weights at `before`.
  float (*difference)(const Table& table, const std::uint16_t* before, const float* known,
                      const std::uint16_t* after);
};

/// The weights at `indices`, and their sum: a gather instruction is slower on most processors.
float gather(const Table& table, const std::uint16_t* indices, float* out);
/// Only their sum.
float sum(const Table& table, const std::uint16_t* indices);

/// The best kernel for this processor.
const Kernel& best();
/// Null if this processor can't run it: `lanes` of 16 bits, 8 (any processor), 16 (AVX2), 32
/// (AVX-512).
const Kernel* find(std::size_t lanes);

// One per translation unit.
extern const Kernel kAny, kAvx2, kAvx512;

}  // namespace ludens::search::tables
