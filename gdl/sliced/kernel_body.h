// The kernel, written once for all register widths: included by kernel_64.cpp, kernel_256.cpp and
// kernel_512.cpp, each compiled for its instruction set. Everything has internal linkage and
// nothing of the standard library is used but fixed-size integers: see kernel.h.
#pragma once

#include "gdl/sliced/kernel.h"
#include "gdl/sliced/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

// --- uniform choice among legal moves, each lane for itself

/// A tree of counts over blocks of 8 moves, each count in sliced form: bit k of all lanes in one
/// register. A number below the root's count is drawn and carried down by compare and subtract.
struct CountTree {
  static constexpr std::uint32_t kLeafBits = 4, kMaxBits = 24;
  std::uint32_t blocks, levels;
  std::uint32_t width[kMaxBits];   // nodes of a level
  std::uint32_t offset[kMaxBits];  // first register of a level
  std::uint32_t registers;

  explicit CountTree(std::uint32_t moves) : blocks((moves + 7) / 8), levels(0), registers(0) {
    for (std::uint32_t m = blocks;; m = (m + 1) / 2) {
      width[levels] = m;
      offset[levels] = registers;
      registers += m * (kLeafBits + levels);
      ++levels;
      if (m == 1) break;
    }
  }
  [[nodiscard]] std::uint32_t bits(std::uint32_t level) const { return kLeafBits + level; }
};

/// Registers of a chooser: counts, two generations of selections and remainders; then a byte a
/// block.
std::size_t chooser_scratch(std::uint32_t moves) {
  const CountTree tree(moves);
  const std::size_t half = tree.blocks + 2;
  const std::size_t registers = tree.registers + 2 * half + 2 * half * (CountTree::kLeafBits + 2);
  return registers * sizeof(Register) + 2 * static_cast<std::size_t>(tree.blocks) + 64;
}

