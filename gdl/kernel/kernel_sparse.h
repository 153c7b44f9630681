// SPDX-License-Identifier: MIT
// Random choice among many moves. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_choice.h"
#include "gdl/kernel/kernel_families.h"

namespace ludens::gdl::kernel {
namespace {

/// The legal bits of 64 moves, evaluated from their conditions.
class LegalBits {
 public:
  void evaluate(const LegalLeaf& leaf, const std::uint32_t* code, const Register* s) {
    const std::uint32_t* c = code + leaf.code;
    // Many conditions would have the number of another shape.
    const bool wide = leaf.plain + leaf.complemented > kMostUnrolled;
    switch (wide ? 0 : leaf.plain * 8 + leaf.complemented) {
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
      LUDENS_SHAPE(kMostUnrolled, 0)
#undef LUDENS_SHAPE
      default:
        wide_conjunctions(leaf, c, s);
    }
    for (std::uint32_t m = leaf.moves; m < LegalLeaf::kMoves; ++m) legal_[m] = zeros();
  }

  [[nodiscard]] const Register* block(std::uint32_t b) const {
    return legal_ + b * CountTree::kBlock;
  }
  __attribute__((always_inline)) void count(Register* all, LeftCounts& left) const {
    const auto load = [this](std::uint32_t b, Register* a) {
      for (std::uint32_t k = 0; k < CountTree::kBlock; ++k) a[k] = block(b)[k];
    };
    count_leaf(load, all, left);
  }

 private:
  /// Conditions of a move, in the shapes that have a loop of their own.
  static constexpr std::uint32_t kMostUnrolled = 6;

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
    const std::uint32_t leaves = chooser_.leaf_count, all = chooser_.tree.leaves;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      count_moves(leaf);
      sums_.add_up(leaf);
    }
    for (std::uint32_t leaf = leaves; leaf < all; ++leaf) {
      count_families(families(leaf), chooser_.own, s_, number(sums_.leaves(), leaf));
      sums_.add_up(leaf);
    }
    const Register has_move = sums_.choose(random, active_);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      if (any(sums_.chosen(leaf))) settle_moves(leaf);
    }
    for (std::uint32_t leaf = leaves; leaf < all; ++leaf) {
      if (any(sums_.chosen(leaf))) settle_families(leaf);
    }
    add_to_sets();
    return has_move;
  }

 private:
  // A leaf's number among those of all leaves.
  template <typename R>
  R* number(R* numbers, std::uint32_t leaf) const {
    return numbers + static_cast<std::size_t>(leaf) * chooser_.tree.leaf_bits;
  }

  __attribute__((noinline)) void count_moves(std::uint32_t leaf) {
    LegalBits legal;
    legal.evaluate(chooser_.leaves[leaf], chooser_.code, s_);
    Register* const to = number(sums_.leaves(), leaf);
    LeftCounts left;
    legal.count(to, left);
    for (std::uint32_t k = LegalLeaf::kBits; k < chooser_.tree.leaf_bits; ++k) to[k] = zeros();
  }

  [[nodiscard]] const FamilyLeaf& families(std::uint32_t leaf) const {
    return chooser_.families[leaf - chooser_.leaf_count];
  }

  // Lists the moves that lanes choose in a leaf of moves.
  __attribute__((noinline)) void settle_moves(std::uint32_t leaf) {
    LegalBits legal;
    legal.evaluate(chooser_.leaves[leaf], chooser_.code, s_);
    constexpr std::uint32_t kBlocks = LegalLeaf::kBlocks;
    Register all[LegalLeaf::kBits], blocks[kBlocks], below[4 * kBlocks];
    LeftCounts left;
    legal.count(all, left);
    for (unsigned some =
             left.choose(sums_.chosen(leaf), number(sums_.remainders(), leaf), blocks, below);
         some != 0; some &= some - 1) {
      const auto b = static_cast<unsigned>(__builtin_ctz(some));
      Register out[CountTree::kBlock];
      choose_of_block<CountTree::kBlock>(legal.block(b), blocks[b], below + 4 * b, out);
      for (std::uint32_t k = 0; k < CountTree::kBlock; ++k) {
        if (any(out[k])) note(leaf * LegalLeaf::kMoves + b * CountTree::kBlock + k, out[k]);
      }
    }
  }

  // Lists the moves that lanes choose in a leaf of families.
  __attribute__((noinline)) void settle_families(std::uint32_t leaf) {
    for_lanes(sums_.chosen(leaf), [&](std::size_t lane) {
      const std::uint32_t move = choose_of_families(families(leaf), chooser_.own, s_,
                                                    number(sums_.remainders(), leaf), lane);
      Register here = zeros();
      set_lane(here, lane);
      note(move, here);
    });
  }

  void note(std::uint32_t move, Register lanes) {
    __builtin_prefetch(chooser_.first_set + move);
    made_lanes_[made_] = lanes;
    made_moves_[made_++] = move;
  }

  // Adds the moves to their sets. Each access is likely to miss the caches and depends on the one
  // before, so it is made for all moves before the next one is made for any.
  void add_to_sets() {
    const std::uint32_t* const first = chooser_.first_set;
    for (std::size_t i = 0; i < made_; ++i)
      __builtin_prefetch(chooser_.sets + first[made_moves_[i]]);
    for (std::size_t i = 0; i < made_; ++i) {
      const std::uint32_t m = made_moves_[i];
      for (std::uint32_t k = first[m]; k < first[m + 1]; ++k)
        __builtin_prefetch(s_ + chooser_.sets[k]);
    }
    for (std::size_t i = 0; i < made_; ++i) {
      const std::uint32_t m = made_moves_[i];
      for (std::uint32_t k = first[m]; k < first[m + 1]; ++k)
        s_[chooser_.sets[k]] |= made_lanes_[i];
    }
  }

  const SparseChooser& chooser_;
  Register active_;
  Register* s_;
  Sums sums_;
  // The moves that some lane has chosen, of which there are at most as many as lanes.
  Register made_lanes_[kLanes];
  std::uint32_t made_moves_[kLanes];
  std::size_t made_ = 0;
};

}  // namespace
}  // namespace ludens::gdl::kernel
