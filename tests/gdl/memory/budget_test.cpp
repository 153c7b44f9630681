// SPDX-License-Identifier: MIT
// Budgets within budgets, names that are counted, and states that are too long to print.
#include <gtest/gtest.h>

#include <string>

#include "gdl/memory/held_memory.h"
#include "gdl/memory/limits.h"
#include "tests/gdl/interpreter/position.h"

namespace ludens::gdl {
namespace {

TEST(MemoryBudget, PartsNeverHoldMoreThanTheWhole) {
  const auto whole = std::make_shared<MemoryBudget>(100);
  MemoryBudget one(80, whole), other(80, whole);
  EXPECT_TRUE(one.reserve(70));
  EXPECT_FALSE(other.reserve(40)) << "the whole has no more";
  EXPECT_EQ(other.used(), 0U);
  EXPECT_TRUE(other.reserve(30));
  EXPECT_FALSE(one.reserve(20)) << "the part has no more";
  EXPECT_EQ(whole->used(), 100U);
  one.release(70);
  other.release(30);
  EXPECT_EQ(whole->used(), 0U);
}

/// A fluent that is twice as long in each state as in the one before.
const std::string kDoubling =
    "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x ?x))) (true (n ?x)))"
    "(<= (goal r 50) (true (n ?x))) (<= terminal (true (n q)))";

TEST(Names, AreCountedAsLongAsTheVocabularyLives) {
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 20);
  {
    const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kDoubling).rules, memory);
    const auto machine = make_interpreter(vocabulary);
    const auto context = machine->make_context();
    State now, after;
    ASSERT_EQ(machine->initial(*context, now), Status::Ok);
    EXPECT_GT(memory->used(), 0U);
    const MoveId none = kNoMove;
    Status status = Status::Ok;
    int steps = 0;
    for (; status == Status::Ok && steps < 100; ++steps) {
      status = machine->next(*context, now, JointMove(&none, 1), after);
      std::swap(now, after);
    }
    EXPECT_EQ(status, Status::OverBudget);
    EXPECT_LT(steps, 20);
    EXPECT_LE(memory->used(), memory->limit());
  }
  EXPECT_EQ(memory->used(), 0U);
}

TEST(Names, LongerThanAnyoneReadsAreNone) {
  // With a constant of a megabyte the fifth state has no name, however much memory there is.
  std::string text = kDoubling;
  const std::string constant(std::size_t{1} << 20, 'z');
  text.replace(text.find("(n z)"), 5, "(n " + constant + ")");
  Position position(text);
  const MoveId none = kNoMove;
  State now = position.state(), after;
  int steps = 0;
  while (position.machine().next(position.context(), now, JointMove(&none, 1), after) ==
         Status::Ok) {
    ASSERT_LT(++steps, 10);
    std::swap(now, after);
  }
  EXPECT_EQ(steps, 1) << "two megabytes";
}

TEST(Names, OfMovesAreBoundedToo) {
  std::string text =
      "(role r) (init a) (d0 z) (<= (next a) (true a)) (<= terminal (true b)) (goal r 0)";
  for (int i = 0; i < 40; ++i) {
    text += "(<= (d" + std::to_string(i + 1) + " (s ?x ?x)) (d" + std::to_string(i) + " ?x))";
  }
  text += "(<= (legal r (big ?x)) (d40 ?x))";
  MemoryBudget memory(std::size_t{64} << 20);
  Position position(text, {nullptr, &memory});
  std::vector<MoveId> moves;
  EXPECT_EQ(position.machine().legal(position.context(), position.state(), 0, moves),
            Status::OverBudget);
  EXPECT_FALSE(position.terminal()) << "the context stays usable";
}

TEST(HeldMemory, KeepsASharedBudgetAlive) {
  auto whole = std::make_shared<MemoryBudget>(100);
  auto part = std::make_shared<MemoryBudget>(50, whole);
  const std::weak_ptr<MemoryBudget> watched = part;
  HeldMemory held;
  ASSERT_TRUE(held.reserve(30, part.get()));
  part.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(whole->used(), 30U);
  held.release();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(whole->used(), 0U);
}

/// 250,000 fluents of about 30 bytes.
const std::string kManyFluents = [] {
  std::string text = "(role r) (legal r go) (goal r 0) (<= terminal (true b))";
  for (int i = 0; i < 500; ++i) text += "(d number_" + std::to_string(i) + ")";
  return text + "(<= (init (cell ?x ?y)) (d ?x) (d ?y)) (<= (next ?f) (true ?f))";
}();

TEST(PrintedStates, AreBoundedAndCanBeStopped) {
  Position position(kManyFluents);
  std::string text;
  EXPECT_EQ(position.machine().print(position.context(), position.state(), text),
            Status::OverBudget);
  EXPECT_EQ(position.facts(), "");
  const std::string brief = position.machine().brief(position.context(), position.state());
  EXPECT_TRUE(brief.starts_with("( ( cell number_")) << brief.substr(0, 100);
  EXPECT_TRUE(brief.ends_with(" ) ... )")) << brief.size();
  EXPECT_LT(brief.size(), 5000U);

  class Now final : public StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return true; }
  } now;
  position.context().limits.stop = &now;
  EXPECT_EQ(position.machine().print(position.context(), position.state(), text), Status::Stopped);
}

TEST(PrintedStates, ThatAreShortAreWhole) {
  Position position("(role r) (init (b 2)) (init a) (legal r go) (goal r 0)");
  EXPECT_EQ(position.facts(), "( ( b 2 ) a )");
  EXPECT_EQ(position.machine().brief(position.context(), position.state()), "( ( b 2 ) a )");
}

}  // namespace
}  // namespace ludens::gdl
