// Registers of the width at hand, gates over them and transposition: the ground of kernel_body.h,
// under the same rules.
#pragma once

#include "gdl/sliced/kernel.h"

namespace ludens::gdl::kernel {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kWords = LUDENS_KERNEL_WORDS;
constexpr std::size_t kLanes = kWords * 64;

#if LUDENS_KERNEL_WORDS == 1
using Register = Word;
#else
using Register = Word __attribute__((vector_size(LUDENS_KERNEL_WORDS * 8), may_alias));
#endif

// --- single registers

inline Register zeros() {
  return Register{};
}
inline Register ones() {
  return ~Register{};
}
inline Register fill(Word w) {
  return Register{} + w;
}

inline Word* words(Register* r) {
  return reinterpret_cast<Word*>(r);
}
inline const Word* words(const Register* r) {
  return reinterpret_cast<const Word*>(r);
}

inline bool any(Register r) {
  Word w = 0;
  for (std::size_t i = 0; i < kWords; ++i) w |= words(&r)[i];
  return w != 0;
}

inline std::uint32_t count(Register r) {
  int n = 0;
  for (std::size_t i = 0; i < kWords; ++i) n += __builtin_popcountll(words(&r)[i]);
  return static_cast<std::uint32_t>(n);
}

inline Register pick(Register which, Register a, Register b) {
  return (which & a) | (~which & b);
}
inline Register sum(Register a, Register b, Register c) {
  return a ^ b ^ c;
}
inline Register carry(Register a, Register b, Register c) {
  return (a & b) | (c & (a | b));
}
/// Of a - b - c.
inline Register borrow(Register a, Register b, Register c) {
  return (~a & (b | c)) | (b & c);
}

inline Register value(const Register* slots, const Edge& e) {
  return e.inverted != 0 ? ~slots[e.slot] : slots[e.slot];
}

/// xorshift128+ (Vigna 2014), one generator in each 64-bit word.
struct Random {
  Register a, b;
  Register next() {
    Register x = a;
    const Register y = b;
    a = y;
    x ^= x << 23;
    x ^= x >> 17;
    x ^= y ^ (y >> 26);
    b = x;
    return x + y;
  }
};

// --- gates

template <int kPlain, int kComplemented>
const std::uint32_t* evaluate_narrow(const std::uint32_t* c, std::uint32_t n, Register* s) {
  for (std::uint32_t i = 0; i < n; ++i, c += 1 + kPlain + kComplemented) {
    Register r = ones();
    for (int k = 0; k < kPlain; ++k) r &= s[c[1 + k]];
    Register off = zeros();
    for (int k = 0; k < kComplemented; ++k) off |= s[c[1 + kPlain + k]];
    s[c[0]] = r & ~off;
  }
  return c;
}

const std::uint32_t* evaluate_wide(const std::uint32_t* c, const Run& run, Register* s) {
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const std::uint32_t destination = *c++;
    Register on = ones(), off = zeros(), off2 = zeros();
    for (std::uint32_t k = 0; k < run.plain; ++k) on &= s[*c++];
    std::uint32_t k = 0;
    for (; k + 1 < run.complemented; k += 2, c += 2) {  // two chains: ORs are the wide ones
      off |= s[c[0]];
      off2 |= s[c[1]];
    }
    if (k < run.complemented) off |= s[*c++];
    s[destination] = on & ~(off | off2);
  }
  return c;
}

/// Evaluates runs whose code begins at `c`; returns where it ends.
const std::uint32_t* evaluate_runs(const Run* run, const Run* end, const std::uint32_t* c,
                                   Register* s) {
  for (; run != end; ++run) {
    if (run->plain + run->complemented > 4) {
      c = evaluate_wide(c, *run, s);
      continue;
    }
    switch (run->plain * 8 + run->complemented) {
      case 2 * 8 + 0:
        c = evaluate_narrow<2, 0>(c, run->count, s);
        break;
      case 1 * 8 + 1:
        c = evaluate_narrow<1, 1>(c, run->count, s);
        break;
      case 0 * 8 + 2:
        c = evaluate_narrow<0, 2>(c, run->count, s);
        break;
      case 3 * 8 + 0:
        c = evaluate_narrow<3, 0>(c, run->count, s);
        break;
      case 2 * 8 + 1:
        c = evaluate_narrow<2, 1>(c, run->count, s);
        break;
      case 1 * 8 + 2:
        c = evaluate_narrow<1, 2>(c, run->count, s);
        break;
      case 0 * 8 + 3:
        c = evaluate_narrow<0, 3>(c, run->count, s);
        break;
      case 4 * 8 + 0:
        c = evaluate_narrow<4, 0>(c, run->count, s);
        break;
      case 0 * 8 + 4:
        c = evaluate_narrow<0, 4>(c, run->count, s);
        break;
      default:
        c = evaluate_wide(c, *run, s);
    }
  }
  return c;
}

/// Rounds from all false until all lanes are stable: the least fixpoint.
const std::uint32_t* evaluate_loop(const Phase& phase, const Loop& loop, const std::uint32_t* c,
                                   Register* s) {
  const Feedback* const first = phase.feedbacks + loop.first_feedback;
  const Feedback* const end = phase.feedbacks + loop.end_feedback;
  for (const Feedback* f = first; f != end; ++f) s[f->slot] = zeros();
  for (;;) {
    const std::uint32_t* after =
        evaluate_runs(phase.runs + loop.first_run, phase.runs + loop.end_run, c, s);
    Register changed = zeros();
    for (const Feedback* f = first; f != end; ++f) {
      const Register now = value(s, f->update);
      changed |= now ^ s[f->slot];
      s[f->slot] = now;
    }
    if (!any(changed)) return after;
  }
}

void evaluate(const Phase& phase, void* slots) {
  if (phase.native != nullptr) return phase.native(slots);
  auto* s = static_cast<Register*>(slots);
  const std::uint32_t* c = phase.code;
  std::size_t run = 0;
  for (std::size_t l = 0; l < phase.loop_count; ++l) {
    const Loop& loop = phase.loops[l];
    c = evaluate_runs(phase.runs + run, phase.runs + loop.first_run, c, s);
    c = evaluate_loop(phase, loop, c, s);
    run = loop.end_run;
  }
  evaluate_runs(phase.runs + run, phase.runs + phase.run_count, c, s);
}

// --- transposition

/// Lane l's word stands at word l of x; afterwards x[b] holds bit b of all lanes. Its own inverse.
/// 64x64 bits in each column of words (Warren, Hacker's Delight, section 7-3).
void transpose(Register* x) {
  Word mask = 0x00000000ffffffff;
  for (int j = 32; j != 0; j >>= 1, mask ^= mask << j) {
    for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const Register t = ((x[k] >> j) ^ x[k | j]) & fill(mask);
      x[k | j] ^= t;
      x[k] ^= t << j;
    }
  }
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
