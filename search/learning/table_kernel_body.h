// SPDX-License-Identifier: MIT
// The loops themselves. The translation unit defines the registers: LUDENS_TABLE_LANES numbers of
// 16 bits, and LUDENS_TABLE_KERNEL as the name. As each unit is compiled for another instruction
// set, everything here has internal linkage, and of the standard library only fixed-size integers
// are used.
#pragma once

#include "search/learning/table_kernel.h"

#if LUDENS_TABLE_LANES > 8
#include <immintrin.h>
#endif

namespace ludens::search::tables {
namespace {

using Register = std::uint16_t __attribute__((vector_size(2 * LUDENS_TABLE_LANES)));
constexpr std::size_t kWidth = LUDENS_TABLE_LANES;

inline Register load(const std::uint16_t* from) {
  Register value;
  __builtin_memcpy(&value, from, sizeof value);  // rows are not aligned
  return value;
}
inline void store(std::uint16_t* to, Register value) {
  __builtin_memcpy(to, &value, sizeof value);
}

/// `kCount` registers from `at` on, plus the rows of some bits of a word and minus those of others.
template <int kCount>
inline void add_bits(const Rows& rows, std::size_t word, std::uint64_t bits, bool minus,
                     std::size_t at, Register* sums) {
  for (; bits != 0; bits &= bits - 1) {
    const auto bit = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
    const std::uint16_t* row = rows.of_bit + bit * rows.stride + at;
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) {
      const Register r = load(row + k * kWidth);
      sums[k] = minus ? sums[k] - r : sums[k] + r;
    }
  }
}

template <int kCount>
void add_part(const Rows& rows, const std::uint64_t* state, std::size_t at, std::uint16_t* out) {
  Register sums[kCount] = {};
  for (std::size_t w = 0; w < rows.words; ++w) {
    add_bits<kCount>(rows, w, state[w] & rows.mask[w], false, at, sums);
  }
  for (int k = 0; k < kCount; ++k) store(out + at + k * kWidth, sums[k]);
}

template <int kCount>
void change_part(const Rows& rows, const std::uint64_t* before, const std::uint16_t* indices,
                 const std::uint64_t* after, std::size_t at, std::uint16_t* out) {
  Register sums[kCount];
  for (int k = 0; k < kCount; ++k) sums[k] = load(indices + at + k * kWidth);
  for (std::size_t w = 0; w < rows.words; ++w) {
    const std::uint64_t changed = (before[w] ^ after[w]) & rows.mask[w];
    if (changed == 0) continue;
    add_bits<kCount>(rows, w, changed & after[w], false, at, sums);
    add_bits<kCount>(rows, w, changed & before[w], true, at, sums);
  }
  for (int k = 0; k < kCount; ++k) store(out + at + k * kWidth, sums[k]);
}

/// Calls `part` with a number of registers and where they begin: a row is cut into few parts, whose
/// sums stay in registers.
template <int kCount = 8, typename Part>
inline void for_parts(std::size_t stride, std::size_t at, Part part) {
  constexpr std::size_t kNumbers = kCount * kWidth;
  for (; at + kNumbers <= stride; at += kNumbers) part.template operator()<kCount>(at);
  if constexpr (kCount > 1) for_parts<kCount / 2>(stride, at, part);
}

void add(const Rows& rows, const std::uint64_t* state, std::uint16_t* out) {
  for_parts(rows.stride, 0,
            [&]<int kCount>(std::size_t at) { add_part<kCount>(rows, state, at, out); });
}

void change(const Rows& rows, const std::uint64_t* before, const std::uint16_t* indices,
            const std::uint64_t* after, std::uint16_t* out) {
  for_parts(rows.stride, 0, [&]<int kCount>(std::size_t at) {
    change_part<kCount>(rows, before, indices, after, at, out);
  });
}

/// In which of kWidth places two rows differ: kPlaceBits bits per place, at least one of which is
/// set.
#if LUDENS_TABLE_LANES == 32
constexpr int kPlaceBits = 1;
inline std::uint64_t places(const std::uint16_t* a, const std::uint16_t* b) {
  return _mm512_cmpneq_epi16_mask((__m512i)load(a), (__m512i)load(b));
}
#elif LUDENS_TABLE_LANES == 16
constexpr int kPlaceBits = 2;
inline std::uint64_t places(const std::uint16_t* a, const std::uint16_t* b) {
  const __m256i equal = _mm256_cmpeq_epi16((__m256i)load(a), (__m256i)load(b));
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
}
#else
constexpr int kPlaceBits = 16;
inline std::uint64_t places(const std::uint16_t* a, const std::uint16_t* b) {
  std::uint64_t x = 0, y = 0;
  __builtin_memcpy(&x, a, sizeof x);
  __builtin_memcpy(&y, b, sizeof y);
  return x ^ y;
}
#endif

/// Calls `visit` with each place at which two rows differ, in ascending order.
template <typename Visit>
inline void for_each_difference(const std::uint16_t* before, const std::uint16_t* after,
                                std::size_t count, Visit visit) {
  // A word has 64 bits, so without registers four places are compared, not all of kWidth.
  constexpr std::size_t kPlaces = kPlaceBits == 16 ? 4 : kWidth;
  for (std::size_t i = 0; i < count; i += kPlaces) {
    std::uint64_t left = places(before + i, after + i);
    // Not in a mask register, where each step of the loop would wait for the one before.
    asm("" : "+r"(left));
    while (left != 0) {
      const int place = __builtin_ctzll(left) / kPlaceBits;
      if constexpr (kPlaceBits == 1) {
        left &= left - 1;
      } else {
        left &= ~(((std::uint64_t{1} << kPlaceBits) - 1) << place * kPlaceBits);
      }
      visit(i + static_cast<std::size_t>(place));
    }
  }
}

float difference(const Table& table, const std::uint16_t* before, const float* known,
                 const std::uint16_t* after) {
  float sum = 0;
  for_each_difference(before, after, table.count, [&](std::size_t t) {
    sum += read(table.weights[table.first[t] + after[t]]) - known[t];
  });
  return sum;
}

}  // namespace

const Kernel LUDENS_TABLE_KERNEL{LUDENS_TABLE_NAME, add, change, difference};

}  // namespace ludens::search::tables
