#include "search/mcts/self_match.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using namespace std::chrono_literals;
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
  think(*native, initial_position(std::make_shared<NativeMachine>(std::make_shared<TicTacToe>())));
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
}

TEST(PolicyOfMcts, ComesFromMatchesWhereThereIsTime) {
  const auto strategy = strategy_of("mcts:policy=auto");
  const Position position = initial_position(bundled("tic_tac_toe", "sliced"));
  const Choice choice = think(*strategy, position, Deadline(std::chrono::steady_clock::now() + 4s));
  EXPECT_NE(choice.move, gdl::kNoMove);
  EXPECT_THAT(strategy->explanation(), HasSubstr("a winning move in 2"));
}

TEST(PolicyOfMcts, ComesFromMatchesWhereRolesMoveAtOnceToo) {
  const auto strategy = strategy_of("mcts:policy=auto");
  think(*strategy, initial_position(bundled("bidding_tic_tac_toe", "sliced")),
        Deadline(std::chrono::steady_clock::now() + 4s));
  EXPECT_THAT(strategy->explanation(), HasSubstr("a winning move in 1"));
}

TEST(PolicyOfMcts, IsUniformWhereWinningMovesAreRare) {
  const auto strategy = strategy_of("mcts:policy=auto");
  think(*strategy, initial_position(bundled("rock_paper_scissors", "sliced")),
        Deadline(std::chrono::steady_clock::now() + 3s));
  EXPECT_THAT(strategy->explanation(), HasSubstr("uniform: a winning move in 0."));
}

TEST(PolicyOfMcts, LeavesTimeForTheSearchAtAShortClock) {
  const auto strategy = strategy_of("mcts:policy=auto");
  const Position position = initial_position(bundled("breakthrough", "sliced"));
  const Choice choice = think(*strategy, position, Deadline(std::chrono::steady_clock::now() + 1s));
  EXPECT_GT(choice.iterations, 0U);
}

TEST(SelfMatch, PlaysBothSeats) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline never;
  mcts::SelfMatch match(start, never, nullptr, 1);
  ASSERT_TRUE(match.possible());
  mcts::PlayoutContestant strong(machine, 4'000, nullptr), weak(machine, 1, nullptr);
  mcts::Score score;
  for (int i = 0; i < 10; ++i) {
    const auto share = match.play_pair(strong, weak);
    ASSERT_TRUE(share.has_value());
    score.add(*share);
  }
  EXPECT_GT(score.mean(), 0.6);
  EXPECT_EQ(score.pairs, 10U);
  EXPECT_GT(score.standard_error(), 0.0);
}

/// Always makes the same move.
class Stubborn final : public mcts::Contestant {
 public:
  Stubborn(const Position& position, std::string_view move)
      : move_(position.machine->vocabulary()->find_move(move).value()) {}
  std::optional<gdl::MoveId> choose(const Position& /*position*/,
                                    const Deadline& /*end*/) override {
    return move_;
  }

 private:
  gdl::MoveId move_;
};

TEST(SelfMatch, AsksBothWhereTheyMoveAtOnce) {
  const Position start = initial_position(bundled("rock_paper_scissors", "sliced"));
  const Deadline never;
  mcts::SelfMatch match(start, never, nullptr, 1);
  Stubborn rock(start, "( show rock )"), scissors(start, "( show scissors )");
  // Ten points a round, two rounds by chance: what those bring is the same for both.
  EXPECT_DOUBLE_EQ(match.play_pair(rock, scissors).value_or(0), 0.8);
  EXPECT_DOUBLE_EQ(match.play_pair(scissors, rock).value_or(0), 0.2);
}

TEST(SelfMatch, EndsWhenItIsStopped) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline now(std::chrono::steady_clock::now());
  mcts::SelfMatch match(start, now, nullptr, 1);
  mcts::PlayoutContestant one(machine, 100, nullptr), other(machine, 100, nullptr);
  EXPECT_EQ(match.play_pair(one, other), std::nullopt);
  EXPECT_EQ(mcts::search_rate(machine, start, 1'000, now, nullptr), std::nullopt);
}

}  // namespace
}  // namespace ludens::search::test
