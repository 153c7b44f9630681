// SPDX-License-Identifier: MIT
// How many of 8 or 64 moves are legal, and which of them a number points at, in each lane. Under
// the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_sums.h"

namespace ludens::gdl::kernel {
namespace {

// Blocks have 8 moves; the last one has 1, 2, 4 or 8.

template <int kMoves>
inline void load_block(const Chooser& chooser, const Register* s, std::uint32_t block,
                       Register* a) {
  const Edge* legal = chooser.legal + block * CountTree::kBlock;
  if (chooser.mixed[block] != 0) {
    for (int k = 0; k < kMoves; ++k) a[k] = value(s, legal[k]);
    return;
  }
#pragma GCC unroll 8
  for (int k = 0; k < kMoves; ++k) a[k] = s[legal[k].slot];
}

template <int kMoves>
inline Register any_of(const Register* a) {
  if constexpr (kMoves == 1) return a[0];
  if constexpr (kMoves == 2) return a[0] | a[1];
  if constexpr (kMoves == 4) return either(a[0], a[1], a[2]) | a[3];
  if constexpr (kMoves == 8) {
    return either(either(a[0], a[1], a[2]), either(a[3], a[4], a[5]), a[6] | a[7]);
  }
}

/// The number of ones, in four bits.
template <int kMoves>
inline void count_block(const Register* a, Register* z) {
  z[1] = z[2] = z[3] = zeros();
  if constexpr (kMoves == 1) {
    z[0] = a[0];
  } else if constexpr (kMoves == 2) {
    z[0] = a[0] ^ a[1];
    z[1] = a[0] & a[1];
  } else if constexpr (kMoves == 4) {
    const Register s = sum(a[0], a[1], a[2]), c = carry(a[0], a[1], a[2]), d = s & a[3];
    z[0] = s ^ a[3];
    z[1] = c ^ d;
    z[2] = c & d;
  } else {
    const Register s1 = sum(a[0], a[1], a[2]), c1 = carry(a[0], a[1], a[2]);
    const Register s2 = sum(a[3], a[4], a[5]), c2 = carry(a[3], a[4], a[5]);
    const Register s3 = sum(s1, s2, a[6]), c3 = carry(s1, s2, a[6]);
    const Register c4 = s3 & a[7];
    const Register t = sum(c1, c2, c3), d1 = carry(c1, c2, c3), d2 = t & c4;
    z[0] = s3 ^ a[7];
    z[1] = t ^ c4;
    z[2] = d1 ^ d2;
    z[3] = d1 & d2;
  }
}

/// Chooses among four moves a0..a3, with `pair` = a0 + a1 in two bits, the one that the remainder r
/// points at.
inline void choose_of_four(Register chosen, Register r0, Register r1, Register pair0,
                           Register pair1, Register a0, Register a2, Register* out) {
  const Register b = ~r0 & pair0, e0 = r0 ^ pair0;
  const Register goes_left = borrow(r1, pair1, b);
  const Register left = chosen & goes_left, right = chosen & ~goes_left;
  const Register first = a0 & ~r0, third = a2 & ~e0;
  out[0] = left & first;
  out[1] = left & ~first;
  out[2] = right & third;
  out[3] = right & ~third;
}

/// The move that the remainder r, which is below the block's count, points at.
template <int kMoves>
inline void choose_of_block(const Register* a, Register chosen, const Register* r, Register* out) {
  if constexpr (kMoves == 1) {
    out[0] = chosen;
  } else if constexpr (kMoves == 2) {
    out[0] = chosen & a[0] & ~r[0];
    out[1] = chosen & ~out[0];
  } else if constexpr (kMoves == 4) {
    choose_of_four(chosen, r[0], r[1], a[0] ^ a[1], a[0] & a[1], a[0], a[2], out);
  } else {
    const Register p0 = a[0] ^ a[1], p1 = a[0] & a[1], q0 = a[2] ^ a[3], q1 = a[2] & a[3];
    const Register u0 = a[4] ^ a[5], u1 = a[4] & a[5];
    const Register c = p0 & q0;
    const Register x0 = p0 ^ q0, x1 = sum(p1, q1, c), x2 = carry(p1, q1, c);  // a0 + ... + a3
    const Register b0 = ~r[0] & x0, d0 = r[0] ^ x0;
    const Register d1 = sum(r[1], x1, b0), b1 = borrow(r[1], x1, b0);
    const Register goes_left = borrow(r[2], x2, b1);
    choose_of_four(chosen & goes_left, r[0], r[1], p0, p1, a[0], a[2], out);
    choose_of_four(chosen & ~goes_left, d0, d1, u0, u1, a[4], a[6], out + 4);
  }
}

/// How many of 64 moves are legal in the left half of each part: enough to find the block of 8 that
/// a number points at.
struct LeftCounts {
  Register half[6], quarter[2][5], block[4][4];

