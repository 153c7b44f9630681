// SPDX-License-Identifier: MIT
// What people wish for at the page, by the requests that it makes.
#include "server/web/table.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <map>

#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "server/match/match_observers.h"
#include "server/records/replay.h"
#include "tests/server/web/clicker.h"

namespace ludens::server {
namespace {

/// Makes requests when a match has come so far, and keeps the statuses of the answers.
class Wisher final : public MatchObserver {
 public:
  Wisher(std::string url, std::map<std::size_t, std::string> wishes)
      : url_(std::move(url)), wishes_(std::move(wishes)) {}

  void moved(const MatchRecord& record, const Position& /*position*/) override {
    const auto wish = wishes_.find(record.moves.size());
    if (wish == wishes_.end()) return;
    statuses.push_back(post(url_, wish->second, "{\"id\":\"" + record.match_id + "\"}"));
  }
  std::vector<int> statuses;

 private:
  const std::string url_;
  const std::map<std::size_t, std::string> wishes_;
};

class TableTest : public testing::Test {
 protected:
  TableTest() { EXPECT_EQ(feed_.listen(0), std::nullopt); }

  static MatchFeed::Options options() {
    MatchFeed::Options options{"test", true};
    options.help = true;
    return options;
  }

  /// A match of a person against chance, with wishes by step.
  MatchRecord play(const std::string& id, std::map<std::size_t, std::string> wishes,
                   const NextMatch& next = {}) {
    boost::asio::io_context context;
    auto person = std::make_unique<HumanPlayer>(feed_, context, 0, std::chrono::minutes(1));
    MatchOptions match;
    match.match_id = id;
    match.first_moves = next.first_moves;
    match.continues = next.continues;
    match.stop_reason = [this] { return table_.stop_reason(); };
    const auto stop = table_.prepare({person.get(), nullptr}, match.first_moves.size(), {});
    std::vector<std::unique_ptr<MatchPlayer>> players;
    players.push_back(std::move(person));
    players.push_back(nullptr);
    Clicker clicker(feed_.url(), 100);
    Wisher wisher(feed_.url(), std::move(wishes));
    MatchObservers observers({&table_, &clicker, &wisher});
    MatchRecord record = run_match(game_, match, players, context, stop, observers);
    statuses_ = wisher.statuses;
    EXPECT_TRUE(replay(record, game_.rules).disagreements.empty());
    return record;
  }

  const Rulesheet game_ = load_game("tic_tac_toe").value();
  MatchFeed feed_{options()};
  Table table_{feed_, nullptr};
  std::vector<int> statuses_;
};

TEST_F(TableTest, GoesOnFromTheLastChoiceWhenAMoveIsTakenBack) {
  const MatchRecord first = play("m.1", {{3, "/undo"}});
  EXPECT_EQ(statuses_, std::vector<int>{204});
  EXPECT_TRUE(first.aborted);
  EXPECT_EQ(first.end_reason, "taken back");
  const auto next = table_.next({});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->continues, "m.1");
  EXPECT_EQ(next->first_moves, (std::vector(first.moves.begin(), first.moves.begin() + 2)));

  const MatchRecord second = play("m.2", {}, *next);
  EXPECT_TRUE(second.completed);
  EXPECT_EQ(second.opening_steps, 2u);
  EXPECT_EQ(second.continues, "m.1");
  for (const std::string& error : second.errors[3]) EXPECT_EQ(error, "");
  // A match that has ended can be gone back in, too.
  EXPECT_EQ(post(feed_.url(), "/undo", "{\"id\":\"m.1\"}"), 409);
  EXPECT_EQ(post(feed_.url(), "/undo", "{\"id\":\"m.2\"}"), 204);
  EXPECT_EQ(post(feed_.url(), "/undo", "{\"id\":\"m.2\"}"), 409);
  const auto third = table_.next({});
  ASSERT_TRUE(third);
  EXPECT_EQ(third->continues, "m.2");
  EXPECT_LT(third->first_moves.size(), second.moves.size());
}

TEST_F(TableTest, EndsTheMatchForAnotherOneOrForNone) {
  EXPECT_EQ(play("m.1", {{2, "/restart"}}).end_reason, "given up for another match");
  const auto next = table_.next({});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->first_moves.empty());
  EXPECT_EQ(next->continues, "");
  EXPECT_EQ(play("m.2", {}, {}).completed, true);
  EXPECT_EQ(post(feed_.url(), "/restart", "{\"id\":\"m.1\"}"), 409);  // a double click
  EXPECT_EQ(play("m.3", {{2, "/close"}}).end_reason, "ended by a person");
  EXPECT_FALSE(table_.next({}));
}

TEST_F(TableTest, RefusesWhatCannotBe) {
  EXPECT_EQ(post(feed_.url(), "/undo", "{\"id\":\"m.1\"}"), 409);  // no match yet
  EXPECT_EQ(post(feed_.url(), "/restart", "{\"role\":0}"), 409);
  EXPECT_TRUE(play("m.1", {{1, "/hint"}}).completed);
  EXPECT_EQ(statuses_, std::vector<int>{409});  // there is no adviser
  EXPECT_EQ(post(feed_.url(), "/restart", "{\"role\":2}"), 409);
  EXPECT_EQ(post(feed_.url(), "/restart", "{\"role\":1}"), 204);
  EXPECT_EQ(table_.next({})->role, 1u);
}

TEST_F(TableTest, EndsWithTheProgram) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(table_.next(source.get_token()));
}

}  // namespace
}  // namespace ludens::server