template <int kBits>
void add_counts(const Register* from, Register* to, std::uint32_t nodes) {
  for (std::uint32_t i = 0; i + 1 < nodes; i += 2) {
    const Register* x = from + i * kBits;
    const Register* y = x + kBits;
    Register* z = to + (i / 2) * (kBits + 1);
    Register c = zeros();
    for (int k = 0; k < kBits; ++k) {
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
    const Register* left = counts + i * kBits;
    const Register* in = r + (i / 2) * (kBits + 1);
    Register c = zeros();
    Register difference[kBits];
    for (int k = 0; k < kBits; ++k) {
      difference[k] = sum(in[k], left[k], c);
      c = borrow(in[k], left[k], c);
    }
    const Register goes_left = c & ~in[kBits];
    chosen_below[i] = chosen[i / 2] & goes_left;
    chosen_below[i + 1] = chosen[i / 2] & ~goes_left;
    for (int k = 0; k < kBits; ++k) {
      r_below[i * kBits + k] = in[k];
      r_below[(i + 1) * kBits + k] = difference[k];
    }
  }
  if (nodes % 2 != 0) {
    chosen_below[nodes - 1] = chosen[nodes / 2];
    for (int k = 0; k < kBits; ++k)
      r_below[(nodes - 1) * kBits + k] = r[(nodes / 2) * (kBits + 1) + k];
  }
}

#define LUDENS_FOR_BITS(call)                                                                  \
  call(4) call(5) call(6) call(7) call(8) call(9) call(10) call(11) call(12) call(13) call(14) \
      call(15) call(16) call(17) call(18) call(19) call(20) call(21) call(22) call(23)

void add_level(const CountTree& tree, std::uint32_t level, Register* counts) {
  const Register* from = counts + tree.offset[level];
  Register* to = counts + tree.offset[level + 1];
  switch (tree.bits(level)) {
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
  switch (tree.bits(level)) {
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

inline void load_block(const Chooser& chooser, const Register* s, std::uint32_t block,
                       Register* a) {
  const std::uint32_t first = block * 8;
  const std::uint32_t n = chooser.moves - first < 8 ? chooser.moves - first : 8;
  for (std::uint32_t k = 0; k < n; ++k) {
    a[k] = s[chooser.legal_slot[first + k]] ^ fill(chooser.legal_inverted[first + k]);
  }
  for (std::uint32_t k = n; k < 8; ++k) a[k] = zeros();
}

/// The number of ones among eight, in four bits.
inline void count_block(const Register* a, Register* z) {
  const Register s1 = sum(a[0], a[1], a[2]), c1 = carry(a[0], a[1], a[2]);
  const Register s2 = sum(a[3], a[4], a[5]), c2 = carry(a[3], a[4], a[5]);
  const Register s3 = sum(s1, s2, a[6]), c3 = carry(s1, s2, a[6]);
  const Register c4 = s3 & a[7];
  const Register t = sum(c1, c2, c3), d1 = carry(c1, c2, c3);
  const Register d2 = t & c4;
  z[0] = s3 ^ a[7];
  z[1] = t ^ c4;
  z[2] = d1 ^ d2;
  z[3] = d1 & d2;
}

/// Of four moves a0..a3 with `pair` = a0 + a1 in two bits, the one that the remainder r points at.
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

/// Of eight moves, the one that the remainder r (three bits: it is below the block's count) points
/// at.
inline void choose_of_eight(const Register* a, Register chosen, const Register* r, Register* out) {
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

/// A number below `limit` in every lane of `active`, uniformly and without bias: as many random
/// bits as the lane's limit has, drawn again where they are not below it.
void draw_below(Random& random, const Register* limit, std::uint32_t bits, Register active,
                Register* out) {
  std::uint32_t top = bits;
  for (std::uint32_t k = 0; k < bits; ++k) out[k] = zeros();
  while (top > 1 && !any(limit[top - 1])) --top;
  Register mask[CountTree::kMaxBits + 1];
  mask[top] = zeros();
  for (std::uint32_t k = top; k-- > 0;) mask[k] = mask[k + 1] | limit[k];
  Register pending = active;
  while (any(pending)) {
    Register drawn[CountTree::kMaxBits];
    Register below = zeros();
    for (std::uint32_t k = 0; k < top; ++k) {
      drawn[k] = random.next() & mask[k];
      below = borrow(drawn[k], limit[k], below);
    }
    const Register accepted = pending & below;
    for (std::uint32_t k = 0; k < top; ++k) out[k] |= drawn[k] & accepted;
    pending &= ~accepted;
  }
}

/// Sets the bit of one legal move in every active lane, and clears those of all others. Returns the
/// lanes that had a legal move.
Register choose(const Chooser& chooser, Register active, Random& random, Register* s) {
  if (chooser.moves == 0) return zeros();
  const CountTree tree(chooser.moves);
  auto* counts = static_cast<Register*>(chooser.scratch);
  const std::size_t half = tree.blocks + 2;
  Register* chosen = counts + tree.registers;
  Register* chosen_below = chosen + half;
  Register* r = chosen_below + half;
  Register* r_below = r + half * (CountTree::kLeafBits + 2);
  auto* legal = reinterpret_cast<std::uint8_t*>(r_below + half * (CountTree::kLeafBits + 2));
  std::uint8_t* dirty = legal + tree.blocks;  // a bit of the block is set

  for (std::uint32_t block = 0; block < tree.blocks; ++block) {
    Register a[8];
    load_block(chooser, s, block, a);
    Register* z = counts + block * CountTree::kLeafBits;
    legal[block] = any((a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]) & active);
    if (legal[block] != 0) {
      count_block(a, z);
    } else {
      z[0] = z[1] = z[2] = z[3] = zeros();
    }
  }
  for (std::uint32_t level = 0; level + 1 < tree.levels; ++level) add_level(tree, level, counts);
  const std::uint32_t root_bits = tree.bits(tree.levels - 1);
  const Register* root = counts + tree.offset[tree.levels - 1];
  Register has_move = zeros();
  for (std::uint32_t k = 0; k < root_bits; ++k) has_move |= root[k];
  chosen[0] = active & has_move;
  draw_below(random, root, root_bits, chosen[0], r);
  for (std::uint32_t level = tree.levels - 1; level-- > 0;) {
    descend_level(tree, level, counts, chosen, r, chosen_below, r_below);
    Register* swap = chosen;
    chosen = chosen_below;
    chosen_below = swap;
    swap = r;
    r = r_below;
    r_below = swap;
  }
  for (std::uint32_t block = 0; block < tree.blocks; ++block) {
    const std::uint32_t n = chooser.moves - block * 8 < 8 ? chooser.moves - block * 8 : 8;
    const std::uint32_t* to = chooser.move_slot + block * 8;
    if (legal[block] == 0 || !any(chosen[block])) {
      if (dirty[block] == 0) continue;
      dirty[block] = 0;
      for (std::uint32_t k = 0; k < n; ++k) s[to[k]] = zeros();
      continue;
    }
    dirty[block] = 1;
    Register a[8], out[8];
    load_block(chooser, s, block, a);
    choose_of_eight(a, chosen[block], r + block * CountTree::kLeafBits, out);
    for (std::uint32_t k = 0; k < n; ++k) s[to[k]] = out[k];
  }
  return has_move;
}

// --- playouts

/// A run of the loop over one `Playouts` job.
class PlayoutLoop {
 public:
  explicit PlayoutLoop(Playouts& job) : job_(job), s_(static_cast<Register*>(job.slots)) {
    copies_ = static_cast<Register*>(job.scratch);
    lane_job_ = reinterpret_cast<std::uint32_t*>(copies_ + job.fluents + 1);
    lane_end_ = reinterpret_cast<Word*>(lane_job_ + kLanes);
    for (std::size_t i = 0; i < kWords; ++i) {
      words(&random_.a)[i] = job.random[2 * i];
      words(&random_.b)[i] = job.random[2 * i + 1];
    }
    jobs_ = static_cast<Word>(job.start_count) * job.per_start;
  }

  static std::size_t scratch(std::uint32_t fluents) {
    return (fluents + 1) * sizeof(Register) + kLanes * (sizeof(std::uint32_t) + sizeof(Word)) + 64;
  }

  void run() {
    refill(ones(), 0);
    while (any(occupied_)) {
      if (pass_ % job_.poll_every == 0 && job_.stop != nullptr && job_.stop(job_.stop_argument)) {
        job_.stopped = true;
        break;
      }
      step();
      ++pass_;
    }
    for (std::size_t i = 0; i < kWords; ++i) {
      job_.random[2 * i] = words(&random_.a)[i];
      job_.random[2 * i + 1] = words(&random_.b)[i];
    }
  }

 private:
  void step() {
    evaluate(job_.status, s_);
    const Register done = finished_lanes();
    const Register active = occupied_ & ~done;
    Register free = zeros();
    const std::uint32_t waiting = count(done);
    if (waiting != 0 && (waiting >= job_.hold || !any(active))) {
      harvest(done);
      occupied_ = active;
      free = done;
    }
    Register moving = active;
    for (std::uint32_t role = 0; role < job_.roles; ++role) {
      moving &= choose(job_.chooser[role], active, random_, s_);
    }
    dead_ |= active & ~moving;
    if (any(moving)) advance(moving);
    if (any(free)) refill(free, pass_ + 1);
  }

  // Lanes whose playout is over: terminal, without a move, or at the step cap.
  Register finished_lanes() {
    const Register over = value(s_, job_.terminal) | dead_;
    if (pass_ == next_cut_) {
      Register now = zeros();
      for (std::size_t l = 0; l < kLanes; ++l) {
        if (lane_end_[l] == pass_) words(&now)[l % kWords] |= Word{1} << (l / kWords);
      }
      now &= occupied_ & ~over;
      job_.cut += count(now);
      cut_ |= now;
      find_next_cut();
    }
    return (over | cut_) & occupied_;
  }

  void find_next_cut() {
    next_cut_ = ~Word{0};
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (lane_end_[l] > pass_ && lane_end_[l] < next_cut_) next_cut_ = lane_end_[l];
    }
  }

  void advance(Register moving) {
    job_.steps += count(moving);
    evaluate(job_.next, s_);
    for (std::uint32_t i = 0; i < job_.moved_count; ++i) {
      copies_[i] = value(s_, job_.next_edge[job_.moved[i]]);
    }
    std::uint32_t i = 0;
    for (std::uint32_t f = 0; f < job_.fluents; ++f) {
      if (i < job_.moved_count && job_.moved[i] == f) {
        ++i;
        continue;
      }
      s_[f] = pick(moving, value(s_, job_.next_edge[f]), s_[f]);
    }
    for (i = 0; i < job_.moved_count; ++i) {
      s_[job_.moved[i]] = pick(moving, copies_[i], s_[job_.moved[i]]);
    }
  }

  // Counts the goals of finished lanes.
  void harvest(Register done) {
    evaluate(job_.goals, s_);
    std::uint32_t role = ~0U;
    Register open = zeros();
    for (std::uint32_t g = 0; g < job_.goal_count; ++g) {
      const Goal& goal = job_.goal[g];
      if (goal.role != role) {
        role = goal.role;
        open = done;
      }
      const Register scored = value(s_, goal.edge) & open;
      open &= ~scored;
      if (goal.value != 0) add_goal(scored, role, goal.value);
    }
    if (job_.start_count == 1) {
      job_.finished[0] += count(done);
    } else {
      for_lanes(done, [this](std::size_t l) { ++job_.finished[lane_job_[l] / job_.per_start]; });
    }
  }

  void add_goal(Register scored, std::uint32_t role, Word points) {
    if (job_.start_count == 1) {
      job_.goal_sums[role] += points * count(scored);
      return;
    }
    for_lanes(scored, [&](std::size_t l) {
      job_.goal_sums[lane_job_[l] / job_.per_start * job_.roles + role] += points;
    });
  }

  template <typename F>
  void for_lanes(Register which, F f) {
    for (std::size_t w = 0; w < kWords; ++w) {
      for (Word bits = words(&which)[w]; bits != 0; bits &= bits - 1) {
        f(static_cast<std::size_t>(__builtin_ctzll(bits)) * kWords + w);
      }
    }
  }

  // Gives the next jobs to free lanes, which make their first move in pass `first_pass`.
  void refill(Register free, Word first_pass) {
    Register filled = zeros();
    const Word* states[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) states[l] = job_.starts[0];
    for_lanes(free, [&](std::size_t l) {
      lane_end_[l] = 0;
      if (next_job_ == jobs_) return;
      words(&filled)[l % kWords] |= Word{1} << (l / kWords);
      lane_job_[l] = static_cast<std::uint32_t>(next_job_);
      lane_end_[l] = first_pass + job_.step_cap;
      if (lane_end_[l] < next_cut_) next_cut_ = lane_end_[l];
      states[l] = job_.starts[next_job_++ / job_.per_start];
    });
    dead_ &= ~free;
    cut_ &= ~free;
    if (!any(filled)) return;
    occupied_ |= filled;
    Register x[64];
    for (std::uint32_t first = 0; first < job_.fluents; first += 64) {
      if (job_.start_count == 1) {
        const Word w = job_.starts[0][first / 64];
        for (std::uint32_t b = 0; b < 64; ++b) x[b] = fill(Word{0} - (w >> b & 1));
      } else {
        pack_word(states, kLanes, first / 64, x);
      }
      for (std::uint32_t b = 0; b < 64 && first + b < job_.fluents; ++b) {
        s_[first + b] = pick(filled, x[b], s_[first + b]);
      }
    }
  }

  Playouts& job_;
  Register* s_;
  Register* copies_;
  std::uint32_t* lane_job_;
  Word* lane_end_;  // pass at which the lane's playout is cut
  Random random_{};
  Register occupied_ = zeros(), dead_ = zeros(), cut_ = zeros();
  Word jobs_ = 0, next_job_ = 0, pass_ = 0, next_cut_ = ~Word{0};
};

std::size_t playout_scratch(std::uint32_t fluents) {
  return PlayoutLoop::scratch(fluents);
}
void playouts(Playouts& job) {
  PlayoutLoop(job).run();
}

}  // namespace

const Kernel LUDENS_KERNEL = {LUDENS_KERNEL_NAME, kLanes,          evaluate, pack, unpack,
                              chooser_scratch,    playout_scratch, playouts};

}  // namespace ludens::gdl::kernel
