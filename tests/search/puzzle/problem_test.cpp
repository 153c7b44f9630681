// SPDX-License-Identifier: MIT
// The position that searches share, and the passes of the machine that they make.
#include <gtest/gtest.h>

#include "search/puzzle/passes.h"
#include "tests/search/puzzle/posed.h"
#include "tests/search/strategy/odd_machines.h"

namespace ludens::search::puzzle {
namespace {

using Moves = std::vector<gdl::MoveId>;

Moves line_of(const SearchProblem& problem) {
  return {problem.line().begin(), problem.line().end()};
}

TEST(SearchProblem, KeepsTheBestPlayThatItIsOffered) {
  Posed posed(doubling(20));
  SearchProblem& problem = *posed.problem;
  EXPECT_EQ(problem.best(), -1);
  EXPECT_TRUE(problem.line().empty());
  problem.offer(0, Moves{1, 1});
  EXPECT_EQ(problem.best(), 0) << "an end is better than none";
  problem.offer(40, Moves{1, 0});
  problem.offer(30, Moves{0, 0, 0});
  EXPECT_EQ(problem.best(), 40);
  EXPECT_EQ(line_of(problem), (Moves{1, 0}));
  EXPECT_FALSE(problem.solved());
}

TEST(SearchProblem, AmongEqualsTakesThePlayWhoseFirstMoveIsTriedFirst) {
  Posed posed(doubling(20));
  SearchProblem& problem = *posed.problem;  // moves 0 and 1, in this order
  problem.offer(50, Moves{1});
  problem.offer(50, Moves{0, 1, 1});
  EXPECT_EQ(line_of(problem), (Moves{0, 1, 1})) << "however long";
  problem.offer(50, Moves{1, 1});
  problem.offer(50, Moves{0});
  EXPECT_EQ(line_of(problem), (Moves{0, 1, 1})) << "the first that was found";
  problem.offer(60, Moves{});
  EXPECT_EQ(problem.best(), 50) << "no play at all";
}

TEST(SearchProblem, TellsOfBetterPlaysOnly) {
  Posed posed(doubling(20));
  std::vector<int> told;
  posed.problem->tell([&](const SearchProblem& p) { told.push_back(p.best()); });
  for (const int goal : {10, 5, 10, 70, 70, 100}) posed.problem->offer(goal, Moves{0});
  EXPECT_EQ(told, (std::vector{10, 70, 100}));
  posed.problem->tell({});
  posed.problem->offer(101, Moves{0});
  EXPECT_EQ(told.size(), 3U);
}

TEST(SearchProblem, IsSolvedByAGoalThatIsEnough) {
  Posed posed(doubling(20), 60);
  EXPECT_EQ(posed.problem->enough(), 60);
  posed.problem->offer(59, Moves{0});
  EXPECT_FALSE(posed.problem->solved());
  posed.problem->offer(60, Moves{0});
  EXPECT_TRUE(posed.problem->solved());
}

TEST(SearchProblem, LooksForNoGoalThatTheRulesDoNotKnow) {
  Posed posed(
      std::make_shared<test::KnownGoals>(std::make_shared<Doubling>(20), std::vector{0, 30, 80}));
  EXPECT_EQ(posed.problem->highest(), 80);
  EXPECT_EQ(posed.problem->enough(), 80);
  posed.problem->rule_out(80);
  EXPECT_EQ(posed.problem->highest(), 30);
  posed.problem->rule_out(90);
  EXPECT_EQ(posed.problem->highest(), 30) << "what was proved stays proved";
  posed.problem->rule_out(30);
  EXPECT_EQ(posed.problem->highest(), 0);
  posed.problem->offer(0, Moves{0});
  EXPECT_TRUE(posed.problem->solved());
}

TEST(SearchProblem, RulesOutGoalsOneByOneWhereNothingIsKnownOfThem) {
  Posed posed(doubling(20));
  EXPECT_EQ(posed.problem->highest(), 100);
  posed.problem->rule_out(100);
  EXPECT_EQ(posed.problem->highest(), 99);
}

TEST(SearchProblem, IsStoppedByTheSignalUnderWhichItRuns) {
  Posed posed(doubling(20));
  EXPECT_FALSE(posed.problem->stopped()) << "no signal";
  const AtStates now(*posed.problem, 5);
  posed.problem->run_under(&now);
  EXPECT_FALSE(posed.problem->stopped());
  posed.problem->states = 5;
  EXPECT_TRUE(posed.problem->stopped());
  posed.problem->run_under(nullptr);
  EXPECT_FALSE(posed.problem->stopped());
}

// ---- passes ----

TEST(Passes, SayWhatFollowsFromEachMoveInTheOrderInWhichTheyWereAdded) {
  Posed posed(doubling(4));
  Passes passes(*posed.problem);
  const std::vector<std::uint64_t> three{3};
  passes.add(posed.problem->root(), 0, 7);
  passes.add(gdl::StateView(three), 0, 8);
  passes.add(gdl::StateView(three), 1, 9);
  EXPECT_EQ(passes.size(), 3U);
  EXPECT_EQ(passes.tag(1), 8U);
  EXPECT_EQ(passes.children(), 0U) << "not run yet";
  ASSERT_EQ(passes.run(), gdl::Status::Ok);
  ASSERT_EQ(passes.children(), 3U);
  EXPECT_EQ(posed.problem->states, 3U);
  const Child first = passes[0], won = passes[1], lost = passes[2];
  EXPECT_EQ(first.tag, 7U);
  EXPECT_FALSE(first.terminal);
  EXPECT_EQ(first.state.words()[0], 2U);
  EXPECT_EQ(Moves(first.moves.begin(), first.moves.end()), (Moves{0, 1}));
  EXPECT_FALSE(passes.ends(0));
  EXPECT_TRUE(won.terminal);
  EXPECT_EQ(won.goal, 100);
  EXPECT_TRUE(won.moves.empty());
  EXPECT_TRUE(passes.ends(1));
  EXPECT_EQ(lost.goal, 10);
  EXPECT_EQ(lost.move, 1U);
  passes.clear();
  EXPECT_EQ(passes.size(), 0U);
  EXPECT_EQ(passes.children(), 0U);
}

TEST(Passes, AreAsLargeAsTheMachineLikesButNotTiny) {
  Posed single(doubling(20));
  EXPECT_GE(Passes(*single.problem).capacity(), 8U);
  Posed wide(std::make_shared<BatchMachine>(doubling(20), 300));
  Passes passes(*wide.problem);
  EXPECT_EQ(passes.capacity(), 300U);
  for (int i = 0; i < 300; ++i) {
    ASSERT_FALSE(passes.full());
    passes.add(wide.problem->root(), 0, 0);
  }
  EXPECT_TRUE(passes.full());
}

TEST(Passes, OfNothingAskNothing) {
  Posed posed(doubling(20));
  Passes passes(*posed.problem);
  EXPECT_EQ(passes.run(), gdl::Status::Ok);
  EXPECT_EQ(posed.problem->states, 0U);
}

TEST(Passes, ThatWereStoppedMayBeRunAgain) {
  Posed posed(doubling(20));
  Passes passes(*posed.problem);
  passes.add(posed.problem->root(), 0, 0);
  const AtStates now(*posed.problem, 0);
  posed.problem->run_under(&now);
  EXPECT_EQ(passes.run(), gdl::Status::Stopped);
  EXPECT_EQ(posed.problem->states, 0U);
  posed.problem->run_under(nullptr);
  EXPECT_EQ(passes.run(), gdl::Status::Ok);
  EXPECT_EQ(passes.children(), 1U);
}

TEST(Passes, OverTheBudgetOfTheMachineLeaveAGap) {
  Posed posed(std::make_shared<PoorMachine>(doubling(20), 2));
  Passes passes(*posed.problem);
  for (int i = 0; i < 5; ++i) passes.add(posed.problem->root(), 0, 0);
  EXPECT_FALSE(posed.problem->gaps);
  EXPECT_EQ(passes.run(), gdl::Status::Ok);
  EXPECT_TRUE(posed.problem->gaps);
  EXPECT_EQ(passes.children(), 0U);
  EXPECT_EQ(posed.problem->states, 5U) << "they were looked at";
}

}  // namespace
}  // namespace ludens::search::puzzle
