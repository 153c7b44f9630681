// SPDX-License-Identifier: MIT
// What a built-in player does with its clocks.
#include "server/match/builtin_player.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "search/registry/registry.h"
#include "server/match/told_game.h"

namespace ludens::server {
namespace {

/// One step, of which only `right` brings anything, and is not the first legal move.
constexpr const char* kOneStep =
    "( ( role white ) ( init begun ) ( legal white left ) ( legal white middle ) "
    "( legal white right ) ( <= ( next over ) ( does white right ) ) "
    "( <= ( next lost ) ( does white left ) ) ( <= ( next lost ) ( does white middle ) ) "
    "( <= terminal ( true over ) ) ( <= terminal ( true lost ) ) "
    "( <= ( goal white 100 ) ( true over ) ) ( <= ( goal white 0 ) ( not ( true over ) ) ) )";

/// One step, both at once: white gets 50 for sure, or 70 on average at the risk of 40.
constexpr const char* kGuess =
    "( ( role white ) ( role black ) ( init begun ) ( side heads ) ( side tails ) "
    "( legal white safe ) ( <= ( legal ?r ?s ) ( role ?r ) ( side ?s ) ) "
    "( <= ( next ( got 50 ) ) ( does white safe ) ) "
    "( <= ( next ( got 40 ) ) ( does white ?s ) ( does black ?s ) ) "
    "( <= ( next ( got 100 ) ) ( does white ?s ) ( side ?s ) ( not ( does black ?s ) ) ) "
    "( <= terminal ( true ( got ?g ) ) ) ( <= ( goal white ?g ) ( true ( got ?g ) ) ) "
    "( <= ( goal white 0 ) ( true begun ) ) ( <= ( goal black 0 ) ( true begun ) ) "
    "( <= ( goal black 50 ) ( true ( got 50 ) ) ) ( <= ( goal black 60 ) ( true ( got 40 ) ) ) "
    "( <= ( goal black 0 ) ( true ( got 100 ) ) ) )";

/// Two steps, each of which counts to 50,000 before it finds a move or the next state: more work
/// than is done between two looks at the clock.
std::string slow_steps() {
  std::string rules =
      "( ( role white ) ( init ( step 0 ) ) "
      "( <= ( counted 0 ) ( true ( step ?s ) ) ) "
      "( <= ( counted ?n ) ( counted ?m ) ( succ ?m ?n ) ) "
      "( <= ( legal white ( go ?s ) ) ( true ( step ?s ) ) ( counted 50000 ) ) "
      "( <= ( legal white ( stay ?s ) ) ( true ( step ?s ) ) ( counted 50000 ) ) "
      "( <= ( next ( step ?t ) ) ( does white ( go ?s ) ) ( succ ?s ?t ) ( counted 50000 ) ) "
      "( <= terminal ( true ( step 2 ) ) ) ( <= ( goal white 100 ) ( true ( step 2 ) ) ) ";
  for (int n = 0; n < 50'000; ++n) {
    rules += "( succ " + std::to_string(n) + " " + std::to_string(n + 1) + " ) ";
  }
  return rules + ")";
}

constexpr auto kMinute = std::chrono::minutes(1);
constexpr auto kNone = std::chrono::milliseconds(-1);

class BuiltinPlayerTest : public testing::Test {
 protected:
  using Request = std::function<void(MatchPlayer::Done)>;

  void make(const std::string& strategy, const std::string& rules) {
    options.strategy = search::parse_strategy(strategy).value();
    options.memory_bytes = std::size_t{64} << 20;
    auto tree = std::make_shared<const gdl::SyntaxTree>(gdl::parse(rules).tree);
    game_ = std::make_shared<ToldGame>(gdl::normalise(std::move(tree), 0).rules);
    player_ = make_builtin_player(options, context_);
  }

  /// The answer as a text, or the problem.
  std::string start(std::chrono::milliseconds clock, const std::string& role = "white",
                    int told_seconds = 600) {
    return ask([&](MatchPlayer::Done done) {
      player_->start({"test.1", role, game_, told_seconds, 60}, now() + clock, std::move(done));
    });
  }
  std::string play(const std::vector<std::string>& moves, std::chrono::milliseconds clock) {
    ToldTurn told;
    for (const std::string& move : moves) told.moves.push_back(game_->find_term(move).value());
    return ask(
        [&](MatchPlayer::Done done) { player_->play(told, now() + clock, std::move(done)); });
  }
  std::string hasty_move(const std::string& strategy);

