// SPDX-License-Identifier: MIT
#include "search/hidden/belief_sizes.h"

#include <gtest/gtest.h>

#include "tests/search/hidden/hidden_match.h"

namespace ludens::search::hidden {
namespace {

std::shared_ptr<const gdl::Machine> machine_of(const std::string& game) {
  return tests::machine_of(tests::vocabulary_of(game), "sliced");
}

TEST(BeliefSizes, CountWhatFits) {
  const auto sizes = measure_beliefs(machine_of("phantom_tic_tac_toe"), {.playouts = 30}, {});
  EXPECT_EQ(sizes.playouts, 30u);
  ASSERT_EQ(sizes.steps.size(), 2u);
  for (const auto& steps : sizes.steps) {
    EXPECT_EQ(steps.at(0).met, 30u);
    EXPECT_EQ(steps.at(0).largest, 1u);
    EXPECT_EQ(steps.at(1).met, 30u);
  }
  // Of the first move x knows all, and o nothing.
  EXPECT_EQ(sizes.steps[0][1].largest, 1u);
  EXPECT_EQ(sizes.steps[1][1].mean, 9.0);
  EXPECT_EQ(sizes.steps[1][1].largest, 9u);
  for (const auto& step : sizes.steps[1]) EXPECT_LE(step.mean, static_cast<double>(step.largest));
}

TEST(BeliefSizes, SayWhereThereAreMore) {
  const auto sizes =
      measure_beliefs(machine_of("phantom_tic_tac_toe"), {.playouts = 10, .most = 5}, {});
  const auto& first = sizes.steps[1].at(1);
  EXPECT_EQ(first.beyond, 10u);
  EXPECT_EQ(first.largest, 5u);
  EXPECT_EQ(first.mean, 5.0);
  EXPECT_EQ(sizes.steps[0].at(1).beyond, 0u);
}

/// The seer sees both numbers, so that one history fits of more than are tried.
TEST(BeliefSizes, DoNotTakeWhatWasNotTriedForWhatFits) {
  const auto machine = tests::machine_of_text(tests::two_numbers(520), "sliced");
  const auto sizes = measure_beliefs(machine, {.playouts = 1}, {});
  const auto& seer = sizes.steps[0].at(1);
  EXPECT_EQ(seer.met, 1u);
  EXPECT_EQ(seer.beyond, 0u);
  EXPECT_EQ(seer.at_least, 1u);
  EXPECT_EQ(seer.largest, 1u);
  EXPECT_EQ(seer.mean, 1.0);
  // The picker sees neither the other number nor that anything was dealt.
  EXPECT_EQ(sizes.steps[1].at(1).largest, 520u);
  EXPECT_EQ(sizes.steps[1].at(1).at_least, 0u);
}

TEST(BeliefSizes, AreNotAskedOfChance) {
  const auto machine = machine_of("kuhn_poker");
  const auto sizes = measure_beliefs(machine, {.playouts = 3}, {});
  EXPECT_TRUE(sizes.steps.at(machine->random_role().value()).empty());
}

TEST(BeliefSizes, EndWhenTheTimeIsOver) {
  const Deadline now(std::chrono::steady_clock::now());
  EXPECT_EQ(measure_beliefs(machine_of("kuhn_poker"), {.playouts = 3}, now).playouts, 0u);
}

TEST(BeliefSizes, KeepWithinTheirMemory) {
  gdl::MemoryBudget memory(std::size_t{1} << 18);
  (void)measure_beliefs(machine_of("phantom_tic_tac_toe"), {.playouts = 3, .memory = &memory}, {});
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace ludens::search::hidden
