// SPDX-License-Identifier: MIT
// Random choice among many moves. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_choice.h"

namespace ludens::gdl::kernel {
namespace {

/// The legal bits of 64 moves, and their counts: of 8, 16, 32 and all of them.
class LeafCounts {
 public:
  void evaluate(const LegalLeaf& leaf, const std::uint32_t* code, const Register* s) {
    const std::uint32_t* c = code + leaf.code;
    switch (leaf.plain * 8 + leaf.complemented) {
#define LUDENS_SHAPE(p, n)    \
  case (p)*8 + (n):           \
    conjunctions<p, n>(c, s); \
    break;
      LUDENS_SHAPE(1, 0)
      LUDENS_SHAPE(0, 1)
      LUDENS_SHAPE(2, 0)
      LUDENS_SHAPE(1, 1)
      LUDENS_SHAPE(0, 2)
      LUDENS_SHAPE(3, 0)
      LUDENS_SHAPE(2, 1)
      LUDENS_SHAPE(1, 2)
      LUDENS_SHAPE(4, 0)
      LUDENS_SHAPE(3, 1)
      LUDENS_SHAPE(5, 0)
      LUDENS_SHAPE(6, 0)
#undef LUDENS_SHAPE
      default:
        wide_conjunctions(leaf, c, s);
    }
    for (std::uint32_t m = leaf.moves; m < LegalLeaf::kMoves; ++m) legal_[m] = zeros();
    for (int b = 0; b < 8; ++b) count_block<8>(legal_ + 8 * b, of_8_ + 4 * b);
    add_counts<4>(of_8_, of_16_, 8);
    add_counts<5>(of_16_, of_32_, 4);
  }

  /// The number of all, in seven bits.
  void count(Register* to) const {
    add_counts<6>(of_32_, to, 2);
  }

  /// Calls f with the number of each move that is chosen in some lane, and these lanes. `number` is
  /// one below the count in each lane of `chosen`.
  template <typename F>
  void choose(Register chosen, const Register* number, F f) const {
    Register chosen_32[2], chosen_16[4], chosen_8[8];
    Register below_32[2 * 6], below_16[4 * 5], below_8[8 * 4];
    descend<6>(of_32_, 2, &chosen, number, chosen_32, below_32);
    descend<5>(of_16_, 4, chosen_32, below_32, chosen_16, below_16);
    descend<4>(of_8_, 8, chosen_16, below_16, chosen_8, below_8);
    for (std::uint32_t b = 0; b < 8; ++b) {
      if (!any(chosen_8[b])) continue;
      Register out[8];
      choose_of_block<8>(legal_ + 8 * b, chosen_8[b], below_8 + 4 * b, out);
      for (std::uint32_t k = 0; k < 8; ++k) {
        if (any(out[k])) f(8 * b + k, out[k]);
      }
    }
  }

 private:
  template <int kPlain, int kComplemented>
  void conjunctions(const std::uint32_t* c, const Register* s) {
    for (std::uint32_t m = 0; m < LegalLeaf::kMoves; ++m, c += kPlain + kComplemented) {
      Register on = ones(), off = zeros();
      for (int k = 0; k < kPlain; ++k) on &= s[c[k]];
      for (int k = 0; k < kComplemented; ++k) off |= s[c[kPlain + k]];
      legal_[m] = on & ~off;
    }
  }

  void wide_conjunctions(const LegalLeaf& leaf, const std::uint32_t* c, const Register* s) {
    for (std::uint32_t m = 0; m < LegalLeaf::kMoves; ++m) {
      Register on = ones(), off = zeros();
      for (std::uint32_t k = 0; k < leaf.plain; ++k) on &= s[*c++];
      for (std::uint32_t k = 0; k < leaf.complemented; ++k) off |= s[*c++];
      legal_[m] = on & ~off;
    }
  }

  Register legal_[LegalLeaf::kMoves];
  Register of_8_[8 * 4], of_16_[4 * 5], of_32_[2 * 6];
};

/// One role's choice in all lanes. What is legal is evaluated leaf by leaf, counted and discarded,
/// and evaluated again for the leaves that were chosen: that is faster than to write it and read it
/// back.
class SparseChoice {
 public:
  SparseChoice(const SparseChooser& chooser, Register active, Register* slots)
      : chooser_(chooser), active_(active), s_(slots), sums_(chooser.tree, chooser.scratch) {}

  static std::size_t scratch(const CountTree& tree) {
    return Sums::registers(tree) * sizeof(Register);
  }

  /// Chooses one legal move in every active lane and adds it to its sets, which are empty before.
  /// Returns the lanes that had a legal move.
  __attribute__((noinline)) Register make(Random& random) {
    LeafCounts counts;
    const std::uint32_t leaves = chooser_.tree.blocks;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      counts.evaluate(chooser_.leaves[leaf], chooser_.code, s_);
      counts.count(sums_.leaves() + leaf * LegalLeaf::kBits);
    }
    const Register has_move = sums_.choose(random, active_);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      const Register chosen = sums_.chosen(leaf);
      if (!any(chosen)) continue;
      counts.evaluate(chooser_.leaves[leaf], chooser_.code, s_);
      const std::uint32_t* const first = chooser_.first_set + leaf * LegalLeaf::kMoves;
      counts.choose(chosen, sums_.remainders() + leaf * LegalLeaf::kBits,
                    [&](std::uint32_t m, Register lanes) {
                      for (std::uint32_t i = first[m]; i < first[m + 1]; ++i) {
                        s_[chooser_.sets[i]] |= lanes;
                      }
                    });
    }
    return has_move;
  }

 private:
  const SparseChooser& chooser_;
  Register active_;
  Register* s_;
  Sums sums_;
};

}  // namespace
}  // namespace ludens::gdl::kernel
