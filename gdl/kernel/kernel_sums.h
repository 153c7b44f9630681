// SPDX-License-Identifier: MIT
// A random number below the sum of many, and which of them it falls on, independently in each lane.
// Under the rules of kernel_registers.h.
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

/// z = x + y.
template <int kBits>
__attribute__((always_inline)) inline void add_pair(const Register* x, const Register* y,
                                                    Register* z) {
  Register c = x[0] & y[0];
  z[0] = x[0] ^ y[0];
#pragma GCC unroll 32
  for (int k = 1; k < kBits; ++k) {
    z[k] = sum(x[k], y[k], c);
    c = carry(x[k], y[k], c);
  }
  z[kBits] = c;
}

/// From the remainder `r` of a node of kBits + 1 bits to its two children: left if r is below the
/// left count. The left child's remainder is that of the node, without its last bit.
template <int kBits>
__attribute__((always_inline)) inline void descend_pair(const Register* left, Register parent,
                                                        const Register* r, Register* chosen,
                                                        Register* r_right) {
  Register c = ~r[0] & left[0];
  r_right[0] = r[0] ^ left[0];
#pragma GCC unroll 32
  for (int k = 1; k < kBits; ++k) {
    r_right[k] = sum(r[k], left[k], c);
    c = borrow(r[k], left[k], c);
  }
  const Register goes_left = c & ~r[kBits];
  chosen[0] = parent & goes_left;
  chosen[1] = parent & ~goes_left;
}

template <int kBits>
void add_counts(const Register* from, Register* to, std::uint32_t nodes) {
  for (std::uint32_t i = 0; i + 1 < nodes; i += 2) {
    add_pair<kBits>(from + i * kBits, from + (i + 1) * kBits, to + (i / 2) * (kBits + 1));
  }
  if (nodes % 2 != 0) {
    for (int k = 0; k < kBits; ++k)
      to[(nodes / 2) * (kBits + 1) + k] = from[(nodes - 1) * kBits + k];
    to[(nodes / 2) * (kBits + 1) + kBits] = zeros();
  }
}

/// From the remainders `r` of a level's parents to those of its nodes.
template <int kBits>
void descend(const Register* counts, std::uint32_t nodes, const Register* chosen, const Register* r,
             Register* chosen_below, Register* r_below) {
  for (std::uint32_t i = 0; i + 1 < nodes; i += 2) {
    const Register parent = chosen[i / 2];
    if (!any(parent)) {
      chosen_below[i] = chosen_below[i + 1] = zeros();
      continue;
    }
    const Register* in = r + (i / 2) * (kBits + 1);
    Register* out = r_below + i * kBits;
    descend_pair<kBits>(counts + i * kBits, parent, in, chosen_below + i, out + kBits);
    for (int k = 0; k < kBits; ++k) out[k] = in[k];
  }
  if (nodes % 2 != 0) {
    chosen_below[nodes - 1] = chosen[nodes / 2];
    for (int k = 0; k < kBits; ++k)
      r_below[(nodes - 1) * kBits + k] = r[(nodes / 2) * (kBits + 1) + k];
  }
}

/// Adds up `nodes` nodes of a level, from `first` on, which is even.
void add_level(const CountTree& tree, std::uint32_t level, Register* counts, std::uint32_t first,
               std::uint32_t nodes) {
  const std::uint32_t bits = tree.leaf_bits + level;
  const Register* from = counts + tree.offset[level] + first * bits;
  Register* to = counts + tree.offset[level + 1] + first / 2 * (bits + 1);
  switch (bits) {
#define LUDENS_CASE(b)              \
  case b:                           \
    add_counts<b>(from, to, nodes); \
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
    const std::size_t half = tree.leaves + 2;
    chosen_ = counts_ + tree.registers;
    chosen_below_ = chosen_ + half;
    r_ = chosen_below_ + half;
    r_below_ = r_ + half * (tree.leaf_bits + 2);
  }

  static std::size_t registers(const CountTree& tree) {
    const std::size_t half = tree.leaves + 2;
    return tree.registers + 2 * half + 2 * half * (tree.leaf_bits + 2);
  }

  /// The leaves' numbers, leaf_bits registers each.
  [[nodiscard]] Register* leaves() const { return counts_; }
  /// To be called for each leaf in a row, when it has been written: adds up several of them while
  /// they are in the first-level cache. `choose` adds up the rest.
  __attribute__((always_inline)) void add_up(std::uint32_t leaf) {
    const std::uint32_t end = leaf + 1;
    if (end % kTogether != 0 && end != tree_.leaves) return;
    const std::uint32_t first = leaf / kTogether * kTogether;
    std::uint32_t nodes = end - first;
    for (added_ = 0; added_ < kLevelsTogether && added_ + 1 < tree_.levels; ++added_) {
      add_level(tree_, added_, counts_, first >> added_, nodes);
      nodes = (nodes + 1) / 2;
    }
  }
  /// Chooses a leaf in every active lane in which not all are 0, by their numbers; returns these
  /// lanes.
  __attribute__((always_inline)) Register choose(Random& random, Register active) {
    for (std::uint32_t l = added_; l + 1 < tree_.levels; ++l) {
      add_level(tree_, l, counts_, 0, tree_.width[l]);
    }
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

  static constexpr std::uint32_t kLevelsTogether = 4, kTogether = 1U << kLevelsTogether;

  const CountTree& tree_;
  std::uint32_t added_ = 0;  // levels that `add_up` has added up
  Register *counts_, *chosen_, *chosen_below_, *r_, *r_below_;
};

}  // namespace
}  // namespace ludens::gdl::kernel
