// Between states as rows of bits and slots as columns of lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/sliced/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

#if LUDENS_KERNEL_WORDS == 8

/// Shuffles for one stage of a transposition of bytes: of two registers, byte kDistance of a byte's
/// number within its word changes places with the register's number.
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

/// Lane l's word stands at word l of x; afterwards x[b] holds bit b of all lanes. Its own inverse.
/// Each 64x64 bits are 8x8 tiles of 8x8 bits: a product of bit matrices (affine transformation with
/// the tile as the matrix) turns a tile, shuffles of bytes put them into place.
inline void transpose(Register* registers) {
  auto* x = reinterpret_cast<__m512i*>(registers);
  const ByteExchange<1> one;
  const ByteExchange<2> two;
  const ByteExchange<4> four;
  const __m512i identity = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  __m512i tiles[64];
  for (int a = 0; a < 8; ++a) {
    __m512i t[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) t[k] = x[8 * a + 7 - k];  // a matrix's last byte is its first row
    transpose_bytes(t, one, two, four);
#pragma GCC unroll 8
    for (int b = 0; b < 8; ++b) {
      tiles[8 * b + a] = _mm512_gf2p8affine_epi64_epi8(identity, t[b], 0);
    }
  }
  for (int b = 0; b < 8; ++b) {
    transpose_bytes(tiles + 8 * b, one, two, four);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) x[8 * b + k] = tiles[8 * b + k];
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

/// Lane l's word stands at word l of x; afterwards x[b] holds bit b of all lanes. Its own inverse.
/// 64x64 bits in each column of words (Warren, Hacker's Delight, section 7-3).
inline void transpose(Register* x) {
  exchange<32>(x, 0x00000000ffffffff);
  exchange<16>(x, 0x0000ffff0000ffff);
  exchange<8>(x, 0x00ff00ff00ff00ff);
  exchange<4>(x, 0x0f0f0f0f0f0f0f0f);
  exchange<2>(x, 0x3333333333333333);
  exchange<1>(x, 0x5555555555555555);
}

#endif

void pack_word(const Word* const* states, std::size_t states_count, std::uint32_t word,
               Register* x) {
  for (std::size_t l = 0; l < kLanes; ++l) words(x)[l] = l < states_count ? states[l][word] : 0;
  transpose(x);
}

/// Lane l gets the state at `states[l]`, for l < states_count; other lanes get zeros.
void pack(const Word* const* states, std::size_t states_count, std::uint32_t bits, void* slots) {
  auto* s = static_cast<Register*>(slots);
  Register x[64];
  for (std::uint32_t first = 0; first < bits; first += 64) {
    pack_word(states, states_count, first / 64, x);
    for (std::uint32_t b = 0; b < 64 && first + b < bits; ++b) s[first + b] = x[b];
  }
}

}  // namespace
}  // namespace ludens::gdl::kernel
