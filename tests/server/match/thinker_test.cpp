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

search::Deadline in(std::chrono::milliseconds time) {
  return search::Deadline(std::chrono::steady_clock::now() + time, {});
}

/// The first move, for which there is no time at all.
std::string hasty_move(const std::string& strategy) {
  Thinker thinker(std::get<search::StrategySpec>(search::parse_strategy(strategy)),
                  std::size_t{64} << 20);
  MatchInvitation invitation;
  invitation.role = "white";
  invitation.description = kOneStep;
  Thought before, thought;
  EXPECT_EQ(thinker.start(invitation, in(std::chrono::minutes(1)), before).text, "ready");
  EXPECT_EQ(before.answer().value().text, "ready");
  return thinker.play({}, in(std::chrono::milliseconds(-1)), thought).text;
}

TEST(Thinker, ThinksInTheStartClock) {
  EXPECT_EQ(hasty_move("mcts:seed=1"), "right");
}

TEST(Thinker, ThinksForMovesOnlyWhereACountLimitsIt) {
  EXPECT_EQ(hasty_move("mcts:seed=1,playouts=1000,ties=first"), "left");
}

}  // namespace
}  // namespace ludens::server
