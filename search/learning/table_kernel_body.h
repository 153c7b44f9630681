// The loops themselves. The translation unit says for which registers: LUDENS_TABLE_LANES numbers
// of 16 bits, LUDENS_TABLE_KERNEL the name. As each unit is compiled for another instruction set,
// everything here has internal linkage and nothing of the standard library is used but fixed-size
// integers.
#pragma once

#include "search/learning/table_kernel.h"

#if LUDENS_TABLE_LANES > 8
#include <immintrin.h>
#endif

namespace ludens::search::tables {
namespace {

using Register =
    std::uint16_t __attribute__((vector_size(2 * LUDENS_TABLE_LANES), aligned(2), may_alias));
constexpr std::size_t kWidth = LUDENS_TABLE_LANES;

inline Register load(const std::uint16_t* from) {
  return *reinterpret_cast<const Register*>(from);
}
inline void store(std::uint16_t* to, Register value) {
  *reinterpret_cast<Register*>(to) = value;
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

/// Rows are cut into parts of at most 64 numbers, of which the sums stay in registers.
constexpr int kLong = static_cast<int>(2 * kLanes / kWidth), kShort = kLong / 2;

void add(const Rows& rows, const std::uint64_t* state, std::uint16_t* out) {
  std::size_t at = 0;
  for (; at + 2 * kLanes <= rows.stride; at += 2 * kLanes) add_part<kLong>(rows, state, at, out);
  if (at < rows.stride) add_part<kShort>(rows, state, at, out);
}

void change(const Rows& rows, const std::uint64_t* before, const std::uint16_t* indices,
            const std::uint64_t* after, std::uint16_t* out) {
  std::size_t at = 0;
  for (; at + 2 * kLanes <= rows.stride; at += 2 * kLanes) {
    change_part<kLong>(rows, before, indices, after, at, out);
  }
  if (at < rows.stride) change_part<kShort>(rows, before, indices, after, at, out);
}

constexpr int kSums = 16;

inline float total(float* sums) {
  for (int half = kSums / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

float sum(const float* weights, const std::uint32_t* first, const std::uint16_t* indices,
          std::size_t count) {
  float sums[kSums];
#if LUDENS_TABLE_LANES == 32
  __m512 all = _mm512_setzero_ps();
  for (std::size_t i = 0; i < count; i += kSums) {
    const __m256i short_ones = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(indices + i));
    const __m512i at =
        _mm512_add_epi32(_mm512_cvtepu16_epi32(short_ones), _mm512_loadu_si512(first + i));
    all = _mm512_add_ps(all, _mm512_i32gather_ps(at, weights, 4));
  }
  _mm512_storeu_ps(sums, all);
#elif LUDENS_TABLE_LANES == 16
  __m256 all[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  for (std::size_t i = 0; i < count; i += kSums) {
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t from = i + 8 * half;
      const __m128i short_ones = _mm_loadu_si128(reinterpret_cast<const __m128i*>(indices + from));
      const __m256i at =
          _mm256_add_epi32(_mm256_cvtepu16_epi32(short_ones),
                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first + from)));
      all[half] = _mm256_add_ps(all[half], _mm256_i32gather_ps(weights, at, 4));
    }
  }
  _mm256_storeu_ps(sums, all[0]);
  _mm256_storeu_ps(sums + 8, all[1]);
#else
  for (float& s : sums) s = 0;
  for (std::size_t i = 0; i < count; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += weights[first[i + k] + indices[i + k]];
  }
#endif
  return total(sums);
}

}  // namespace

const Kernel LUDENS_TABLE_KERNEL{LUDENS_TABLE_NAME, add, change, sum};

}  // namespace ludens::search::tables
