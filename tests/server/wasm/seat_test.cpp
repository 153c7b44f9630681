// SPDX-License-Identifier: MIT
#include "server/wasm/seat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "tests/gdl/hrf/line_rules.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

class SeatTest : public testing::Test {
 protected:
  json::object say(const std::string& id, const std::string& content, int ms = 100) {
    return seat_.message("ludens", "message(" + id + ",manager,ludens," + content + ")",
                         milliseconds(ms));
  }
  std::string answer(const std::string& id, const std::string& content, int ms = 100) {
    const json::object said = say(id, content, ms);
    return said.at("answer").is_null() ? "" : std::string(said.at("answer").as_string());
  }
  std::string problem(const std::string& id, const std::string& content) {
    const json::object said = say(id, content);
    return said.contains("problem") ? std::string(said.at("problem").as_string()) : "";
  }
  void start(const std::string& role) {
    EXPECT_EQ(answer("1", "start(" + role + ",ruleset(" + line_rules() + "),10,10)"),
              "message(1,ludens,manager,ready)");
  }

  std::vector<json::object> views_;
  Seat seat_{std::size_t{256} << 20, [this](const json::object& view) { views_.push_back(view); }};
};

TEST_F(SeatTest, IsReady) {
  EXPECT_EQ(answer("7", "ping()"), "message(7,ludens,manager,ready)");
}

TEST_F(SeatTest, FinishesALine) {
  start("x");
  EXPECT_THAT(answer("2", "play([])"), HasSubstr("message(2,ludens,manager,mark("));
  EXPECT_EQ(answer("3", "play(mark(2,2))"), "");  // the other one is in control
  EXPECT_THAT(answer("4", "play(mark(1,2))"), HasSubstr("message(4,ludens,manager,mark("));
  EXPECT_EQ(answer("5", "play(mark(1,1))"), "");
  // x has the middle and a corner, and o is elsewhere.
  EXPECT_EQ(answer("6", "play(mark(1,3))", 300), "message(6,ludens,manager,mark(3,3))");
  ASSERT_FALSE(views_.empty());
  EXPECT_EQ(views_.back().at("goal").to_number<double>(), 100);
  EXPECT_THAT(std::string(views_.back().at("thinking").as_string()),
              testing::StartsWith("( mark 3 3 ) value 100"));
  EXPECT_EQ(answer("7", "stop(mark(3,3))"), "");
  ASSERT_GE(views_.size(), 2u);
  EXPECT_EQ(json::serialize(views_[views_.size() - 2].at("result")), R"({"x":100,"o":0})");
  EXPECT_TRUE(views_.back().at("match").is_null());
}

TEST_F(SeatTest, ShowsTheBoardOnce) {
  start("x");
  answer("2", "play([])");
  int games = 0, states = 0;
  for (const json::object& view : views_) {
    games += view.contains("game");
    states += view.contains("state");
  }
  EXPECT_EQ(games, 1);
  EXPECT_EQ(states, 2);
  EXPECT_EQ(views_.front().at("role"), "x");
}

TEST_F(SeatTest, SaysTheSameToARepeatedMessage) {
  start("x");
  const std::string first = answer("2", "play([])");
  EXPECT_EQ(answer("2", "play([])"), first);
  answer("3", "play(mark(2,2))");
  EXPECT_THAT(problem("2", "play([])"), HasSubstr("the old message '2'"));
}

TEST_F(SeatTest, TellsMessagesOfOneNameApartByTheirMoves) {
  start("x");
  const std::string first = answer("1", "play([])");
  EXPECT_THAT(first, HasSubstr("message(1,ludens,manager,mark("));
  EXPECT_EQ(answer("1", "play([])"), first);
  EXPECT_EQ(answer("1", "play(mark(2,2))"), "");
  EXPECT_EQ(problem("1", "play(mark(2,2))"), "");
  EXPECT_EQ(views_.back().at("step").to_number<int>(), 2);
  const std::string second = answer("1", "play(mark(1,2))");
  EXPECT_THAT(second, HasSubstr("message(1,ludens,manager,mark("));
  EXPECT_EQ(answer("1", "play(mark(1,2))"), second);
  EXPECT_THAT(problem("1", "play(mark(9,9))"), HasSubstr("mark"));
}

TEST_F(SeatTest, AMoveThatCanBeMadeAgainIsNoRepeat) {
  const std::string rules =
      "role(x),role(o),base(control(R)) :- role(R),action(push),init(control(x)),legal(push),"
      "push :: control(x) ==> ~control(x) & control(o),"
      "push :: control(o) ==> ~control(o) & control(x),"
      "terminal :- control(x) & control(o),goal(x,50),goal(o,50)";
  EXPECT_THAT(answer("1", "start(x,ruleset(" + rules + "),10,10)"), HasSubstr("ready"));
  EXPECT_EQ(answer("1", "play([])"), "message(1,ludens,manager,push)");
  EXPECT_EQ(answer("1", "play(push)"), "");  // the other one is in control
  EXPECT_EQ(answer("1", "play(push)"), "message(1,ludens,manager,push)");
}

TEST_F(SeatTest, TakesMessagesOverWithoutTime) {
  start("o");
  EXPECT_EQ(answer("2", "play([])", 0), "");
  EXPECT_THAT(answer("3", "play(mark(2,2))", 0), HasSubstr("message(3,ludens,manager,mark("));
}

TEST_F(SeatTest, PondersWhileThereIsAMatch) {
  EXPECT_FALSE(seat_.ponder(milliseconds(1)));
  start("o");
  EXPECT_TRUE(seat_.ponder(milliseconds(1)));
  say("9", "abort()");
  EXPECT_FALSE(seat_.ponder(milliseconds(1)));
  EXPECT_TRUE(views_.back().at("match").is_null());
}

TEST_F(SeatTest, SaysWhatItIgnores) {
  EXPECT_THAT(problem("1", "play([])"), HasSubstr("a match that is not known"));
  EXPECT_THAT(problem("1", "dance"), HasSubstr("unknown message 'dance'"));
  EXPECT_THAT(problem("1", "start(z,ruleset(" + line_rules() + "),10,10)"),
              HasSubstr("no role 'z'"));
  EXPECT_THAT(problem("1", "start(x,ruleset(role(x)),10)"), HasSubstr("not start(ROLE"));
  start("x");
  EXPECT_THAT(problem("2", "play(mark(9,9))"), HasSubstr("mark"));
}

}  // namespace
}  // namespace ludens::server::wasm
