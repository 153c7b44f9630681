// Between states as rows of bits and slots as columns of lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/sliced/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

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

void pack_word(const Word* const* states, std::size_t states_count, std::uint32_t word,
               Register* x) {
  for (std::size_t l = 0; l < kLanes; ++l) words(x)[l] = l < states_count ? states[l][word] : 0;
  transpose(x);
}

void pack(const Word* const* states, std::size_t states_count, std::uint32_t bits, void* slots) {
  auto* s = static_cast<Register*>(slots);
  Register x[64];
  for (std::uint32_t first = 0; first < bits; first += 64) {
    pack_word(states, states_count, first / 64, x);
    for (std::uint32_t b = 0; b < 64 && first + b < bits; ++b) s[first + b] = x[b];
  }
}

void unpack(const Edge* edges, std::uint32_t bits, const void* slots, Word* rows) {
  const auto* s = static_cast<const Register*>(slots);
  const std::size_t row_words = (bits + 63) / 64;
  Register x[64];
  for (std::uint32_t first = 0; first < bits; first += 64) {
    for (std::uint32_t b = 0; b < 64; ++b) {
      x[b] = first + b < bits ? value(s, edges[first + b]) : zeros();
    }
    transpose(x);
    for (std::size_t l = 0; l < kLanes; ++l) rows[l * row_words + first / 64] = words(x)[l];
  }
}

}  // namespace
}  // namespace ludens::gdl::kernel
