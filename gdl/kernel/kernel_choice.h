// SPDX-License-Identifier: MIT
// Random choice among legal moves, independently in each lane. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

// --- a number below another

/// acc = (acc + bit * limit) / 2; returns the bit that falls off.
template <int kBits>
inline Register add_and_halve(Register* acc, const Register* limit, Register bit) {
  Register term = bit & limit[0];
  const Register off = acc[0] ^ term;
  Register c = acc[0] & term;
#pragma GCC unroll 32
  for (int k = 1; k < kBits; ++k) {
    term = bit & limit[k];
    acc[k - 1] = sum(acc[k], term, c);
    c = carry(acc[k], term, c);
  }
  acc[kBits - 1] = c;
  return off;
}

/// A number below `limit` in every lane, uniformly and without bias: the integral part of
/// U * limit, for U in [0, 1) with kBits + 12 random binary places. Where these do not decide it,
/// because further places could carry into it, `settle` draws them. Lanes without a limit get 0.
template <int kBits>
void draw(Random& random, const Register* limit, Register lanes, Register* out);

/// What the places after those drawn add is again uniform below `limit`: it is drawn, and added
/// where the places in between are all ones.
template <int kBits>
__attribute__((noinline)) void settle(Random& random, const Register* limit, Register lanes,
                                      const Register* low, Register* out) {
  Register behind[kBits];
  draw<kBits>(random, limit, lanes, behind);
  Register c = zeros();
  for (int k = 0; k < kBits; ++k) c = carry(low[k], behind[k], c);
  c &= lanes;
  for (int k = 0; k < kBits; ++k) {
    const Register before = out[k];
    out[k] = before ^ c;
    c &= before;
  }
}

template <int kBits>
void draw(Random& random, const Register* limit, Register lanes, Register* out) {
  constexpr int kFurther = 12;  // one lane in 4096 is left undecided
  Register acc[kBits], low[kBits], top[kBits];
#pragma GCC unroll 32
  for (int k = 0; k < kBits; ++k) {
    acc[k] = zeros();
    top[k] = limit[k];
  }
  for (int i = 0; i < kBits; ++i) low[i] = add_and_halve<kBits>(acc, top, random.next());
  Register undecided = lanes;
  for (int i = 0; i < kFurther; ++i) undecided &= add_and_halve<kBits>(acc, top, random.next());
#pragma GCC unroll 32
  for (int k = 0; k < kBits; ++k) out[k] = acc[k];
  if (any(undecided)) settle<kBits>(random, limit, undecided, low, out);
}

#define LUDENS_FOR_BITS(call)                                                                   \
  call(4) call(5) call(6) call(7) call(8) call(9) call(10) call(11) call(12) call(13) call(14)  \
      call(15) call(16) call(17) call(18) call(19) call(20) call(21) call(22) call(23) call(24) \
          call(25) call(26) call(27) call(28) call(29)

/// Draws `bits` bits below `limit` in all lanes of `lanes`; the limit is 0 in all others.
void draw_below(Random& random, const Register* limit, std::uint32_t bits, Register lanes,
                Register* out) {
  std::uint32_t top = bits;
  while (top > 1 && !any(limit[top - 1])) out[--top] = zeros();
  switch (top) {
    case 1:
      out[0] = zeros();
      break;
#define LUDENS_CASE(b)                  \
  case b:                               \
    draw<b>(random, limit, lanes, out); \
    break;
      LUDENS_CASE(2)
      LUDENS_CASE(3)
      LUDENS_FOR_BITS(LUDENS_CASE)
#undef LUDENS_CASE
    default:
      break;
  }
}

// --- the tree of counts

template <int kBits>
void add_counts(const Register* from, Register* to, std::uint32_t nodes) {
  for (std::uint32_t i = 0; i + 1 < nodes; i += 2) {
    const Register* x = from + i * kBits;
    const Register* y = x + kBits;
    Register* z = to + (i / 2) * (kBits + 1);
    Register c = x[0] & y[0];
    z[0] = x[0] ^ y[0];
#pragma GCC unroll 32
    for (int k = 1; k < kBits; ++k) {
      z[k] = sum(x[k], y[k], c);
      c = carry(x[k], y[k], c);
    }
    z[kBits] = c;
  }
  if (nodes % 2 != 0) {
    for (int k = 0; k < kBits; ++k)
      to[(nodes / 2) * (kBits + 1) + k] = from[(nodes - 1) * kBits + k];
    to[(nodes / 2) * (kBits + 1) + kBits] = zeros();
  }
}

/// From the remainders `r` of a level's parents to those of its nodes: left if r is below the left
/// count.
template <int kBits>
void descend(const Register* counts, std::uint32_t nodes, const Register* chosen, const Register* r,
             Register* chosen_below, Register* r_below) {
  for (std::uint32_t i = 0; i + 1 < nodes; i += 2) {
    const Register parent = chosen[i / 2];
    if (!any(parent)) {
      chosen_below[i] = chosen_below[i + 1] = zeros();
      continue;
    }
    const Register* left = counts + i * kBits;
    const Register* in = r + (i / 2) * (kBits + 1);
    Register* out = r_below + i * kBits;
    Register c = ~in[0] & left[0];
    out[0] = in[0];
    out[kBits] = in[0] ^ left[0];
#pragma GCC unroll 32
    for (int k = 1; k < kBits; ++k) {
      out[k] = in[k];
      out[kBits + k] = sum(in[k], left[k], c);
      c = borrow(in[k], left[k], c);
    }
    const Register goes_left = c & ~in[kBits];
    chosen_below[i] = parent & goes_left;
    chosen_below[i + 1] = parent & ~goes_left;
  }
  if (nodes % 2 != 0) {
    chosen_below[nodes - 1] = chosen[nodes / 2];
    for (int k = 0; k < kBits; ++k)
      r_below[(nodes - 1) * kBits + k] = r[(nodes / 2) * (kBits + 1) + k];
  }
}

