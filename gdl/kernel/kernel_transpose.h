// SPDX-License-Identifier: MIT
// Between states as rows of bits and slots as columns of lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

#if LUDENS_KERNEL_WORDS == 8

/// Shuffles for one stage of a transposition of bytes: bit kDistance of a byte's number within its
/// word is exchanged with that of the register's number.
template <int kDistance>
struct ByteExchange {
  __m512i low, high;

  ByteExchange() {
    for (unsigned i = 0; i < 64; ++i) {
      const bool set = (i & kDistance) != 0;
      reinterpret_cast<std::uint8_t*>(&low)[i] =
          static_cast<std::uint8_t>(set ? 64 + (i ^ kDistance) : i);
      reinterpret_cast<std::uint8_t*>(&high)[i] =
          static_cast<std::uint8_t>(set ? 64 + i : i ^ kDistance);
    }
  }
  void run(__m512i* x) const {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      if ((k & kDistance) != 0) continue;
      const __m512i a = x[k], b = x[k + kDistance];
      x[k] = _mm512_permutex2var_epi8(a, low, b);
      x[k + kDistance] = _mm512_permutex2var_epi8(a, high, b);
    }
  }
};

/// Byte k of word w of register i changes places with byte i of word w of register k.
inline void transpose_bytes(__m512i* x, const ByteExchange<1>& one, const ByteExchange<2>& two,
                            const ByteExchange<4>& four) {
  one.run(x);
  two.run(x);
  four.run(x);
}

/// Bit i of byte k of a word becomes bit 7 - k of byte i.
inline __m512i turn_tiles(__m512i tiles) {
  const __m512i identity = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  return _mm512_gf2p8affine_epi64_epi8(identity, tiles, 0);
}

/// Turns 64x64 bits in each column of words: bit j of word w of `load(i)` becomes bit i of word w
/// of the register passed to `store(j, ...)`. Each column is 8x8 tiles of 8x8 bits: a product of
/// bit matrices (affine transformation with the tile as the matrix) turns a tile, shuffles of bytes
/// put them into place. Everything is loaded before anything is stored. Only the first `loaded`
/// registers are loaded, the others being 0, and only the first `stored` are stored, both rounded
/// up to eights.
template <typename Load, typename Store>
inline void transpose(Load load, Store store, std::size_t loaded = 64, std::size_t stored = 64) {
  const ByteExchange<1> one;
  const ByteExchange<2> two;
  const ByteExchange<4> four;
  __m512i tiles[64];
  const std::size_t rows = (loaded + 7) / 8, columns = (stored + 7) / 8;
  for (std::size_t a = 0; a < rows; ++a) {
    __m512i t[8];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) {
      t[k] = (__m512i)load(8 * a + 7 - k);  // a matrix's last byte is its first row
    }
    transpose_bytes(t, one, two, four);
#pragma GCC unroll 8
    for (std::size_t b = 0; b < 8; ++b) tiles[8 * b + a] = turn_tiles(t[b]);
  }
  for (std::size_t b = 0; b < columns; ++b) {
    for (std::size_t a = rows; a < 8; ++a) tiles[8 * b + a] = _mm512_setzero_si512();
    transpose_bytes(tiles + 8 * b, one, two, four);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) store(8 * b + k, (Register)tiles[8 * b + k]);
  }
}

#else

/// One stage of a transposition: bit kDistance of a bit's number changes places with that of its
/// register's number.
template <int kDistance>
inline void exchange(Register* x, Word low) {
  const Register mask = fill(low);
  for (int first = 0; first < 64; first += 2 * kDistance) {
#pragma GCC unroll 4
    for (int k = first; k < first + kDistance; ++k) {
      const Register a = x[k], b = x[k + kDistance];
      x[k] = pick(mask, a, b << kDistance);
      x[k + kDistance] = pick(mask, a >> kDistance, b);
    }
  }
}

/// Turns 64x64 bits in each column of words (Warren, Hacker's Delight, section 7-3): bit j of word
/// w of `load(i)` becomes bit i of word w of the register passed to `store(j, ...)`. Everything is
/// loaded before anything is stored. Only the first `loaded` registers are loaded, the others being
/// 0, and only the first `stored` are stored.
template <typename Load, typename Store>
inline void transpose(Load load, Store store, std::size_t loaded = 64, std::size_t stored = 64) {
  Register x[64];
  for (std::size_t k = 0; k < 64; ++k) x[k] = k < loaded ? load(k) : zeros();
  exchange<32>(x, 0x00000000ffffffff);
  exchange<16>(x, 0x0000ffff0000ffff);
  exchange<8>(x, 0x00ff00ff00ff00ff);
  exchange<4>(x, 0x0f0f0f0f0f0f0f0f);
  exchange<2>(x, 0x3333333333333333);
  exchange<1>(x, 0x5555555555555555);
  for (std::size_t k = 0; k < stored; ++k) store(k, x[k]);
}

