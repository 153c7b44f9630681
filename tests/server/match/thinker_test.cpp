// What a built-in player does with its clocks.
#include "server/match/thinker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace ludens::server {
namespace {

/// One step, of which only `right` brings anything, and is not the first legal move.
constexpr const char* kOneStep =
    "( ( role white ) ( init begun ) ( legal white left ) ( legal white middle ) "
    "( legal white right ) ( <= ( next over ) ( does white right ) ) "
    "( <= ( next lost ) ( does white left ) ) ( <= ( next lost ) ( does white middle ) ) "
    "( <= terminal ( true over ) ) ( <= terminal ( true lost ) ) "
    "( <= ( goal white 100 ) ( true over ) ) ( <= ( goal white 0 ) ( not ( true over ) ) ) )";

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

AnswerTimes in(std::chrono::milliseconds due, std::chrono::milliseconds thinking) {
  const auto now = std::chrono::steady_clock::now();
  return {search::Deadline(now + due), now + thinking};
}

Thinker thinker_of(const std::string& strategy) {
  return {std::get<search::StrategySpec>(search::parse_strategy(strategy)), std::size_t{64} << 20};
}

MatchInvitation white_in(const std::string& rules) {
  MatchInvitation invitation;
  invitation.role = "white";
  invitation.description = rules;
  return invitation;
}

/// The first move, for which there is no time at all.
std::string hasty_move(const std::string& strategy) {
  Thinker thinker = thinker_of(strategy);
  Thought before, thought;
  EXPECT_EQ(thinker.start(white_in(kOneStep), in(kMinute, kMinute), before).text, "ready");
  EXPECT_EQ(before.answer().value().text, "ready");
  return thinker.play({}, in(kNone, kNone), thought).text;
}

TEST(Thinker, ThinksInTheStartClock) {
  EXPECT_EQ(hasty_move("mcts:seed=1"), "right");
}

TEST(Thinker, ThinksForMovesOnlyWhereACountLimitsIt) {
  EXPECT_EQ(hasty_move("mcts:seed=1,playouts=1000,ties=first"), "left");
}

TEST(Thinker, FollowsTheRulesAsLongAsTheHostWaits) {
  Thinker thinker = thinker_of("legal");
  Thought before, first, second;
  EXPECT_EQ(thinker.start(white_in(slow_steps()), in(kMinute, kNone), before).text, "ready");
  EXPECT_EQ(thinker.play({}, in(kMinute, kNone), first).text, "( go 0 )");
  EXPECT_EQ(thinker.play({"( go 0 )"}, in(kMinute, kNone), second).text, "( go 1 )");
}

TEST(Thinker, CatchesUpWithWhatItHadNoTimeToFollow) {
  Thinker thinker = thinker_of("legal");
  Thought before, first, second, third;
  EXPECT_EQ(thinker.start(white_in(slow_steps()), in(kMinute, kNone), before).text, "ready");
  EXPECT_EQ(thinker.play({}, in(kMinute, kNone), first).text, "( go 0 )");
  const Answer answer = thinker.play({"( go 0 )"}, in(kNone, kNone), second);
  EXPECT_EQ(answer.trouble, Trouble::Dropped);
  EXPECT_NE(answer.problem.find("in time"), std::string::npos) << answer.problem;
  EXPECT_EQ(thinker.play({}, in(kMinute, kNone), third).text, "( go 1 )");
}

}  // namespace
}  // namespace ludens::server
