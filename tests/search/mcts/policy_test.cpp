// SPDX-License-Identifier: MIT
#include "search/mcts/mcts.h"
#include "search/mcts/playout_policy.h"
#include "tests/gdl/policy/games.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(PolicyOfMcts, IsFollowedAndRepeatable) {
  const Position position = initial_position(bundled("connect_four_small", "sliced"));
  const auto search = [&](const std::string& policy) {
    const auto strategy = strategy_of("mcts:playouts=20000,seed=3,policy=" + policy);
    const Choice choice = think(*strategy, position);
    const std::string said = "; playouts " + policy + " in ";
    EXPECT_EQ(strategy->explanation().find(said) != std::string::npos, policy != "uniform");
    return visits(choice);
  };
  for (const char* policy : {"decisive", "halfblock", "block", "avoid"}) {
    const auto once = search(policy);
    EXPECT_EQ(search(policy), once) << policy;
    EXPECT_NE(search("uniform"), once) << policy;
  }
}

TEST(PolicyOfMcts, IsUniformWhereTheGameOrTheMachineHasNoOther) {
  const auto together = strategy_of("mcts:playouts=500,seed=1,policy=block");
  think(*together, initial_position(bundled("rock_paper_scissors", "sliced")));
  EXPECT_THAT(together->explanation(),
              HasSubstr("uniform: no move is a winning move of the other"));
  const auto native = strategy_of("mcts:playouts=500,seed=1,policy=block");
  think(*native, initial_position(tic_tac_toe()));
  EXPECT_THAT(native->explanation(), HasSubstr("uniform: the machine has no network"));
}

TEST(PolicyOfMcts, IsNotDecidedByTheClockWherePlayoutsAreCounted) {
  const auto strategy = strategy_of("mcts:playouts=2000,seed=1,policy=auto");
  think(*strategy, initial_position(bundled("connect_four_small", "sliced")));
  EXPECT_THAT(strategy->explanation(), Not(HasSubstr("; playouts")));
}

TEST(PolicyOfMcts, GoesWithFirstTriesByPairsOfMoves) {
  const Position position = initial_position(bundled("connect_four_small", "sliced"));
  const auto by_pairs = [&](const std::string& options) {
    const auto strategy = strategy_of("mcts:playouts=2000,seed=1," + options);
    think(*strategy, position);
    return strategy->explanation().find("pairs of moves") != std::string::npos;
  };
  EXPECT_TRUE(by_pairs("policy=decisive"));
  EXPECT_FALSE(by_pairs("policy=decisive,nst=0"));
  EXPECT_FALSE(by_pairs("policy=uniform"));
  EXPECT_TRUE(by_pairs("policy=uniform,nst=1"));
  EXPECT_FALSE(by_pairs("policy=decisive,first=won"));
  EXPECT_TRUE(by_pairs("policy=decisive,first=won,nst=1"));
}

TEST(PolicyOfMcts, EndsWithItsMatchAndSoDoFirstTriesByPairsOfMoves) {
  const auto strategy = strategy_of("mcts:playouts=2000,seed=1,policy=block");
  think(*strategy, initial_position(bundled("connect_four_small", "sliced")));
  EXPECT_THAT(strategy->explanation(), HasSubstr("pairs of moves"));
  think(*strategy, initial_position(bundled("rock_paper_scissors", "sliced")));
  EXPECT_THAT(strategy->explanation(),
              AllOf(HasSubstr("playouts uniform"), Not(HasSubstr("pairs of moves"))));
}

TEST(PolicyOfMcts, ComesFromMatchesWhereThereIsTime) {
  const auto strategy = strategy_of("mcts:policy=auto");
  const Position position = initial_position(bundled("tic_tac_toe", "sliced"));
  const Choice choice = think(*strategy, position, Deadline::in(30));  // less if it is solved
  EXPECT_NE(choice.move, gdl::kNoMove);
  EXPECT_THAT(strategy->explanation(), HasSubstr("a winning move in 2"));
}

TEST(PolicyOfMcts, ComesFromMatchesWhereRolesMoveAtOnceToo) {
  const Position position = initial_position(bundled("bidding_tic_tac_toe", "sliced"));
  mcts::PlayoutPolicyChoice choice("auto", false, make_uniform_search);
  choice.reset(position.machine);
  choice.decide(position, Deadline::in(60), nullptr);
  ASSERT_TRUE(choice.decision(*position.machine));
  EXPECT_THAT(choice.decision(*position.machine)->why, HasSubstr("a winning move in 1"));
}

TEST(PolicyOfMcts, IsWhatWasDecidedBefore) {
  const Position position = initial_position(bundled("tic_tac_toe", "sliced"));
  mcts::PlayoutPolicyChoice before("decisive", true, make_uniform_search);
  before.reset(position.machine);
  EXPECT_FALSE(before.decision(*position.machine));
  before.decide(position, Deadline(), nullptr);
  ASSERT_TRUE(before.decision(*position.machine));
  EXPECT_FALSE(before.decision(*bundled("tic_tac_toe", "sliced")));
  Resources resources;
  resources.playouts = [&](const gdl::Machine& machine) { return before.decision(machine); };
  const auto strategy = strategy_of("mcts", resources);
  think(*strategy, position, Deadline::in(0.2));
  EXPECT_THAT(strategy->explanation(), HasSubstr("playouts decisive in"));
}

TEST(PolicyOfMcts, IsUniformWhereWinningMovesAreRare) {
  const Position position = initial_position(bundled("rock_paper_scissors", "sliced"));
  std::string said;
  // However slow the processor is, there is a time that is enough to decide.
  for (double time = 3; time < 200 && said.find("uniform: ") == std::string::npos; time *= 2) {
    const auto strategy = strategy_of("mcts:policy=auto");
    think(*strategy, position, Deadline::in(time));
    said = strategy->explanation();
  }
  EXPECT_THAT(said, HasSubstr("uniform: a winning move in 0."));
}

// With three roles there are no matches to see a policy win.
TEST(PolicyOfMcts, IsNotTakenUnseenWhereTheTurnMayBeKept) {
  const auto why = [](bool walls_keep_turn) {
    const Position position =
        initial_position(machine_of(gdl::marks_and_walls(walls_keep_turn), "sliced"));
    mcts::PlayoutPolicyChoice choice("auto", false, make_uniform_search);
    choice.reset(position.machine);
    choice.decide(position, Deadline::in(60), nullptr);
    return choice.explanation();
  };
  EXPECT_THAT(why(true), AllOf(HasSubstr("uniform: "), HasSubstr("keeps the turn in")));
  EXPECT_THAT(why(false), AllOf(HasSubstr("decisive: "), Not(HasSubstr("keeps the turn in"))));
}

TEST(PolicyOfMcts, LeavesTimeForTheSearchAtAShortClock) {
  const Position position = initial_position(bundled("breakthrough", "sliced"));
  std::uint64_t iterations = 0;
  for (double time = 1; time < 20 && iterations == 0; time *= 2) {
    const auto strategy = strategy_of("mcts:policy=auto");
    iterations = think(*strategy, position, Deadline::in(time)).iterations;
  }
  EXPECT_GT(iterations, 0U);
}

}  // namespace
}  // namespace ludens::search::test
