// SPDX-License-Identifier: MIT
// Learned values in the leaves of mcts.
#include <gmock/gmock.h>

#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// With values of the states of the match, and of those with what roles can reach.
class ValuesOfMcts : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Reach, ValuesOfMcts, testing::Values("", ",reach=1"));

TEST_P(ValuesOfMcts, AreLearnedAndUsed) {
  const auto strategy = strategy_of("mcts:playouts=4000,seed=1,values=0.5" + GetParam());
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const Choice choice = think(*strategy, position);
  const auto legal = legal_moves(position, position.role);
  EXPECT_TRUE(std::ranges::count(legal, choice.move) == 1);
  EXPECT_EQ(choice.iterations, 1000U);
  EXPECT_THAT(strategy->explanation(), HasSubstr("values of 5"));  // some 500 games
  const bool reaches = strategy->explanation().find("that see 1 moves far") != std::string::npos;
  EXPECT_EQ(reaches, !GetParam().empty()) << strategy->explanation();
  const Choice plain = think(*strategy_of("mcts:playouts=4000,seed=1"), position);
  EXPECT_NE(choice.value, plain.value);
}

TEST_P(ValuesOfMcts, GoWithPlayoutsThatFollowAPolicy) {
  const auto strategy =
      strategy_of("mcts:playouts=4000,policy=decisive,seed=1,values=0.5" + GetParam());
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const Choice choice = think(*strategy, position);
  EXPECT_EQ(choice.iterations, 1000U);
  EXPECT_THAT(strategy->explanation(), HasSubstr("decisive in "));
}

/// Nothing would use it.
TEST(ValuesOfMcts, LeaveNoRoomForAnEvaluation) {
  const auto strategy = strategy_of("mcts:playouts=400,seed=1,values=1.0,evaluation=leaf,depth=1");
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const Choice choice = think(*strategy, position);
  EXPECT_THAT(strategy->explanation(), Not(HasSubstr("; evaluation")));
  EXPECT_GT(choice.value, 10);  // where no new position is reached, playouts count
}

}  // namespace
}  // namespace ludens::search::test
