// SPDX-License-Identifier: MIT
// Registers of the current width and operations on them, for the other kernel_*.h and under the
// same rules: everything has internal linkage, and of the standard library only fixed-size integers
// are used.
#pragma once

#include "gdl/kernel/kernel.h"

#if LUDENS_KERNEL_WORDS > 2
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace ludens::gdl::kernel {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kWords = LUDENS_KERNEL_WORDS;
constexpr std::size_t kLanes = kWords * 64;

#if LUDENS_KERNEL_WORDS == 1
using Register = Word;
#else
using Register = Word __attribute__((vector_size(LUDENS_KERNEL_WORDS * 8), may_alias));
#endif

inline Register zeros() {
  return Register{};
}
inline Register ones() {
  return ~Register{};
}
inline Register fill(Word w) {
  return Register{} + w;
}

inline Word* words(Register* r) {
  return reinterpret_cast<Word*>(r);
}
inline const Word* words(const Register* r) {
  return reinterpret_cast<const Word*>(r);
}

// --- functions of three bits; `borrow` is that of a - b - c

#if LUDENS_KERNEL_WORDS == 8

/// Bit `4a + 2b + c` of the table is the result.
template <int kTable>
inline Register ternary(Register a, Register b, Register c) {
  return (Register)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, kTable);
}
inline Register pick(Register which, Register a, Register b) {
  return ternary<0xca>(which, a, b);
}
inline Register pick_complement(Register which, Register a, Register b) {
  return ternary<0x3a>(which, a, b);
}
inline Register sum(Register a, Register b, Register c) {
  return ternary<0x96>(a, b, c);
}
inline Register carry(Register a, Register b, Register c) {
  return ternary<0xe8>(a, b, c);
}
inline Register borrow(Register a, Register b, Register c) {
  return ternary<0x8e>(a, b, c);
}
inline Register either(Register a, Register b, Register c) {
  return ternary<0xfe>(a, b, c);
}
inline bool any(Register r) {
  return _mm512_test_epi64_mask((__m512i)r, (__m512i)r) != 0;
}

#else

inline Register pick(Register which, Register a, Register b) {
  return b ^ (which & (a ^ b));
}
inline Register pick_complement(Register which, Register a, Register b) {
  return (which | b) & ~(which & a);
}
inline Register sum(Register a, Register b, Register c) {
  return a ^ b ^ c;
}
inline Register carry(Register a, Register b, Register c) {
  return (a & b) | (c & (a | b));
}
inline Register borrow(Register a, Register b, Register c) {
  return (b & c) | (~a & (b | c));
}
inline Register either(Register a, Register b, Register c) {
  return a | b | c;
}
#if LUDENS_KERNEL_WORDS == 4
inline bool any(Register r) {
  return _mm256_testz_si256((__m256i)r, (__m256i)r) == 0;
}
#elif LUDENS_KERNEL_WORDS == 2 && defined(__wasm_simd128__)
inline bool any(Register r) {
  return wasm_v128_any_true((v128_t)r);
}
#else
inline bool any(Register r) {
  Word all = 0;
  for (std::size_t i = 0; i < kWords; ++i) all |= words(&r)[i];
  return all != 0;
}
#endif

#endif

/// The number of ones of each word.
inline Register count_words(Register r) {
#if LUDENS_KERNEL_WORDS == 8
  return (Register)_mm512_popcnt_epi64((__m512i)r);
#else
  for (std::size_t i = 0; i < kWords; ++i) {
    words(&r)[i] = static_cast<Word>(__builtin_popcountll(words(&r)[i]));
  }
  return r;
#endif
}
inline Word sum_words(Register r) {
  Word n = 0;
  for (std::size_t i = 0; i < kWords; ++i) n += words(&r)[i];
  return n;
}
inline std::uint32_t count(Register r) {
  return static_cast<std::uint32_t>(sum_words(count_words(r)));
}

inline Register value(const Register* slots, const Edge& e) {
  return slots[e.slot] ^ fill(Word{0} - e.inverted);
}

/// Lane l is bit l / kWords of word l % kWords.
inline void set_lane(Register& r, std::size_t lane) {
  words(&r)[lane % kWords] |= Word{1} << (lane / kWords);
}

/// Calls f with the number of every lane whose bit is set.
template <typename F>
inline void for_lanes(Register which, F f) {
  for (std::size_t w = 0; w < kWords; ++w) {
    for (Word bits = words(&which)[w]; bits != 0; bits &= bits - 1) {
      f(static_cast<std::size_t>(__builtin_ctzll(bits)) * kWords + w);
    }
  }
}

/// xoroshiro128+ (Blackman and Vigna 2018), one generator in each 64-bit word.
struct Random {
  Register a, b;
  Register next() {
    const Register result = a + b;
    b ^= a;
    a = rotate<24>(a) ^ b ^ (b << 16);
    b = rotate<37>(b);
    return result;
  }

 private:
  template <int kBits>
  static Register rotate(Register x) {
    return (x << kBits) | (x >> (64 - kBits));
  }
};

}  // namespace
}  // namespace ludens::gdl::kernel
