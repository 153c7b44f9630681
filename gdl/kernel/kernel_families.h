// SPDX-License-Identifier: MIT
// How many moves of families are legal, and which of them a number points at. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_blocks.h"

namespace ludens::gdl::kernel {
namespace {

/// x += a + b, without the carry, which it returns.
inline Register add_bits(Register& x, Register a, Register b) {
  const Register c = carry(x, a, b);
  x = sum(x, a, b);
  return c;
}

/// n += the number of ones in blocks of slots, in FamilyLeaf::kBits bits. Each slot is read once
/// and nothing is written in between.
inline void add_ones(const std::uint32_t* c, std::uint32_t blocks, const Register* s, Register* n) {
  for (std::uint32_t b = blocks; b > 0; --b, c += FamilyLeaf::kBlock) {
    const Register two = add_bits(n[0], s[c[0]], s[c[1]]), two2 = add_bits(n[0], s[c[2]], s[c[3]]);
    const Register four = add_bits(n[1], two, two2);
    const Register two3 = add_bits(n[0], s[c[4]], s[c[5]]), two4 = add_bits(n[0], s[c[6]], s[c[7]]);
    Register further = add_bits(n[2], four, add_bits(n[1], two3, two4));
#pragma GCC unroll 8
    for (std::uint32_t k = 3; k < FamilyLeaf::kBits; ++k) {
      const Register before = n[k];
      n[k] = before ^ further;
      further &= before;
    }
  }
}

/// The number of legal moves of a leaf, in FamilyLeaf::kLeafBits bits.
inline void count_families(const FamilyLeaf& leaf, const std::uint32_t* own, const Register* s,
                           Register* to) {
  constexpr std::uint32_t kBits = FamilyLeaf::kBits;
  // All of them are read before the first one is needed, because few are in the first-level cache.
  unsigned some = 0;
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < FamilyLeaf::kFamilies; ++i) {
    some |= unsigned{any(s[leaf.families[i].common])} << i;
  }
  Register shared[kBits], total[FamilyLeaf::kLeafBits];  // GCC clears `= {}` by a slow `rep stos`
#pragma GCC unroll 8
  for (Register& bit : shared) bit = zeros();
#pragma GCC unroll 16
  for (Register& bit : total) bit = zeros();
  if (some != 0) add_ones(own + leaf.shared, leaf.shared_blocks, s, shared);
  for (; some != 0; some &= some - 1) {
    const FamilyLeaf::Family& family = leaf.families[__builtin_ctz(some)];
    const Register common = s[family.common];
    Register n[kBits], c = zeros();
    for (std::uint32_t k = 0; k < kBits; ++k) n[k] = shared[k];
    add_ones(own + family.own, family.blocks, s, n);
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < kBits; ++k) {
      const Register before = total[k], legal = n[k] & common;
      total[k] = sum(before, legal, c);
      c = carry(before, legal, c);
    }
    for (std::uint32_t k = kBits; k < FamilyLeaf::kLeafBits; ++k) {
      const Register before = total[k];
      total[k] = before ^ c;
      c &= before;
    }
  }
  for (std::uint32_t k = 0; k < FamilyLeaf::kLeafBits; ++k) to[k] = total[k];
}

/// The bits of one lane in registers.
class Lane {
 public:
  Lane(const Register* registers, std::size_t lane)
      : words_(words(registers) + lane % kWords), up_(63 - lane / kWords) {}
  /// The bit, as the highest of a word.
  Word operator[](std::uint32_t r) const {
    return words_[std::size_t{r} * kWords] << up_ & Word{1} << 63;
  }
  /// The bits of blocks of registers, the first in the lowest bit.
  __attribute__((noinline)) Word blocks(const std::uint32_t* r, std::uint32_t blocks) const {
    const Lane lane = *this;
    Word bits = 0;
    for (const std::uint32_t* const end = r + blocks * FamilyLeaf::kBlock; r != end;
         r += FamilyLeaf::kBlock) {
#pragma GCC unroll 8
      for (std::uint32_t k = 0; k < FamilyLeaf::kBlock; ++k) bits = bits >> 1 | lane[r[k]];
    }
    return blocks == 0 ? 0 : bits >> (64 - blocks * FamilyLeaf::kBlock);
  }

 private:
  const Word* words_;
  std::size_t up_;
};

/// The place of the set bit that `before` others precede.
inline std::uint32_t set_bit(Word bits, unsigned before) {
#ifdef __BMI2__
  bits = _pdep_u64(Word{1} << before, bits);
#else
  for (; before != 0; --before) bits &= bits - 1;
#endif
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

/// The move of a leaf that a number, of FamilyLeaf::kLeafBits bits, points at in one lane. The
/// number is below the count in this lane. In a single lane few families have a legal move, so this
/// is faster than to count in all lanes again.
inline std::uint32_t choose_of_families(const FamilyLeaf& leaf, const std::uint32_t* own,
                                        const Register* s, const Register* number,
                                        std::size_t lane) {
  // Own slots are bits of a word, also where the blocks of both kinds have been filled.
  static_assert(FamilyLeaf::kMoves + 2 * (FamilyLeaf::kBlock - 1) < 64);
  const Lane slots(s, lane), digits(number, lane);
  Word left = 0;
  for (std::uint32_t k = FamilyLeaf::kLeafBits; k-- > 0;) left = left << 1 | digits[k] >> 63;
  Word some = 0;
#pragma GCC unroll 8
  for (std::uint32_t i = FamilyLeaf::kFamilies; i-- > 0;) {
    some = some << 1 | slots[leaf.families[i].common] >> 63;
  }
  const Word shared = slots.blocks(own + leaf.shared, leaf.shared_blocks);
  for (;; some &= some - 1) {
    const FamilyLeaf::Family& family = leaf.families[__builtin_ctzll(some)];
    const Word others = slots.blocks(own + family.own, family.blocks);
    Word legal = shared | others << (leaf.shared_blocks * FamilyLeaf::kBlock);
    const auto count = static_cast<Word>(__builtin_popcountll(legal));
    if (left < count) {
      return family.first_move + set_bit(legal, static_cast<unsigned>(left));
    }
    left -= count;
  }
}

}  // namespace
}  // namespace ludens::gdl::kernel
