// SPDX-License-Identifier: MIT
// People as players, by the requests that their page makes.
#include "server/web/human_player.h"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "server/match/match.h"
#include "server/match/match_observers.h"
#include "server/records/replay.h"
#include "server/web/watched_match.h"
#include "tests/server/web/clicker.h"

namespace ludens::server {
namespace {

using std::chrono::milliseconds;

class HumanPlayerTest : public testing::Test {
 protected:
  HumanPlayerTest() { EXPECT_EQ(feed_.listen(0), std::nullopt); }

  /// The answer of a player that is offered these moves, while `meanwhile` runs.
  std::optional<Answer> ask(const std::vector<std::string>& moves, milliseconds clock,
                            const std::function<void()>& meanwhile) {
    boost::asio::io_context context;
    HumanPlayer player(feed_, context, 0, clock);
    player.offer("m", 3, moves, boost::json::array(moves.size(), boost::json::object{}));
    std::optional<Answer> answer;
    player.play({}, {}, [&](Answer given) { answer = std::move(given); });
    std::thread other(meanwhile);
    const auto work = boost::asio::make_work_guard(context);
    while (!answer) context.run_one();
    other.join();
    return answer;
  }
  int move(const std::string& id, std::size_t step, const std::string& text) {
    return post(feed_.url(), "/move", request(id, step, text));
  }

  MatchFeed feed_{MatchFeed::Options{"test", false, false, 10}};
};

TEST_F(HumanPlayerTest, TakesOneOfTheMovesOfferedAndNothingElse) {
  const auto answer = ask({"( a )", "( b )"}, milliseconds(20'000), [&] {
    EXPECT_EQ(move("m", 3, "( c )"), 409);
    EXPECT_EQ(move("m", 2, "( b )"), 409);
    EXPECT_EQ(move("other", 3, "( b )"), 409);
    EXPECT_EQ(post(feed_.url(), "/move", "nonsense"), 400);
    EXPECT_EQ(post(feed_.url(), "/restart", ""), 409);
    EXPECT_EQ(move("m", 3, "( b )"), 204);
    EXPECT_EQ(move("m", 3, "( a )"), 409);
  });
  EXPECT_EQ(answer->kind, Answer::Kind::Text);
  EXPECT_EQ(answer->text, "( b )");
}

TEST_F(HumanPlayerTest, IsLateWhenTheClockHasEnded) {
  EXPECT_EQ(ask({"( a )", "( b )"}, milliseconds(20), [] {})->kind, Answer::Kind::TimedOut);
}

TEST_F(HumanPlayerTest, IsNotAskedWhereThereIsNothingToChoose) {
  EXPECT_EQ(ask({"noop"}, milliseconds(20'000), [] {})->text, "noop");
}

/// A choice and the end of its clock may both be under way to the match's thread.
TEST_F(HumanPlayerTest, AnAnswerThatIsLeftOverAnswersNoOtherQuestion) {
  for (const bool clock_first : {false, true}) {
    boost::asio::io_context context;
    HumanPlayer player(feed_, context, 0, milliseconds(0));
    std::optional<Answer> answer;
    const auto ask = [&](std::size_t step, const std::vector<std::string>& moves) {
      player.offer("m", step, moves, boost::json::array(moves.size(), boost::json::object{}));
      player.play({}, {}, [&](Answer given) { answer = std::move(given); });
    };
    const auto take = [&] { EXPECT_EQ(move("m", 3, "( b )"), 204); };
    ask(3, {"( a )", "( b )"});
    // The clock has run out, of which the context learns before the next handler.
    if (clock_first) {
      boost::asio::post(context, take);
    } else {
      take();
    }
    while (!answer) context.run_one();
    answer.reset();
    ask(4, {"noop"});
    while (!answer) context.run_one();
    EXPECT_EQ(answer->kind, Answer::Kind::Text) << clock_first;
    EXPECT_EQ(answer->text, "noop") << clock_first;
  }
}

MatchRecord play(MatchFeed& feed, std::size_t resign_at) {
  const Rulesheet game = load_game("tic_tac_toe").value();
  boost::asio::io_context context;
  auto person = std::make_unique<HumanPlayer>(feed, context, 0, milliseconds(20'000));
  WatchedMatch live(feed, {person.get(), nullptr});
  std::vector<std::unique_ptr<MatchPlayer>> players;
  players.push_back(std::move(person));
  players.push_back(nullptr);
  Clicker clicker(feed.url(), resign_at);
  MatchObservers observers({&live, &clicker});
  MatchOptions options;
  options.match_id = "m.1";
  return run_match(game, options, players, context, {}, observers);
}

TEST_F(HumanPlayerTest, PlaysAWholeMatchThatTheRulesAgreeWith) {
  const MatchRecord record = play(feed_, 100);
  EXPECT_TRUE(record.completed);
  EXPECT_TRUE(record.human[0]);
  EXPECT_EQ(record.players[0], "human");
  for (const auto& row : record.errors) {
    for (const std::string& error : row) EXPECT_EQ(error, "");
  }
  const Rulesheet game = read_rulesheet(record.game, record.rulesheet);
  EXPECT_TRUE(replay(record, game.rules).disagreements.empty());
}

TEST_F(HumanPlayerTest, EndsTheMatchByResigning) {
  const MatchRecord record = play(feed_, 2);
  EXPECT_TRUE(record.aborted);
  EXPECT_EQ(record.end_reason, "role x resigned");
  EXPECT_EQ(record.moves.size(), 2u);
}

}  // namespace
}  // namespace ludens::server
