// SPDX-License-Identifier: MIT
#include "search/minimax/evaluation.h"

#include <gmock/gmock.h>

#include "search/minimax/minimax.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;

TEST(Evaluation, OfEachKindHasAWord) {
  EXPECT_EQ(evaluation_kind("none"), EvaluationKind::None);
  EXPECT_EQ(evaluation_kind("goal"), EvaluationKind::Goal);
  EXPECT_EQ(evaluation_kind("mobility"), EvaluationKind::Mobility);
  EXPECT_EQ(evaluation_kind("mixed"), EvaluationKind::Mixed);
  EXPECT_EQ(evaluation_kind("playouts"), EvaluationKind::Playouts);
  EXPECT_EQ(evaluation_kind("learned"), EvaluationKind::Learned);
}

TEST(Evaluation, IsLearnedForTheHorizonOfTreeSearches) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  for (const char* name : {"alphabeta", "minimax", "maxn", "paranoid"}) {
    const auto strategy =
        strategy_of(std::string(name) + ":evaluation=learned,nodes=300,depth=2,seed=1");
    const Choice choice = think(*strategy, position);
    EXPECT_NE(choice.move, gdl::kNoMove);
    EXPECT_THAT(strategy->explanation(), HasSubstr("; values of ")) << name;
  }
}

/// One pawn from its goal with nothing before it: nearly won, and nearly lost for the other.
TEST(Evaluation, TellsAGoodPositionFromABadOneByWhatWasLearned) {
  const Position start = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({.games = 500}, {}, 1);
  learning.learn(start, Deadline());
  const auto evaluation =
      make_evaluation(EvaluationKind::Learned, 0, gdl::Rng(1), learning.values_for(*start.machine));
  const auto context = start.machine->make_context();
  GameTree tree(*start.machine, *context, 0);
  std::vector<double> before(2), after(2);
  gdl::Rng rng(5);
  int seen = 0, right = 0;
  for (int match = 0; match < 200; ++match) {  // of random moves; the last state but one is judged
    ASSERT_EQ(tree.reset(start.state), gdl::Status::Ok);
    while (!tree.terminal()) {
      ASSERT_EQ(evaluation->evaluate(tree, after), gdl::Status::Ok);
      before = after;
      const auto moves = tree.moves();
      ASSERT_EQ(tree.down(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]),
                gdl::Status::Ok);
    }
    std::vector<int> goals(2);
    ASSERT_EQ(tree.goals(goals), gdl::Status::Ok);
    ++seen;
    right += (before[0] > before[1]) == (goals[0] > goals[1]) ? 1 : 0;
  }
  EXPECT_GT(right * 10, seen * 8) << right << " of " << seen;
}

}  // namespace
}  // namespace ludens::search::test
