// SPDX-License-Identifier: MIT
#include "server/match/adviser.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"

namespace ludens::server {
namespace {

using std::chrono::milliseconds;
using Moves = std::vector<std::vector<std::string>>;

class AdviserTest : public testing::Test {
 protected:
  std::string advice(const std::string& role, const Moves& moves) {
    std::promise<Answer> promise;
    adviser_.ask(role, moves, [&](const Answer& answer) { promise.set_value(answer); });
    const Answer answer = promise.get_future().get();
    return answer.kind == Answer::Kind::Text ? answer.text : "none: " + answer.problem;
  }

  const Rulesheet game_ = load_game("tic_tac_toe").value();
  Adviser adviser_{game_, {"alphabeta", {}}, milliseconds(20'000), std::size_t{64} << 20};
};

TEST_F(AdviserTest, FindsWhatWinsAtOnceForEitherRole) {
  const Moves even{{"( mark 1 1 )", "noop"},
                   {"noop", "( mark 3 1 )"},
                   {"( mark 1 2 )", "noop"},
                   {"noop", "( mark 3 2 )"}};
  EXPECT_EQ(advice("x", even), "( mark 1 3 )");
  EXPECT_EQ(advice("x", even), "( mark 1 3 )");  // asked again
  Moves odd = even;
  odd.push_back({"( mark 2 1 )", "noop"});
  EXPECT_EQ(advice("o", odd), "( mark 3 3 )");
  Moves back(even.begin(), even.begin() + 2);  // a move was taken back
  back.push_back({"( mark 2 2 )", "noop"});
  EXPECT_EQ(advice("o", back), "( mark 3 3 )");  // which alone does not lose
}

TEST_F(AdviserTest, HasNoneWhereTheMovesCannotBeMade) {
  EXPECT_EQ(advice("x", {{"( mark 9 9 )", "noop"}}).find("none: "), 0u);
  EXPECT_EQ(advice("nobody", {}).find("none: "), 0u);
}

TEST_F(AdviserTest, EndsWithAQuestionOpen) {
  const auto calls = std::make_shared<std::atomic<int>>(0);
  {
    Adviser adviser(game_, {"alphabeta", {}}, milliseconds(20'000), std::size_t{64} << 20);
    adviser.ask("x", {}, [calls](const Answer&) { ++*calls; });
  }
  EXPECT_LE(*calls, 1);
  EXPECT_EQ(calls.use_count(), 1) << "something may still answer";
}

}  // namespace
}  // namespace ludens::server