  std::string ask(const Request& request) {
    std::optional<Answer> answer;
    const auto work = boost::asio::make_work_guard(context_);
    context_.restart();
    request([&](Answer given) { answer = std::move(given); });
    EXPECT_FALSE(answer.has_value()) << "answered from within the call";
    while (!answer) context_.run_one();
    last_ = *answer;
    if (answer->kind == Answer::Kind::Move) return gdl::print(*game_->rules(), answer->move);
    return answer->kind == Answer::Kind::Text ? answer->text : answer->problem;
  }
  static TimePoint now() { return std::chrono::steady_clock::now(); }

  BuiltinOptions options;
  Answer last_;

 private:
  boost::asio::io_context context_{1};
  std::shared_ptr<const ToldGame> game_;
  std::unique_ptr<MatchPlayer> player_;
};

/// The first move, for which there is time to follow the rules and none to think.
std::string BuiltinPlayerTest::hasty_move(const std::string& strategy) {
  options.margin = 2 * kMinute;
  make(strategy, kOneStep);
  EXPECT_EQ(start(3 * kMinute), "ready");
  return play({}, kMinute);
}

TEST_F(BuiltinPlayerTest, ThinksInTheStartClock) {
  EXPECT_EQ(hasty_move("mcts:seed=1"), "right");
}

TEST_F(BuiltinPlayerTest, ThinksNoLongerThanTheClockThatIsTold) {
  make("mcts:seed=1,bounds=off", kOneStep);
  EXPECT_EQ(start(kMinute, "white", 1), "ready");
  EXPECT_LT(last_.latency_ms, 30'000);
}

TEST_F(BuiltinPlayerTest, ThinksForMovesOnlyWhereACountLimitsIt) {
  EXPECT_EQ(hasty_move("mcts:seed=1,playouts=1000,ties=first"), "left");
}

TEST_F(BuiltinPlayerTest, FollowsTheRulesAsLongAsTheHostWaits) {
  options.margin = 2 * kMinute;  // no time to think at all
  make("legal", slow_steps());
  EXPECT_EQ(start(kMinute), "ready");
  EXPECT_EQ(play({}, kMinute), "( go 0 )");
  EXPECT_EQ(play({"( go 0 )"}, kMinute), "( go 1 )");
}

TEST_F(BuiltinPlayerTest, IsReadyInTimeThoughTheRulesAreStillRead) {
  make("legal", slow_steps());
  EXPECT_EQ(start(kNone, "white", 0), "ready");
  EXPECT_EQ(last_.kind, Answer::Kind::Text);
  EXPECT_EQ(play({}, kMinute), "( go 0 )");
}

TEST_F(BuiltinPlayerTest, CatchesUpWithWhatItHadNoTimeToFollow) {
  make("legal", slow_steps());
  EXPECT_EQ(start(kMinute), "ready");
  EXPECT_EQ(play({}, kMinute), "( go 0 )");
  EXPECT_EQ(play({"( go 0 )"}, kNone), "the position could not be derived in time");
  EXPECT_EQ(last_.kind, Answer::Kind::TimedOut);
  EXPECT_EQ(last_.trouble, Trouble::Late);
  EXPECT_EQ(play({}, kMinute), "( go 1 )");
}

TEST_F(BuiltinPlayerTest, SaysWhatItGivesUpForABetterMean) {
  make("mcts:seed=1,playouts=2000", kGuess);
  EXPECT_EQ(start(kMinute), "ready");
  EXPECT_NE(play({}, kMinute), "safe");
  EXPECT_EQ(last_.sure, 40);
  EXPECT_EQ(last_.risked, 50);
}

TEST_F(BuiltinPlayerTest, IsBusyWhereThereIsNothingToPlay) {
  make("legal", kOneStep);
  EXPECT_EQ(start(kMinute, "black"), "busy");
  EXPECT_EQ(play({}, kMinute), "no match has been started");
  EXPECT_EQ(last_.kind, Answer::Kind::ConnectionFailed);
}

TEST_F(BuiltinPlayerTest, SaysWhichMovesCannotBeFollowed) {
  make("legal", kOneStep);
  EXPECT_EQ(start(kMinute), "ready");
  EXPECT_EQ(play({"over"}, kMinute),
            "the joint move can't be followed: white can't make the move over");
}

}  // namespace
}  // namespace ludens::server
