// SPDX-License-Identifier: MIT
#include "gdl/native/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "gdl/native/assembler.h"
#include "gdl/native/executable.h"
#include "gdl/native/trial.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/network/random_inputs.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl::native {
namespace {

/// Aligned memory for registers, all bits random at first: nothing may rely on zeros.
class Slots {
 public:
  Slots(std::size_t slots, std::size_t words, Rng& rng) : words_(words), memory_((slots + 2) * 8) {
    for (std::uint64_t& w : memory_) w = rng();
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
  }
  std::uint64_t* slot(std::uint32_t s) { return first_ + s * words_; }
  void fill(std::uint32_t s, std::uint64_t value) { std::fill_n(slot(s), words_, value); }
  std::uint64_t value(SlotEdge e, std::size_t word) {
    return e.inverted != 0 ? ~slot(e.slot)[word] : slot(e.slot)[word];
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> memory_;
  std::uint64_t* first_;
};

class EveryWidth : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    kernel_ = kernel::find(GetParam());
    if (kernel_ == nullptr)
      GTEST_SKIP() << "this processor has no registers of " << GetParam() << " bits";
    words_ = kernel_->lanes / 64;
  }

  /// Compares generated code, interpreted runs and the network itself on random states.
  void compare(const Network& network, Rng& rng, int rounds) {
    const auto compiled = compile(network);
    ASSERT_TRUE(compiled.has_value());
    const auto* program = &*compiled;
    const auto code = generate(*program, kernel_->lanes, {});
    ASSERT_TRUE(code);
    Slots mine(code->slots(), words_, rng), theirs(program->slots, words_, rng);
    for (Slots* s : {&mine, &theirs}) s->fill(program->false_slot, 0);
    Simulation simulation(network);
    for (int round = 0; round < rounds; ++round) {
      tests::set_random_inputs(network, simulation, rng);
      for (Slots* s : {&mine, &theirs}) {
        for (std::uint32_t f = 0; f < network.fluents.size(); ++f)
          s->fill(f, simulation.fluents[f]);
        for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
          const auto move = std::ranges::find_if(program->moves, [&](const Program::Move& p) {
            return p.role == network.moves[m].role && p.id == network.moves[m].id;
          });
          s->fill(move->slot, simulation.moves[m]);
        }
      }
      for (const Phase phase : {Phase::Status, Phase::Next, Phase::Next, Phase::Goals}) {
        code->phase(phase)(mine.slot(0));
        kernel_->evaluate(program->phase(phase), theirs.slot(0));
      }
      expect_equal(network, *program, simulation, mine, theirs);
      if (HasFatalFailure()) return;
      for (std::size_t w = 0; w < words_; ++w) mine.slot(code->moving_slot())[w] = rng();
      code->advance()(mine.slot(0));
      expect_advanced(network, simulation, mine, code->moving_slot());
      if (HasFatalFailure()) return;
    }
  }

 private:
  // Fluents have changed in the lanes that moved.
  void expect_advanced(const Network& network, const Simulation& simulation, Slots& slots,
                       std::uint32_t moving) {
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
      const std::uint64_t next = simulation.value(network.fluents[f].next);
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t moves = slots.slot(moving)[w];
        ASSERT_EQ(slots.slot(f)[w], (moves & next) | (~moves & simulation.fluents[f]));
      }
    }
  }

  void expect_equal(const Network& network, const Program& program, const Simulation& simulation,
                    Slots& mine, Slots& theirs) {
    auto expect = [&](Edge edge, SlotEdge slot, const char* what) {
      for (std::size_t w = 0; w < words_; ++w) {
        ASSERT_EQ(mine.value(slot, w), simulation.value(edge)) << what << ", generated";
        ASSERT_EQ(theirs.value(slot, w), simulation.value(edge)) << what << ", interpreted";
      }
    };
    expect(network.terminal, program.terminal, "terminal");
    for (std::size_t f = 0; f < network.fluents.size() && !HasFatalFailure(); ++f)
      expect(network.fluents[f].next, program.next[f], "next");
    for (const Program::Move& m : program.moves) {
      for (const Network::Move& n : network.moves) {
        if (n.role == m.role && n.id == m.id) expect(n.legal, m.legal, "legal");
        if (HasFatalFailure()) return;
      }
    }
    for (const Program::Goal& g : program.goals) {
      for (const Network::Goal& n : network.goals[g.role]) {
        if (n.value == static_cast<int>(g.value)) expect(n.edge, g.edge, "goal");
        if (HasFatalFailure()) return;
      }
    }
  }

 protected:
  const kernel::Kernel* kernel_ = nullptr;
  std::size_t words_ = 0;
};

TEST_P(EveryWidth, RandomNetworksAreEvaluatedAsTheyAreInterpreted) {
  for (std::uint64_t seed = 0; seed < 150 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::uint32_t gates = 1 + rng.below(seed % 10 == 0 ? 3000 : 200);
    compare(tests::random_network(rng, gates, 3 + rng.below(60)), rng, 2);
  }
}

TEST_P(EveryWidth, BundledGamesAreEvaluatedAsTheyAreInterpreted) {
  Rng rng(7);
  for (const char* game : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "checkers",
                           "goofspiel", "tron", "peg_solitaire", "pig"}) {
    SCOPED_TRACE(game);
    compare(tests::network_of_bundled_game(game), rng, 2);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryWidth, GenerationCanBeStopped) {
  Rng rng(3);
  const auto program = compile(tests::random_network(rng, 5000, 10)).value();
  for (int questions = 0; questions < 4; ++questions) {
    const tests::StopAfter stop(questions);
    EXPECT_FALSE(generate(program, kernel_->lanes, {&stop, nullptr}));
  }
  EXPECT_TRUE(generate(program, kernel_->lanes, {}));
}

TEST_P(EveryWidth, ATrialComparesBothForms) {
  // Runs of no gates at all are faster than any code.
  Rng rng(4);
  const auto program = compile(tests::random_network(rng, 3000, 10)).value();
  const auto code = generate(program, kernel_->lanes, {});
  Program nothing_to_interpret = program;
  for (auto& runs : nothing_to_interpret.runs) runs.clear();
  EXPECT_FALSE(pays(*code, nothing_to_interpret, *kernel_));
}

INSTANTIATE_TEST_SUITE_P(Widths, EveryWidth, testing::Values(256, 512),
                         [](const auto& width) { return std::to_string(width.param); });

TEST(Executable, RunsWhatItWasGivenAndCanBeMoved) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the code is for x86-64";
#endif
  Assembler code(256);
  code.lea(Pointer::Rax, {Pointer::Rdi, 5});
  code.ret();
  auto made = Executable::make(code.bytes());
  ASSERT_TRUE(made);
  const Executable moved = *std::move(made);
  EXPECT_EQ(moved.at<long(long)>(0)(37), 42);
  EXPECT_FALSE(Executable::make({}));
}

}  // namespace
}  // namespace ludens::gdl::native