#endif

// --- one bit a lane

#if LUDENS_KERNEL_WORDS == 8

/// A byte of 0 or 1 for each of the first `count` lanes.
inline void write_bits(Register bits, std::size_t count, std::uint8_t* to) {
  // To the order of lanes: byte i has the bits i of the eight words.
  __m512i turned;
  for (unsigned i = 0; i < 64; ++i) {
    reinterpret_cast<std::uint8_t*>(&turned)[i] =
        static_cast<std::uint8_t>(8 * (7 - i % 8) + i / 8);
  }
  const auto ordered = (Register)turn_tiles(_mm512_permutexvar_epi8(turned, (__m512i)bits));
  for (std::size_t first = 0; first < count; first += 64) {
    const std::size_t left = count - first;
    const Word some = left < 64 ? (Word{1} << left) - 1 : ~Word{0};
    _mm512_mask_storeu_epi8(to + first, some,
                            _mm512_maskz_set1_epi8(words(&ordered)[first / 64], 1));
  }
}

#else

inline void write_bits(Register bits, std::size_t count, std::uint8_t* to) {
  for (std::size_t l = 0; l < count; ++l) to[l] = words(&bits)[l % kWords] >> (l / kWords) & 1;
}

#endif

// --- rows: lane l's words are contiguous; columns: word l of a block of 64 registers
// is lane l's

/// The words of a row that are moved together.
constexpr std::uint32_t kSpan = 4;
struct Columns {
  Register of[kSpan][64];
};

#if LUDENS_KERNEL_WORDS == 8

/// In each group of four words, word i of register k changes places with word k of register i.
inline void transpose_words(__m512i* x) {
  const __m512i low = _mm512_unpacklo_epi64(x[0], x[1]), high = _mm512_unpackhi_epi64(x[0], x[1]);
  const __m512i low2 = _mm512_unpacklo_epi64(x[2], x[3]), high2 = _mm512_unpackhi_epi64(x[2], x[3]);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  x[0] = _mm512_permutex2var_epi64(low, first, low2);
  x[1] = _mm512_permutex2var_epi64(high, first, high2);
  x[2] = _mm512_permutex2var_epi64(low, second, low2);
  x[3] = _mm512_permutex2var_epi64(high, second, high2);
}

/// Two words of each of four rows.
inline __m512i load_pairs(const Word* const* rows, std::uint32_t first) {
  const auto pair = [=](std::size_t k) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[k] + first));
  };
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(pair(0)), pair(1), 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(pair(2)), pair(3), 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// Words [first, first + n) of eight rows, n <= kSpan, to registers `at` of n columns.
inline void load_rows(const Word* const* rows, std::uint32_t first, std::uint32_t n,
                      Columns& columns, std::size_t at) {
  if (n == 1) {
    for (std::size_t k = 0; k < kWords; ++k) words(&columns.of[0][at])[k] = rows[k][first];
    return;
  }
  if (n == 2) {
    const __m512i a = load_pairs(rows, first), b = load_pairs(rows + 4, first);
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    columns.of[0][at] = (Register)_mm512_permutex2var_epi64(a, even, b);
    columns.of[1][at] = (Register)_mm512_permutex2var_epi64(a, odd, b);
    return;
  }
  const auto mask = static_cast<__mmask8>((1U << n) - 1);
  __m512i x[kSpan];
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kSpan; ++k) {
    const __m256i low = _mm256_maskz_loadu_epi64(mask, rows[k] + first);
    const __m256i high = _mm256_maskz_loadu_epi64(mask, rows[k + kSpan] + first);
    x[k] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  transpose_words(x);
  for (std::uint32_t w = 0; w < n; ++w) columns.of[w][at] = (Register)x[w];
}

/// The inverse, to words [0, n) of eight rows that are `stride` words apart.
inline void store_rows(const Columns& columns, std::size_t at, std::uint32_t n, Word* rows,
                       std::size_t stride) {
  const auto mask = static_cast<__mmask8>((1U << n) - 1);
  __m512i x[kSpan];
#pragma GCC unroll 4
  for (std::uint32_t w = 0; w < kSpan; ++w) x[w] = (__m512i)columns.of[w][at];
  transpose_words(x);
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kSpan; ++k) {
    _mm256_mask_storeu_epi64(rows + k * stride, mask, _mm512_castsi512_si256(x[k]));
    _mm256_mask_storeu_epi64(rows + (k + kSpan) * stride, mask, _mm512_extracti64x4_epi64(x[k], 1));
  }
}

