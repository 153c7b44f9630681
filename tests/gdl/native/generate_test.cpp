// SPDX-License-Identifier: MIT
#include "gdl/native/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gdl/native/assembler.h"
#include "gdl/native/executable.h"
#include "gdl/native/trial.h"
#include "tests/gdl/native/phase_slots.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/network/random_inputs.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl::native {
namespace {

using tests::PhaseSlots;

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
    PhaseSlots mine(code->slots(), words_, rng), theirs(program->slots, words_, rng);
    Simulation simulation(network);
    for (int round = 0; round < rounds; ++round) {
      tests::set_random_inputs(network, simulation, rng);
      for (PhaseSlots* s : {&mine, &theirs}) set_inputs(network, *program, simulation, *s);
      for (const Phase phase : {Phase::Status, Phase::Next, Phase::Next, Phase::Goals}) {
        code->phase(phase)(mine.slot(0));
        kernel_->evaluate(program->phase(phase), theirs.slot(0));
      }
      expect_results(network, *program, simulation, mine, "generated");
      expect_results(network, *program, simulation, theirs, "interpreted");
      if (HasFatalFailure()) return;
      for (std::size_t w = 0; w < words_; ++w) mine.slot(code->moving_slot())[w] = rng();
      code->advance()(mine.slot(0));
      expect_advanced(network, simulation, mine, code->moving_slot());
      if (HasFatalFailure()) return;
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

TEST(LeastSeconds, WhatTheFirstRunTakesDoesNotCount) {
  // These times were measured for 1.4 MB of code. The system maps its pages in the first run; then
  // the caches fill.
  const std::vector<int> microseconds{4468, 364, 210, 142, 99, 76, 66, 60, 55, 53, 48, 44};
  Clock::time_point time;
  std::size_t runs = 0;
  const auto run = [&] {
    time += std::chrono::microseconds(microseconds[std::min(runs++, microseconds.size() - 1)]);
  };
  EXPECT_NEAR(least_seconds(run, nullptr, [&] { return time; }), 44e-6, 1e-9);
}

TEST(LeastSeconds, SlowRunsAreMadeFourTimes) {
  Clock::time_point time;
  int runs = 0;
  const auto run = [&] {
    time += std::chrono::milliseconds(10);
    ++runs;
  };
  EXPECT_NEAR(least_seconds(run, nullptr, [&] { return time; }), 10e-3, 1e-9);
  EXPECT_EQ(runs, 4);
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
  std::vector<std::uint8_t> bytes(code.bytes().begin(), code.bytes().end());
  for (const std::size_t size : {bytes.size(), std::size_t{300'000}, std::size_t{5'000'000}}) {
    SCOPED_TRACE(size);
    bytes.resize(size);
    auto made = Executable::make(bytes);
    ASSERT_TRUE(made);
    EXPECT_GE(made->size(), size);
    const Executable moved = *std::move(made);
    EXPECT_EQ(moved.at<long(long)>(0)(37), 42);
  }
  EXPECT_FALSE(Executable::make({}));
}

}  // namespace
}  // namespace ludens::gdl::native
