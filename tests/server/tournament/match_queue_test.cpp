// SPDX-License-Identifier: MIT
#include "server/tournament/match_queue.h"

#include <gtest/gtest.h>

#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

bool anything(const QueuedMatch& /*match*/) {
  return true;
}

/// How many matches start before the first block can.
std::size_t overtaking(MatchQueue& queue) {
  const auto later = [](const QueuedMatch& match) { return match.block.number > 0; };
  std::size_t count = 0;
  while (queue.take(later)) ++count;
  return count;
}

TEST(MatchQueue, HandsOutWhatIsNotPlayedInTheOrderOfTheSchedule) {
  TournamentPlan plan = sample_plan(3, {planned_game("chess", {"white", "black"})});
  plan.rounds = 200;
  const Schedule schedule(plan);
  MatchQueue queue(schedule, {2, 3}, {{1, 0}, {4, 0}, {4, 1}});
  const auto place = [&] {
    const QueuedMatch match = queue.take(anything).value();
    return std::pair(match.block.number, match.rotation);
  };
  EXPECT_EQ(place(), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(place(), std::pair(std::size_t{7}, std::size_t{0}));
  EXPECT_EQ(place(), std::pair(std::size_t{7}, std::size_t{1}));
  std::size_t rest = 0;
  for (; !queue.empty(); ++rest) EXPECT_TRUE(queue.take(anything));
  EXPECT_EQ(rest, 2u * 200 - 6);
  EXPECT_FALSE(queue.take(anything));
}

TEST(MatchQueue, LetsAFewMatchesOvertakeOneThatCannotStart) {
  TournamentPlan plan = sample_plan(3, {planned_game("chess", {"white", "black"})});
  plan.rounds = 1000;
  for (const Shard shard : {Shard{1, 1}, Shard{1, 4}}) {
    const Schedule schedule(plan);
    MatchQueue queue(schedule, shard, {});
    const std::size_t count = overtaking(queue);
    EXPECT_GE(count, 6u);  // all others of a round
    EXPECT_LE(count, 12u);
    EXPECT_EQ(queue.take(anything).value().block.number, 0u);
    EXPECT_EQ(overtaking(queue), 0u);
    EXPECT_EQ(queue.take(anything).value().block.number, 0u);
    EXPECT_GE(overtaking(queue), 6u);
  }
}

TEST(MatchQueue, LetsAFewMatchesOvertakeOneThatCannotStartAmongManyGames) {
  std::vector<PlannedGame> games;
  for (int i = 0; i < 100; ++i) {
    games.push_back(planned_game("game" + std::to_string(i), {"white", "black"}));
  }
  const Schedule schedule(sample_plan(3, games));
  MatchQueue queue(schedule, {}, {});
  EXPECT_LE(overtaking(queue), 12u);
}

}  // namespace
}  // namespace ludens::server
