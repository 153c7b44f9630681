// SPDX-License-Identifier: MIT
// Bounds from the parts of a game against the distances in the whole of it.
#include "search/factors/step_bound.h"

#include <gtest/gtest.h>

#include "tests/search/factors/distances.h"
#include "tests/search/factors/split_games.h"

namespace ludens::search::factors {
namespace {

using gdl::Status;

struct Found {
  std::uint32_t at_root = 0, exact_at_root = 0;
  std::size_t states = 0, tight = 0;
};

/// The bound is never larger than the distance, wherever play may come to.
Found compare(const std::string& rulesheet, int goal, std::size_t parts) {
  const auto machine = test::fast_machine(rulesheet);
  const auto context = machine->make_context();
  const test::Distances exact(*machine, goal);
  EXPECT_EQ(StepBound::moved_parts(*machine), parts);
  StepBound bound(*machine, exact.states[0], nullptr);
  std::uint64_t visits = 0;
  EXPECT_EQ(bound.explore(*context, visits), Status::Ok);
  EXPECT_TRUE(bound.tells());
  EXPECT_TRUE(bound.aim(goal, nullptr));
  Found found;
  for (std::size_t i = 0; i < exact.states.size(); ++i) {
    const std::uint32_t steps = bound.steps(*context, exact.states[i]);
    EXPECT_LE(steps, exact.steps[i]) << machine->print(*context, exact.states[i]);
    found.tight += steps == exact.steps[i] ? 1 : 0;
  }
  found.states = exact.states.size();
  found.at_root = bound.steps(*context, exact.states[0]);
  found.exact_at_root = exact.steps[0];
  EXPECT_LT(visits, found.states);
  return found;
}

TEST(StepBound, IsExactWhereIdlePartsStayAsTheyAre) {
  const Found found = compare(test::dials(3, 11), 100, 3);
  EXPECT_EQ(found.exact_at_root, 11u);
  EXPECT_EQ(found.at_root, 11u);
  EXPECT_GT(found.tight, found.states / 2);
}

TEST(StepBound, SeesThatThereAreTooFewSteps) {
  const Found found = compare(test::dials(3, 8), 100, 3);
  EXPECT_EQ(found.exact_at_root, StepBound::kNever);
  EXPECT_EQ(found.at_root, StepBound::kNever);
}

TEST(StepBound, HoldsForALesserGoalToo) {
  const Found found = compare(test::dials(3, 8), 40, 3);
  EXPECT_EQ(found.exact_at_root, 8u);
  EXPECT_EQ(found.at_root, 8u);
}

TEST(StepBound, HoldsWhereIdlePartsChange) {
  const Found found = compare(test::fading_lamps(3, 3, 7), 100, 3);
  EXPECT_EQ(found.exact_at_root, 7u);
  EXPECT_EQ(found.at_root, 7u);
}

TEST(StepBound, SeesThatThePartsCannotAllBeServedInTheLastSteps) {
  // Each of four lamps must be lit in the last three steps.
  const Found found = compare(test::fading_lamps(4, 3, 9), 100, 4);
  EXPECT_EQ(found.exact_at_root, StepBound::kNever);
  EXPECT_EQ(found.at_root, StepBound::kNever);
}

TEST(StepBound, CountsPartsWithMoves) {
  const auto parts = [](const std::string& game) {
    return StepBound::moved_parts(*test::fast_machine(test::bundled_rulesheet(game)));
  };
  EXPECT_EQ(parts("three_boards"), 3u);
  EXPECT_EQ(parts("eight_puzzle"), 1u) << "and a clock";
  EXPECT_EQ(parts("tic_tac_toe"), 0u);
  EXPECT_EQ(StepBound::moved_parts(*interpret(test::bundled_rulesheet("three_boards"))), 0u)
      << "an interpreter knows no structure";
}

TEST(StepBound, GoesOnWhereItWasStopped) {
  const auto machine = test::fast_machine(test::bundled_rulesheet("three_boards"));
  struct Once final : gdl::StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return asked++ % 50 == 49; }
    mutable int asked = 0;
  } stop;
  const auto context = machine->make_context({&stop, nullptr});
  gdl::State root;
  ASSERT_EQ(machine->initial(*machine->make_context(), root), Status::Ok);
  StepBound bound(*machine, root, nullptr);
  std::uint64_t visits = 0;
  int stops = 0;
  while (stops < 1000 && bound.explore(*context, visits) == Status::Stopped) ++stops;
  while (stops < 1000 && !bound.aim(100, &stop)) ++stops;
  ASSERT_LT(stops, 1000);
  EXPECT_GT(stops, 5);
  EXPECT_EQ(bound.steps(*machine->make_context(), root), 60u);
}

TEST(StepBound, TakesNoMoreMemoryThanThereIs) {
  const auto machine = test::fast_machine(test::bundled_rulesheet("three_boards"));
  const auto context = machine->make_context();
  gdl::State root;
  ASSERT_EQ(machine->initial(*context, root), Status::Ok);
  gdl::MemoryBudget memory(60'000);
  {
    StepBound bound(*machine, root, &memory);
    std::uint64_t visits = 0;
    EXPECT_EQ(bound.explore(*context, visits), Status::Ok);
    EXPECT_FALSE(bound.tells());
  }
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace ludens::search::factors