void add_level(const CountTree& tree, std::uint32_t level, Register* counts) {
  const Register* from = counts + tree.offset[level];
  Register* to = counts + tree.offset[level + 1];
  switch (tree.leaf_bits + level) {
#define LUDENS_CASE(b)                          \
  case b:                                       \
    add_counts<b>(from, to, tree.width[level]); \
    break;
    LUDENS_FOR_BITS(LUDENS_CASE)
#undef LUDENS_CASE
    default:
      break;
  }
}

void descend_level(const CountTree& tree, std::uint32_t level, const Register* counts,
                   const Register* chosen, const Register* r, Register* chosen_below,
                   Register* r_below) {
  const Register* at = counts + tree.offset[level];
  switch (tree.leaf_bits + level) {
#define LUDENS_CASE(b)                                                   \
  case b:                                                                \
    descend<b>(at, tree.width[level], chosen, r, chosen_below, r_below); \
    break;
    LUDENS_FOR_BITS(LUDENS_CASE)
#undef LUDENS_CASE
    default:
      break;
  }
}

/// Works on a tree of sums: adds up from the leaves, draws a number below the root's, and goes down
/// again.
class Sums {
 public:
  Sums(const CountTree& tree, void* scratch)
      : tree_(tree), counts_(static_cast<Register*>(scratch)) {
    const std::size_t half = tree.blocks + 2;
    chosen_ = counts_ + tree.registers;
    chosen_below_ = chosen_ + half;
    r_ = chosen_below_ + half;
    r_below_ = r_ + half * (tree.leaf_bits + 2);
  }

  static std::size_t registers(const CountTree& tree) {
    const std::size_t half = tree.blocks + 2;
    return tree.registers + 2 * half + 2 * half * (tree.leaf_bits + 2);
  }

  /// The leaves' numbers, leaf_bits registers each.
  [[nodiscard]] Register* leaves() const { return counts_; }
  /// Chooses a leaf in every active lane in which not all are 0, by their numbers; returns these
  /// lanes.
  __attribute__((always_inline)) Register choose(Random& random, Register active) {
    for (std::uint32_t l = 0; l + 1 < tree_.levels; ++l) add_level(tree_, l, counts_);
    const Register some = choose_root(random, active);
    for (std::uint32_t level = tree_.levels - 1; level-- > 0;) {
      descend_level(tree_, level, counts_, chosen_, r_, chosen_below_, r_below_);
      swap(chosen_, chosen_below_);
      swap(r_, r_below_);
    }
    return some;
  }
  /// Lanes that have chosen a leaf.
  [[nodiscard]] Register chosen(std::uint32_t leaf) const { return chosen_[leaf]; }
  /// For chosen leaves, a number below the leaf's, in leaf_bits registers per leaf.
  [[nodiscard]] const Register* remainders() const { return r_; }

 private:
  template <typename T>
  static void swap(T*& x, T*& y) {
    T* t = x;
    x = y;
    y = t;
  }

  Register choose_root(Random& random, Register active) {
    const std::uint32_t bits = tree_.leaf_bits + tree_.levels - 1;
    Register* root = counts_ + tree_.offset[tree_.levels - 1];
    Register some = zeros();
    for (std::uint32_t k = 0; k < bits; ++k) some |= root[k] &= active;
    chosen_[0] = some;
    draw_below(random, root, bits, some, r_);
    return some;
  }

  const CountTree& tree_;
  Register *counts_, *chosen_, *chosen_below_, *r_, *r_below_;
};

// --- blocks of 8 moves, or of 1, 2, 4 or 8 at the end

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

/// One role's choice in all lanes. The inner loop of playouts: always inlined.
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
    dirty_ = legal_ + tree_.blocks;
  }

  static std::size_t scratch(const CountTree& tree) {
    return Sums::registers(tree) * sizeof(Register) + 2 * static_cast<std::size_t>(tree.blocks) +
           64;
  }

  /// Sets the bit of one legal move in every active lane, and clears those of all others. Returns
  /// the lanes that had a legal move.
  __attribute__((always_inline)) Register make(Random& random) {
    if (tree_.moves == 1) return s_[chooser_.first_move] = active_ & value(s_, chooser_.legal[0]);
    for (std::uint32_t block = 0; block < tree_.moves / 8; ++block) count<8>(block);
    at_last_block([this](auto size) { count<decltype(size)::kMoves>(tree_.blocks - 1); });
    const Register has_move = sums_.choose(random, active_);
    for (std::uint32_t block = 0; block < tree_.moves / 8; ++block) settle_block<8>(block);
    at_last_block([this](auto size) { settle_block<decltype(size)::kMoves>(tree_.blocks - 1); });
    return has_move;
  }

  /// Clears what `make` has set.
  void clear() {
    if (tree_.moves == 1) s_[chooser_.first_move] = zeros();
    for (std::uint32_t block = 0; block < tree_.blocks; ++block) clear_block(block);
  }

 private:
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
