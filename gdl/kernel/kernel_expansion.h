// SPDX-License-Identifier: MIT
// Expansion of as many (state, joint move) pairs as there are lanes. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_listing.h"
#include "gdl/kernel/kernel_numbers.h"
#include "gdl/kernel/kernel_step.h"

namespace ludens::gdl::kernel {
namespace {

class ExpansionRun {
 public:
  explicit ExpansionRun(const Expansion& job)
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
    evaluate(job_.step->status, s_);
    const Register over = value(s_, job_.step->terminal), lanes = lanes_in_use();
    for (std::uint32_t i = 0; i < job_.told_count; ++i) {
      s_[job_.first_told + i] = value(s_, job_.told[i]) & ~over;
    }
    unpack(s_, job_.fluents, job_.count, job_.next);
    write_bits(over, job_.count, job_.terminal);
    if (any(over & lanes)) write_goals(over & lanes);
    listing_.take(s_, lanes & ~over);
  }

  void list_moves() const { listing_.list(); }

  void perceive(const Perception& wanted) {
    pack(job_.states, job_.count, job_.fluents, [this](std::uint32_t f, Register r) { s_[f] = r; });
    set_moves();
    evaluate(wanted.phase, s_);
    const std::size_t row = (wanted.count + 63) / 64;
    const Register lanes = lanes_in_use();
    for (std::uint32_t p = 0; p < wanted.count; ++p) {
      for_lanes(value(s_, wanted.percepts[p]) & lanes,
                [&](std::size_t l) { wanted.rows[l * row + p / 64] |= Word{1} << p % 64; });
    }
    clear_moves();  // only now, because a percept may be a move itself
  }

 private:
  void set_moves() {
    switch (job_.form) {
      case JointForm::Bits: {
        Register* const to = s_ + job_.first_move;
        const std::uint32_t n = job_.move_count;
        return turn_words(n, [=](std::size_t m, Register r) {
          if (m < n) to[m] = r;
        });
      }
      case JointForm::Numbers: {
        Register columns[64];
        const MoveNumber& last = job_.numbers[job_.roles - 1];
        turn_words(last.first_bit + last.bits, [&](std::size_t k, Register r) { columns[k] = r; });
        for (std::uint32_t r = 0; r < job_.roles; ++r) set_numbered(job_.numbers[r], columns);
        return;
      }
      case JointForm::Slots:
        return set_slots();
    }
  }

  template <typename Store>
  void turn_words(std::size_t bits, Store store) const {
    kernel::turn_words(reinterpret_cast<const Register*>(job_.chosen_words), bits, store);
  }

  // The lanes of a move are those whose number has its digits.
  void set_numbered(const MoveNumber& number, const Register* columns) {
    const NumberLanes lanes(columns, number.first_bit, number.bits);
    Register* const to = s_ + number.slot;
    for (std::uint32_t m = 0; m < number.moves; ++m) to[m] = lanes[m + 1];
  }

  void set_slots() {
    const std::uint32_t* chosen = job_.chosen_slots;
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
    if (job_.form != JointForm::Slots || job_.move_count <= n) {
      for (std::uint32_t m = 0; m < job_.move_count; ++m) s_[job_.first_move + m] = zeros();
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (job_.chosen_slots[i] != Expansion::kNoMove) s_[job_.chosen_slots[i]] = zeros();
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
      if (goal.value == 0) continue;  // as it is
      for_lanes(value(s_, goal.edge) & ended, [&](std::size_t l) {
        job_.goal_values[l * job_.roles + goal.role] = static_cast<std::uint8_t>(goal.value);
      });
    }
  }

  const Expansion& job_;
  Register* s_;
  Register* copies_;  // for `advance`
  Listing listing_;
};

void expand(const Expansion& job) {
  ExpansionRun(job).run();
}
void list_moves(const Expansion& job) {
  ExpansionRun(job).list_moves();
}
void perceive(const Perception& job) {
  ExpansionRun(*job.pairs).perceive(job);
}

}  // namespace
}  // namespace ludens::gdl::kernel
