// SPDX-License-Identifier: MIT
// Random choice among legal moves, independently in each lane. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_blocks.h"

namespace ludens::gdl::kernel {
namespace {

/// One role's choice among many moves. Of the counts within a leaf, only those of left halves are
/// kept; they are enough to find the block of a move. The legal bits are read again in the blocks
/// that some lane has chosen.
class LeafChoice {
 public:
  LeafChoice(const Chooser& chooser, Register active, Register* slots)
      : chooser_(chooser), active_(active), s_(slots), sums_(chooser.tree, chooser.scratch) {
    left_ = reinterpret_cast<LeftCounts*>(static_cast<Register*>(chooser.scratch) +
                                          Sums::registers(chooser.tree));
    dirty_ = reinterpret_cast<std::uint8_t*>(left_ + chooser.tree.leaves);
  }

  static std::size_t scratch(const CountTree& tree) {
    return Sums::registers(tree) * sizeof(Register) + tree.leaves * (sizeof(LeftCounts) + 1);
  }

  /// Like `Choice::make`.
  __attribute__((noinline)) Register make(Random& random) {
    for (std::uint32_t leaf = 0; leaf < chooser_.tree.leaves; ++leaf) {
      count(leaf);
      sums_.add_up(leaf);
    }
    const Register has_move = sums_.choose(random, active_);
    for (std::uint32_t leaf = 0; leaf < chooser_.tree.leaves; ++leaf) settle(leaf);
    return has_move;
  }

  /// Clears what `make` has set.
  void clear() {
    for (std::uint32_t leaf = 0; leaf < chooser_.tree.leaves; ++leaf) clear_blocks(leaf, 0);
  }

 private:
  static constexpr std::uint32_t kBlock = CountTree::kBlock, kBlocks = LegalLeaf::kBlocks;

  __attribute__((always_inline)) void count(std::uint32_t leaf) {
    const auto load = [this, leaf](std::uint32_t b, Register* a) {
      load_block<kBlock>(chooser_, s_, leaf * kBlocks + b, a);
    };
    count_leaf(load, sums_.leaves() + leaf * LegalLeaf::kBits, left_[leaf]);
  }

  // Writes the moves of the blocks that a lane has chosen.
  __attribute__((always_inline)) void settle(std::uint32_t leaf) {
    const Register chosen = sums_.chosen(leaf);
    unsigned some = 0;
    if (any(chosen)) {
      Register blocks[kBlocks], below[4 * kBlocks];
      some =
          left_[leaf].choose(chosen, sums_.remainders() + leaf * LegalLeaf::kBits, blocks, below);
      for (unsigned left = some; left != 0; left &= left - 1) {
        const auto b = static_cast<unsigned>(__builtin_ctz(left));
        const std::uint32_t block = leaf * kBlocks + b;
        Register a[kBlock], out[kBlock];
        load_block<kBlock>(chooser_, s_, block, a);
        choose_of_block<kBlock>(a, blocks[b], below + 4 * b, out);
        write(block, [&](std::uint32_t k) { return out[k]; });
      }
    }
    clear_blocks(leaf, some);
  }

  // Clears the moves of blocks that are set, but for the blocks `some`, which are set now.
  __attribute__((always_inline)) void clear_blocks(std::uint32_t leaf, unsigned some) {
    for (unsigned left = dirty_[leaf] & ~some; left != 0; left &= left - 1) {
      write(leaf * kBlocks + static_cast<unsigned>(__builtin_ctz(left)),
            [](std::uint32_t /*k*/) { return zeros(); });
    }
    dirty_[leaf] = static_cast<std::uint8_t>(some);
  }

  // `move(k)`: the lanes that choose the block's move k. The last block may have fewer moves than
  // the others.
  template <typename Moves>
  __attribute__((always_inline)) void write(std::uint32_t block, Moves move) {
    const std::uint32_t first = block * kBlock, left = chooser_.tree.moves - first;
    Register* const to = s_ + chooser_.first_move + first;
    if (left >= kBlock) {
#pragma GCC unroll 8
      for (std::uint32_t k = 0; k < kBlock; ++k) to[k] = move(k);
    } else {
      for (std::uint32_t k = 0; k < left; ++k) to[k] = move(k);
    }
  }

  const Chooser& chooser_;
  Register active_;
  Register* s_;
  Sums sums_;
  LeftCounts* left_;     // [leaf]
  std::uint8_t* dirty_;  // [leaf]: a bit for each of its blocks in which a move is set
};

/// One role's choice in all lanes, which is made by blocks or by leaves. The inner loop of
/// playouts: always inlined.
class Choice {
 public:
  Choice(const Chooser& chooser, Register active, Register* slots)
      : chooser_(chooser),
        tree_(chooser.tree),
        active_(active),
        s_(slots),
        sums_(chooser.tree, chooser.scratch) {
    legal_ = reinterpret_cast<std::uint8_t*>(static_cast<Register*>(chooser.scratch) +
                                             Sums::registers(tree_));
    dirty_ = legal_ + tree_.leaves;
  }

  static std::size_t scratch(const CountTree& tree) {
    if (is_by_leaves(tree)) return LeafChoice::scratch(tree);
    return Sums::registers(tree) * sizeof(Register) + 2 * static_cast<std::size_t>(tree.leaves) +
           64;
  }

