// Expansion of as many (state, joint move) pairs as there are lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/sliced/kernel_listing.h"
#include "gdl/sliced/kernel_step.h"

namespace ludens::gdl::kernel {
namespace {

#if LUDENS_KERNEL_WORDS == 8

/// A byte of 0 or 1 for each of the first `count` lanes.
inline void write_bits(Register bits, std::size_t count, std::uint8_t* to) {
  // To the order of lanes: byte i has the bits i of the eight words.
  __m512i turned;
  for (unsigned i = 0; i < 64; ++i) {
    reinterpret_cast<std::uint8_t*>(&turned)[i] =
        static_cast<std::uint8_t>(8 * (7 - i % 8) + i / 8);
  }
  const auto ordered = (Register)turn_tiles(_mm512_permutexvar_epi8(turned, (__m512i)bits));
  for (std::size_t first = 0; first < count; first += 64) {
    const std::size_t left = count - first;
    const Word some = left < 64 ? (Word{1} << left) - 1 : ~Word{0};
    _mm512_mask_storeu_epi8(to + first, some,
                            _mm512_maskz_set1_epi8(words(&ordered)[first / 64], 1));
  }
}

#else

inline void write_bits(Register bits, std::size_t count, std::uint8_t* to) {
  for (std::size_t l = 0; l < count; ++l) to[l] = words(&bits)[l % kWords] >> (l / kWords) & 1;
}

#endif

class ExpansionRun {
 public:
  explicit ExpansionRun(Expansion& job)
      : job_(job),
        s_(static_cast<Register*>(job.slots)),
        copies_(static_cast<Register*>(job.scratch)),
        listing_(job, reinterpret_cast<Word*>(copies_ + job.step->crossed_count)) {}

  static std::size_t scratch(std::uint32_t blocks, std::uint32_t roles, std::uint32_t crossed) {
    return Listing::words(blocks, roles) * sizeof(Word) + crossed * sizeof(Register);
  }

  void run() {
    pack(job_.states, job_.count, job_.fluents, [this](std::uint32_t f, Register r) { s_[f] = r; });
    set_moves();
    evaluate(job_.step->status, s_);
    advance(*job_.step, ones(), copies_, s_);
    clear_moves();
    unpack(s_, job_.fluents, job_.count, job_.next);
    evaluate(job_.step->status, s_);
    const Register over = value(s_, job_.step->terminal), lanes = lanes_in_use();
    write_bits(over, job_.count, job_.terminal);
    if (any(over & lanes)) write_goals(over & lanes);
    listing_.take(s_, lanes & ~over);
  }

  void list_moves() { job_.listed = listing_.list(); }

 private:
  void set_moves() {
    if (job_.move_count <= Expansion::kWord) {
      const auto* const bits = reinterpret_cast<const Register*>(job_.chosen_bits);
      Register* const to = s_ + job_.first_move;
      const std::uint32_t n = job_.move_count;
      transpose([=](std::size_t k) { return bits[k]; },
                [=](std::size_t m, Register r) {
                  if (m < n) to[m] = r;
                });
      return;
    }
    const std::uint32_t* chosen = job_.chosen;
    Word* const slots = words(s_);
    const std::uint32_t count = job_.count, roles = job_.roles;
    for (std::uint32_t l = 0; l < count; ++l) {
      Word* const column = slots + l % kWords;
      for (std::uint32_t r = 0; r < roles; ++r) {
        const std::size_t slot = *chosen++;
        if (slot != Expansion::kNoMove) column[slot * kWords] |= Word{1} << (l / kWords);
      }
    }
  }

  void clear_moves() {
    const std::size_t n = std::size_t{job_.count} * job_.roles;
    if (job_.move_count <= Expansion::kWord || job_.move_count <= n) {
      for (std::uint32_t m = 0; m < job_.move_count; ++m) s_[job_.first_move + m] = zeros();
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (job_.chosen[i] != Expansion::kNoMove) s_[job_.chosen[i]] = zeros();
    }
  }

  [[nodiscard]] Register lanes_in_use() const {
    Register lanes = ones();
    for (std::uint32_t w = 0; w < kWords; ++w) {
      const std::size_t n = (job_.count + kWords - 1 - w) / kWords;  // lanes in this word
      if (n < 64) words(&lanes)[w] = (Word{1} << n) - 1;
    }
    return lanes;
  }

  void write_goals(Register ended) {
    evaluate(job_.goals, s_);
    for (std::uint32_t g = job_.goal_count; g-- > 0;) {  // ascending: the largest stays
      const Goal& goal = job_.goal[g];
      for_lanes(value(s_, goal.edge) & ended, [&](std::size_t l) {
        job_.goal_values[l * job_.roles + goal.role] = static_cast<std::uint8_t>(goal.value);
      });
    }
  }

  Expansion& job_;
  Register* s_;
  Register* copies_;  // for `advance`
  Listing listing_;
};

void expand(Expansion& job) {
  ExpansionRun(job).run();
}
void list_moves(Expansion& job) {
  ExpansionRun(job).list_moves();
}

}  // namespace
}  // namespace ludens::gdl::kernel
