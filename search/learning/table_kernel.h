// SPDX-License-Identifier: MIT
// The loops over rows of indices, written once and compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::search::tables {

/// Lengths are multiples of this.
inline constexpr std::size_t kLanes = 32;

/// A bit of a state adds a row of 16-bit numbers. `stride`: numbers of a row; `mask`: [word], bits
/// whose row is not all 0.
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

/// A number that other threads may be writing: what it was before or after.
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
  /// The same from that of another state, by the bits in which they differ.
  void (*change)(const Rows& rows, const std::uint64_t* before, const std::uint16_t* indices,
                 const std::uint64_t* after, std::uint16_t* out);
  /// What the weights at `after` add up to more than those at `before`, where the two differ.
  /// `known` are the weights at `before`.
  float (*difference)(const Table& table, const std::uint16_t* before, const float* known,
                      const std::uint16_t* after);
};

/// The weights at `indices`, and their sum: one instruction for many of them is slower on most
/// processors.
float gather(const Table& table, const std::uint16_t* indices, float* out);
/// Their sum alone.
float sum(const Table& table, const std::uint16_t* indices);

/// The best of this processor.
const Kernel& best();
/// Null where this processor can't: `lanes` of 16 bits, 8 (any processor), 16 (AVX2), 32 (AVX-512).
const Kernel* find(std::size_t lanes);

// One a translation unit.
extern const Kernel kAny, kAvx2, kAvx512;

}  // namespace ludens::search::tables
