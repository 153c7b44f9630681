// SPDX-License-Identifier: MIT
// Slots of a program with random inputs, and what they must contain when its phases are over.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/network/simulation.h"
#include "gdl/program/program.h"

namespace ludens::gdl::tests {

/// Aligned memory for registers, all bits random at first: nothing may rely on zeros.
class PhaseSlots {
 public:
  PhaseSlots(std::size_t slots, std::size_t words, Rng& rng)
      : slots_(slots), words_(words), memory_((slots + 2) * 8) {
    for (std::uint64_t& w : memory_) w = rng();
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
  }
  std::uint64_t* slot(std::uint32_t s) { return first_ + s * words_; }
  void fill(std::uint32_t s, std::uint64_t value) { std::fill_n(slot(s), words_, value); }
  std::uint64_t value(SlotEdge e, std::size_t word) {
    return e.inverted != 0 ? ~slot(e.slot)[word] : slot(e.slot)[word];
  }
  [[nodiscard]] std::size_t words() const { return words_; }  // of a slot
  [[nodiscard]] std::span<std::uint64_t> all() { return {first_, slots_ * words_}; }

 private:
  std::size_t slots_, words_;
  std::vector<std::uint64_t> memory_;
  std::uint64_t* first_;
};

/// The simulation's fluents and moves, the same in each word.
inline void set_inputs(const Network& network, const Program& program, const Simulation& simulation,
                       PhaseSlots& slots) {
  slots.fill(program.false_slot, 0);
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) slots.fill(f, simulation.fluents[f]);
  for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
    const auto move = std::ranges::find_if(program.moves, [&](const Program::Move& p) {
      return p.role == network.moves[m].role && p.id == network.moves[m].id;
    });
    if (move != program.moves.end()) slots.fill(move->slot, simulation.moves[m]);
  }
}

/// After Status, Next and Goals. `form` is for the failure's text.
inline void expect_results(const Network& network, const Program& program,
                           const Simulation& simulation, PhaseSlots& slots, const char* form) {
  const auto expect = [&](Edge edge, SlotEdge slot, const char* what) {
    for (std::size_t w = 0; w < slots.words(); ++w) {
      ASSERT_EQ(slots.value(slot, w), simulation.value(edge)) << what << ", " << form;
    }
  };
  using testing::Test;
  expect(network.terminal, program.terminal, "terminal");
  for (std::size_t f = 0; f < network.fluents.size() && !Test::HasFatalFailure(); ++f) {
    expect(network.fluents[f].next, program.next[f], "next");
  }
  for (const Program::Move& m : program.moves) {
    for (const Network::Move& n : network.moves) {
      if (n.role == m.role && n.id == m.id) expect(n.legal, m.legal, "legal");
      if (Test::HasFatalFailure()) return;
    }
  }
  for (const Program::Goal& g : program.goals) {
    for (const Network::Goal& n : network.goals[g.role]) {
      if (n.value == static_cast<int>(g.value)) expect(n.edge, g.edge, "goal");
      if (Test::HasFatalFailure()) return;
    }
  }
}

/// After a step in place: fluents have changed in the lanes that moved.
inline void expect_advanced(const Network& network, const Simulation& simulation, PhaseSlots& slots,
                            std::uint32_t moving) {
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
    const std::uint64_t next = simulation.value(network.fluents[f].next);
    for (std::size_t w = 0; w < slots.words(); ++w) {
      const std::uint64_t moves = slots.slot(moving)[w];
      ASSERT_EQ(slots.slot(f)[w], (moves & next) | (~moves & simulation.fluents[f]));
    }
  }
}

}  // namespace ludens::gdl::tests