  /// Which lanes choose which block, and the number of the move within it, in four bits per block.
  /// `number` is below the count of all in each lane of `chosen`. Returns a bit for each block that
  /// a lane has chosen.
  __attribute__((always_inline)) unsigned choose(Register chosen, const Register* number,
                                                 Register* blocks, Register* below) const {
    Register of_half[2], right[6];
    descend_pair<6>(half, chosen, number, of_half, right);
    choose_of_half(0, of_half[0], number, blocks, below);
    choose_of_half(1, of_half[1], right, blocks, below);
    unsigned some = 0;
#pragma GCC unroll 8
    for (unsigned b = 0; b < LegalLeaf::kBlocks; ++b) some |= unsigned{any(blocks[b])} << b;
    return some;
  }

 private:
  __attribute__((always_inline)) void choose_of_half(unsigned h, Register chosen,
                                                     const Register* number, Register* blocks,
                                                     Register* below) const {
    Register of_quarter[2], right[5];
    descend_pair<5>(quarter[h], chosen, number, of_quarter, right);
    choose_of_quarter(2 * h, of_quarter[0], number, blocks, below);
    choose_of_quarter(2 * h + 1, of_quarter[1], right, blocks, below);
  }
  __attribute__((always_inline)) void choose_of_quarter(unsigned q, Register chosen,
                                                        const Register* number, Register* blocks,
                                                        Register* below) const {
    Register* const r = below + 8 * q;
    for (int k = 0; k < 4; ++k) r[k] = number[k];
    descend_pair<4>(block[q], chosen, number, blocks + 2 * q, r + 4);
  }
};

/// Counts the legal moves among 64 into seven bits. `load(b, a)` writes the legal bits of block b
/// to a[0] .. a[7]. Sums are made as soon as their terms are there, so that these are still in
/// registers.
template <typename Load>
__attribute__((always_inline)) inline void count_leaf(Load load, Register* all, LeftCounts& left) {
  Register of_32[2][6];
#pragma GCC unroll 2
  for (std::uint32_t h = 0; h < 2; ++h) {
    Register of_16[2][5];
#pragma GCC unroll 2
    for (std::uint32_t q = 0; q < 2; ++q) {
      Register of_8[2][4];
#pragma GCC unroll 2
      for (std::uint32_t b = 0; b < 2; ++b) {
        Register a[CountTree::kBlock];
        load(4 * h + 2 * q + b, a);
        count_block<CountTree::kBlock>(a, of_8[b]);
      }
      for (int k = 0; k < 4; ++k) left.block[2 * h + q][k] = of_8[0][k];
      add_pair<4>(of_8[0], of_8[1], of_16[q]);
    }
    for (int k = 0; k < 5; ++k) left.quarter[h][k] = of_16[0][k];
    add_pair<5>(of_16[0], of_16[1], of_32[h]);
  }
  for (int k = 0; k < 6; ++k) left.half[k] = of_32[0][k];
  add_pair<6>(of_32[0], of_32[1], all);
}

}  // namespace
}  // namespace ludens::gdl::kernel