  /// Sets the bit of one legal move in every active lane, and clears those of all others. Returns
  /// the lanes that had a legal move.
  __attribute__((always_inline)) Register make(Random& random) {
    if (tree_.moves == 1) return s_[chooser_.first_move] = active_ & value(s_, chooser_.legal[0]);
    if (is_by_leaves(tree_)) return LeafChoice(chooser_, active_, s_).make(random);
    for (std::uint32_t block = 0; block < tree_.moves / 8; ++block) count<8>(block);
    at_last_block([this](auto size) { count<decltype(size)::kMoves>(tree_.leaves - 1); });
    const Register has_move = sums_.choose(random, active_);
    for (std::uint32_t block = 0; block < tree_.moves / 8; ++block) settle_block<8>(block);
    at_last_block([this](auto size) { settle_block<decltype(size)::kMoves>(tree_.leaves - 1); });
    return has_move;
  }

  /// Clears what `make` has set.
  void clear() {
    if (tree_.moves == 1) s_[chooser_.first_move] = zeros();
    if (is_by_leaves(tree_)) return LeafChoice(chooser_, active_, s_).clear();
    for (std::uint32_t block = 0; block < tree_.leaves; ++block) clear_block(block);
  }

 private:
  static bool is_by_leaves(const CountTree& tree) { return tree.leaf_bits == LegalLeaf::kBits; }

  template <int kSize>
  struct Size {
    static constexpr int kMoves = kSize;
  };

  // Calls f with the size of the last block, if it is not full.
  template <typename F>
  void at_last_block(F f) {
    switch (tree_.moves % 8) {
      case 0:
        break;
      case 1:
        f(Size<1>());
        break;
      case 2:
        f(Size<2>());
        break;
      case 3:
      case 4:
        f(Size<4>());
        break;
      default:
        f(Size<8>());
    }
  }

  template <int kMoves>
  __attribute__((always_inline)) void count(std::uint32_t block) {
    Register a[kMoves];
    load_block<kMoves>(chooser_, s_, block, a);
    Register* z = sums_.leaves() + block * CountTree::kLeafBits;
    legal_[block] = any(any_of<kMoves>(a) & active_);
    if (legal_[block] != 0) {
      count_block<kMoves>(a, z);
    } else {
      z[0] = z[1] = z[2] = z[3] = zeros();
    }
  }

  void clear_block(std::uint32_t block) {
    if (dirty_[block] == 0) return;
    dirty_[block] = 0;
    const std::uint32_t first = block * CountTree::kBlock;
    Register* to = s_ + chooser_.first_move + first;
    const std::uint32_t left = tree_.moves - first;
    for (std::uint32_t k = 0; k < CountTree::kBlock && k < left; ++k) to[k] = zeros();
  }

  // Writes the moves of a block. Blocks without a chosen move are cleared only if they had one.
  template <int kMoves>
  __attribute__((always_inline)) void settle_block(std::uint32_t block) {
    const std::uint32_t first = block * CountTree::kBlock;
    const std::uint32_t n = tree_.moves - first < kMoves ? tree_.moves - first : kMoves;
    Register* to = s_ + chooser_.first_move + first;
    if (legal_[block] == 0 || !any(sums_.chosen(block))) {
      return clear_block(block);
    }
    dirty_[block] = 1;
    Register a[kMoves], out[kMoves];
    load_block<kMoves>(chooser_, s_, block, a);
    choose_of_block<kMoves>(a, sums_.chosen(block),
                            sums_.remainders() + block * CountTree::kLeafBits, out);
    if (n == kMoves) {
#pragma GCC unroll 8
      for (int k = 0; k < kMoves; ++k) to[k] = out[k];
    } else {
      for (std::uint32_t k = 0; k < n; ++k) to[k] = out[k];
    }
  }

  const Chooser& chooser_;
  const CountTree& tree_;
  Register active_;
  Register* s_;
  Sums sums_;
  std::uint8_t* legal_;  // [block]: a move of it is legal in an active lane
  std::uint8_t* dirty_;  // [block]: a bit of its moves is set
};

/// One role's choice in all lanes, by the moves' weights. Each move is a leaf of the tree, and its
/// number the weight where it is legal: exact, without drawing again, but all moves are summed.
class WeightedChoice {
 public:
  WeightedChoice(const Chooser& chooser, const Weighting& weighting, Register active,
                 Register* slots)
      : chooser_(chooser),
        weighting_(weighting),
        active_(active),
        s_(slots),
        sums_(weighting.tree, weighting.scratch) {}

  static std::size_t scratch(const CountTree& tree) {
    return Sums::registers(tree) * sizeof(Register);
  }

  /// Like `Choice::make`.
  __attribute__((noinline)) Register make(Random& random) {
    const std::uint32_t bits = weighting_.tree.leaf_bits;
    Register* leaf = sums_.leaves();
    for (std::uint32_t m = 0; m < weighting_.tree.moves; ++m, leaf += bits) {
      const Register legal = value(s_, chooser_.legal[m]) & active_;
      for (std::uint32_t k = 0; k < bits; ++k) {
        leaf[k] = (weighting_.weight[m] >> k & 1) != 0 ? legal : zeros();
      }
    }
    const Register has_move = sums_.choose(random, active_);
    Register* const to = s_ + chooser_.first_move;
    for (std::uint32_t m = 0; m < weighting_.tree.moves; ++m) to[m] = sums_.chosen(m);
    return has_move;
  }

  /// Clears what `make` has set.
  void clear() {
    Register* const to = s_ + chooser_.first_move;
    for (std::uint32_t m = 0; m < weighting_.tree.moves; ++m) to[m] = zeros();
  }

 private:
  const Chooser& chooser_;
  const Weighting& weighting_;
  Register active_;
  Register* s_;
  Sums sums_;
};

}  // namespace
}  // namespace ludens::gdl::kernel