/// Stores rows of one or two words without gaps.
inline void store_short_rows(const Columns& columns, std::size_t at, std::uint32_t n, Word* rows) {
  if (n == 1) return _mm512_storeu_si512(rows, (__m512i)columns.of[0][at]);
  const auto a = (__m512i)columns.of[0][at], b = (__m512i)columns.of[1][at];
  const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  _mm512_storeu_si512(rows, _mm512_permutex2var_epi64(a, low, b));
  _mm512_storeu_si512(rows + 8, _mm512_permutex2var_epi64(a, high, b));
}

#else

inline void load_rows(const Word* const* rows, std::uint32_t first, std::uint32_t n,
                      Columns& columns, std::size_t at) {
  for (std::uint32_t w = 0; w < n; ++w) {
    for (std::size_t k = 0; k < kWords; ++k) words(&columns.of[w][at])[k] = rows[k][first + w];
  }
}

inline void store_rows(const Columns& columns, std::size_t at, std::uint32_t n, Word* rows,
                       std::size_t stride) {
  for (std::uint32_t w = 0; w < n; ++w) {
    for (std::size_t k = 0; k < kWords; ++k) rows[k * stride + w] = words(&columns.of[w][at])[k];
  }
}

#endif

/// Loads this many bits of each lane's row from bit `first` on, a multiple of 64: `store(b, bits)`
/// gets bit b of all lanes. Rows after the first `count` are those of lane 0.
template <typename Store>
void pack_span(const Word* const* rows, std::size_t count, std::uint32_t first, std::uint32_t bits,
               Store store) {
  Columns columns;
  const std::uint32_t n = (bits + 63) / 64;
  for (std::size_t l = 0; l < kLanes; l += kWords) {
    const Word* some[kWords];
    for (std::size_t k = 0; k < kWords; ++k) some[k] = rows[l + k < count ? l + k : 0];
    load_rows(l + kWords <= count ? rows + l : some, first / 64, n, columns, l / kWords);
  }
  for (std::uint32_t w = 0; w < n; ++w) {
    const std::uint32_t left = bits - 64 * w < 64 ? bits - 64 * w : 64;
    transpose([&](std::size_t k) { return columns.of[w][k]; },
              [&](std::size_t b, Register r) {
                if (b < left) store(first + 64 * w + static_cast<std::uint32_t>(b), r);
              },
              64, left);
  }
}

/// The bits of each lane's row, for lanes below `count`; other lanes get those of lane 0.
template <typename Store>
void pack(const Word* const* rows, std::size_t count, std::uint32_t bits, Store store) {
  constexpr std::uint32_t kBits = kSpan * 64;
  for (std::uint32_t b = 0; b < bits; b += kBits) {
    pack_span(rows, count, b, bits - b < kBits ? bits - b : kBits, store);
  }
}

/// The first `count` lanes of columns as rows `stride` words apart, to words [0, n) of each.
inline void unpack_columns(const Columns& columns, std::size_t count, std::uint32_t n, Word* rows,
                           std::size_t stride) {
  std::size_t l = 0;
  for (; l + kWords <= count; l += kWords) {
#if LUDENS_KERNEL_WORDS == 8
    if (stride <= 2) {
      store_short_rows(columns, l / kWords, n, rows + l * stride);
      continue;
    }
#endif
    store_rows(columns, l / kWords, n, rows + l * stride, stride);
  }
  for (; l < count; ++l) {
    for (std::uint32_t w = 0; w < n; ++w) {
      rows[l * stride + w] = words(&columns.of[w][l / kWords])[l % kWords];
    }
  }
}

/// Slots [0, bits) of the first `count` lanes as rows of (bits + 63) / 64 words.
inline void unpack(const Register* s, std::uint32_t bits, std::size_t count, Word* rows) {
  const std::uint32_t stride = (bits + 63) / 64;
  Columns columns;
  for (std::uint32_t first = 0; first < stride; first += kSpan) {
    const std::uint32_t n = stride - first < kSpan ? stride - first : kSpan;
    for (std::uint32_t w = 0; w < n; ++w) {
      const Register* const from = s + 64 * static_cast<std::size_t>(first + w);
      const std::uint32_t last = bits - 64 * (first + w), left = last < 64 ? last : 64;
      transpose([&](std::size_t b) { return b < left ? from[b] : zeros(); },
                [&](std::size_t k, Register r) { columns.of[w][k] = r; }, left);
    }
    unpack_columns(columns, count, n, rows + first, stride);
  }
}

}  // namespace
}  // namespace ludens::gdl::kernel
