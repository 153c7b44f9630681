// SPDX-License-Identifier: MIT
// What `mcts` proves, and what it plays where it has proved something.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

using gdl::MoveId;

TEST(ProofsOfMcts, TakesAWinAtOnceAndSaysThatItIsProved) {
  // Crosses 0 and 1, noughts 3 and 4: 2 wins.
  const Choice choice =
      think(*strategy_of("mcts:playouts=5000,seed=1"), after_marks({0, 3, 1, 4}, 0));
  EXPECT_EQ(choice.move, 2U);
  EXPECT_EQ(choice.value, 100);
  EXPECT_TRUE(choice.exact);
  EXPECT_LT(choice.iterations, 100U);  // does not go on when there is nothing left to find out
  EXPECT_EQ(choice.variation, (std::vector<MoveId>{2, TicTacToe::kWait}));
}

TEST(ProofsOfMcts, BlocksAndLeavesRefutedMovesAlone) {
  // Crosses 0 and 1: noughts must mark 2.
  const Choice choice = think(*strategy_of("mcts:playouts=3000,seed=1"), after_marks({0, 4, 1}, 1));
  EXPECT_EQ(choice.move, 2U);
  for (const RootMove& move : choice.root) {
    EXPECT_EQ(move.high > 0, move.move == 2) << move.move;
  }
}

TEST(ProofsOfMcts, SolvesTicTacToe) {
  const Choice choice = think(*strategy_of("mcts:playouts=200000,seed=1"), after_marks({}, 0));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 50);
  EXPECT_LT(choice.iterations, 200000U);
}

TEST(ProofsOfMcts, OpensADrawWhereMostRepliesLose) {
  // All openings are drawn. Of the eight replies to a corner only the middle draws, too; four lose
  // after the middle.
  for (int seed = 1; seed <= 6; ++seed) {
    const Choice choice = think(*strategy_of("mcts:playouts=300000,seed=" + std::to_string(seed)),
                                after_marks({}, 0));
    EXPECT_TRUE(choice.exact);
    const std::vector<MoveId> corners{0, 2, 6, 8};
    EXPECT_EQ(std::ranges::count(corners, choice.move), 1) << choice.move;
  }
}

TEST(ProofsOfMcts, AProvedDrawIsNotTheLastWordBeforeTheSearchForMistakesEnds) {
  const Position position = after_marks({}, 0);
  for (const unsigned threads : {1, 3}) {
    const auto strategy = strategy_of("mcts:playouts=300000,seed=1", {threads, nullptr});
    const auto all = publications(*strategy, position);
    ASSERT_TRUE(all.back().last);
    EXPECT_TRUE(all.back().choice.exact);
    unsigned waits = 0;
    for (const auto& [choice, last] : all) {
      EXPECT_TRUE(choice.exact || !last);
      waits += choice.exact && !last ? 1 : 0;
      // No more than the passes of the other threads are missing.
      EXPECT_TRUE(!last || choice.iterations + threads >= all.back().choice.iterations);
    }
    // The thread that publishes may sleep while the others look for mistakes.
    EXPECT_TRUE(waits > 0 || threads > 1);
    // If it is asked again, it looks for mistakes once more.
    const auto more = publications(*strategy, position);
    EXPECT_TRUE(more.front().choice.exact);
    EXPECT_FALSE(more.front().last);
    EXPECT_TRUE(more.back().last);
  }
}

/// One move proves the draw. Others that are not proved yet may be harder to answer.
TEST(ProofsOfMcts, ProvesAllDrawnMovesBeforeItLooksForMistakes) {
  const Position position = after_marks({4, 0}, 0);
  for (int seed = 1; seed <= 10; ++seed) {
    const std::string text = "mcts:playouts=100000,leaves=4,seed=" + std::to_string(seed);
    const auto all = publications(*strategy_of(text), position);
    const auto goes_on = [](const Publication& p) { return p.choice.exact && !p.last; };
    EXPECT_TRUE(std::ranges::any_of(all, goes_on)) << seed;
    for (const RootMove& move : all.back().choice.root) {
      EXPECT_EQ(move.low, 50) << seed << ": " << move.move;
      EXPECT_EQ(move.high, 50) << seed << ": " << move.move;
    }
  }
}

TEST(ProofsOfMcts, WithBoundsOffNothingIsProved) {
  const Choice choice =
      think(*strategy_of("mcts:playouts=5000,bounds=off,seed=1"), after_marks({0, 3, 1, 4}, 0));
  EXPECT_EQ(choice.move, 2U);
  EXPECT_FALSE(choice.exact);
  EXPECT_EQ(choice.iterations, 5000U);
}

TEST(ProofsOfMcts, ALostPositionIsStillPlayed) {
  // Crosses 0, 2, 4, noughts 1, 5: both 6 and 8 threaten; noughts to move can stop one.
  int stopped = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const Choice choice = think(*strategy_of("mcts:playouts=5000,seed=" + std::to_string(seed)),
                                after_marks({0, 1, 4, 5, 2}, 1));
    EXPECT_TRUE(choice.exact);
    EXPECT_EQ(choice.value, 0);
    stopped += choice.move == 6 || choice.move == 8 ? 1 : 0;
  }
  EXPECT_GE(stopped, 14);  // these take longer to refute than the others, by and large
}

TEST(ProofsOfMcts, NeverLosesTicTacToeAgainstAnyReplies) {
  // All replies to the player's moves, as crosses, from a few openings.
  auto strategy = strategy_of("mcts:playouts=2000,seed=3");
  std::vector<Position> open{after_marks({}, 0)};
  std::size_t games = 0;
  while (!open.empty()) {
    Position position = open.back();
    open.pop_back();
    const MoveId own = think(*strategy, position).move;
    make_move(position, std::vector{own, TicTacToe::kWait});
    const std::vector<MoveId> replies =
        is_terminal(position) ? std::vector<MoveId>{} : legal_moves(position, 1);
    if (replies.empty()) {
      EXPECT_GE(goals_of(position)[0], 50);
      ++games;
    }
    for (const MoveId reply : replies) {
      Position next = position;
      make_move(next, std::vector{TicTacToe::kWait, reply});
      if (is_terminal(next)) {
        ADD_FAILURE() << "lost";
      } else {
        open.push_back(next);
      }
    }
  }
  EXPECT_GT(games, 50U);
}

TEST(ProofsOfMcts, AGoalOfTheThresholdEndsTheSearch) {
  const Choice choice =
      think(*strategy_of("mcts:playouts=100000,threshold=50,seed=1"), after_marks({0, 4}, 0));
  EXPECT_GE(choice.value, 50);
  EXPECT_LT(choice.iterations, 50000U);
}

}  // namespace
}  // namespace ludens::search::test
