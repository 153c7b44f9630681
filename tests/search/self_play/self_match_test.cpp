// SPDX-License-Identifier: MIT
#include "search/self_play/self_match.h"

#include "search/mcts/playout_contestant.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

std::unique_ptr<Strategy> searching(int playouts) {
  return strategy_of("mcts:policy=uniform,seed=1,playouts=" + std::to_string(playouts));
}

TEST(SelfMatch, PlaysBothSeats) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline never;
  SelfMatch match(start, never, nullptr, 1);
  ASSERT_TRUE(match.possible());
  mcts::PlayoutContestant strong(machine, searching(4'000)), weak(machine, searching(1));
  Score score;
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
class Stubborn final : public Contestant {
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
  SelfMatch match(start, never, nullptr, 1);
  Stubborn rock(start, "( show rock )"), scissors(start, "( show scissors )");
  // Ten points a round, two rounds by chance: what those bring is the same for both.
  EXPECT_DOUBLE_EQ(match.play_pair(rock, scissors).value_or(0), 0.8);
  EXPECT_DOUBLE_EQ(match.play_pair(scissors, rock).value_or(0), 0.2);
}

TEST(SelfMatch, EndsWhenItIsStopped) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline now(std::chrono::steady_clock::now());
  SelfMatch match(start, now, nullptr, 1);
  mcts::PlayoutContestant one(machine, searching(100)), other(machine, searching(100));
  EXPECT_EQ(match.play_pair(one, other), std::nullopt);
  EXPECT_EQ(mcts::search_rate(machine, start, *searching(1'000), now), std::nullopt);
}

}  // namespace
}  // namespace ludens::search::test
