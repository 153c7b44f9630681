// SPDX-License-Identifier: MIT
#include "server/tournament/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

const std::vector<std::string> kOne{"r"}, kTwo{"x", "o"}, kThree{"x", "y", "z"},
    kFour{"n", "e", "s", "w"}, kDice{"a", "random", "b"};

/// The players of all matches of a block, as letters by role; chance is '-'.
std::vector<std::string> seating(const TournamentPlan& plan, const Block& block) {
  std::vector<std::string> out;
  for (std::size_t rotation = 0; rotation < block.size(); ++rotation) {
    std::string match;
    for (const auto& player : seats(plan.games[block.game], block, rotation)) {
      match += player ? plan.players[*player].name : "-";
    }
    out.push_back(match);
  }
  return out;
}

std::vector<std::string> tables(const TournamentPlan& plan) {
  std::vector<std::string> out;
  const Schedule schedule(plan);
  for (std::size_t i = 0; i < schedule.blocks(); ++i) {
    std::set<char> players;
    for (const std::size_t player : schedule.block(i).order) {
      players.insert(plan.players[player].name[0]);
    }
    out.emplace_back(players.begin(), players.end());
  }
  return out;
}

TEST(Schedule, RotatesTwoPlayersThroughBothRoles) {
  const TournamentPlan plan = sample_plan(2, {planned_game("g", kTwo)});
  EXPECT_EQ(seating(plan, Schedule(plan).block(0)), (std::vector<std::string>{"ab", "ba"}));
}

TEST(Schedule, LeavesChanceOutOfTheRotation) {
  const TournamentPlan plan = sample_plan(2, {planned_game("g", kDice)});
  EXPECT_EQ(seating(plan, Schedule(plan).block(0)), (std::vector<std::string>{"a-b", "b-a"}));
}

TEST(Schedule, LetsTwoPlayersAlternateOverMoreSeats) {
  TournamentPlan plan = sample_plan(2, {planned_game("g", kThree), planned_game("h", kFour)});
  EXPECT_EQ(seating(plan, Schedule(plan).block(0)), (std::vector<std::string>{"aba", "bab"}));
  EXPECT_EQ(seating(plan, Schedule(plan).block(1)), (std::vector<std::string>{"abab", "baba"}));
}

TEST(Schedule, KnowsTheMostSeatsOfAPlayer) {
  const PlannedGame three = planned_game("g", kThree), four = planned_game("h", kFour);
  TournamentPlan plan = sample_plan(2, {three, four});
  EXPECT_EQ(most_seats(plan, planned_game("g", kOne)), 1u);
  EXPECT_EQ(most_seats(plan, planned_game("g", kDice)), 1u);
  EXPECT_EQ(most_seats(plan, three), 2u);
  plan = sample_plan(4, {three, four});
  EXPECT_EQ(most_seats(plan, four), 1u);
  plan.table_size = 3;
  EXPECT_EQ(most_seats(plan, three), 1u);
  EXPECT_EQ(most_seats(plan, four), 2u);
}

TEST(Schedule, GivesEveryPlayerOfATableEverySeatOnce) {
  for (std::size_t players = 1; players <= 4; ++players) {
    TournamentPlan plan =
        sample_plan(players, {planned_game("1", kOne), planned_game("2", kTwo),
                              planned_game("3", kThree), planned_game("4", kFour)});
    plan.rounds = 2;
    const Schedule schedule(plan);
    for (std::size_t i = 0; i < schedule.blocks(); ++i) {
      const Block block = schedule.block(i);
      std::map<std::pair<std::size_t, char>, int> held;  // (role, player)
      for (const std::string& match : seating(plan, block)) {
        for (std::size_t role = 0; role < match.size(); ++role) ++held[{role, match[role]}];
      }
      EXPECT_EQ(held.size(), plan.games[block.game].seats() * block.size());
      for (const auto& [seat, times] : held) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Schedule, SeatsLargeTablesInAllOrdersOverTheRounds) {
  TournamentPlan plan = sample_plan(3, {planned_game("g", kThree)});
  plan.rounds = 50;
  std::set<std::string> first;
  for (std::size_t round = 0; round < plan.rounds; ++round) {
    first.insert(seating(plan, Schedule(plan).block(round))[0]);
  }
  EXPECT_EQ(first.size(), 6u);
}

TEST(Schedule, OfARoundRobinHasAllTables) {
  EXPECT_EQ(tables(sample_plan(3, {planned_game("g", kTwo)})),
            (std::vector<std::string>{"ab", "ac", "bc"}));
  EXPECT_EQ(tables(sample_plan(4, {planned_game("g", kThree)})),
            (std::vector<std::string>{"abc", "abd", "acd", "bcd"}));
  EXPECT_EQ(tables(sample_plan(3, {planned_game("g", kFour)})), (std::vector<std::string>{"abc"}));
  EXPECT_EQ(tables(sample_plan(3, {planned_game("g", kOne)})), (std::vector<std::string>{"abc"}));
}

TEST(Schedule, OfAGauntletHasTheTablesOfTheFirstPlayer) {
  TournamentPlan plan = sample_plan(4, {planned_game("g", kTwo), planned_game("h", kThree)});
  plan.format = Format::Gauntlet;
  EXPECT_EQ(tables(plan), (std::vector<std::string>{"ab", "ac", "ad", "abc", "abd", "acd"}));
}

TEST(Schedule, ListsNoTables) {
  TournamentPlan plan = sample_plan(100, {planned_game("g", {"a", "b", "c", "d", "e"})});
  const auto table = [&](std::size_t number) {
    auto players = Schedule(plan).block(number).order;
    std::sort(players.begin(), players.end());
    return players;
  };
  EXPECT_EQ(Schedule(plan).blocks(), 75'287'520u);
  EXPECT_EQ(table(0), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(table(95), (std::vector<std::size_t>{0, 1, 2, 3, 99}));
  EXPECT_EQ(table(96), (std::vector<std::size_t>{0, 1, 2, 4, 5}));
  EXPECT_EQ(table(75'287'519), (std::vector<std::size_t>{95, 96, 97, 98, 99}));
  plan.format = Format::Gauntlet;
  EXPECT_EQ(Schedule(plan).blocks(), 3'764'376u);
  EXPECT_EQ(table(3'764'375), (std::vector<std::size_t>{0, 96, 97, 98, 99}));
}

TEST(Schedule, HasALimit) {
  TournamentPlan plan = sample_plan(60, {planned_game("g", std::vector<std::string>(6, "r"))});
  EXPECT_EQ(too_many_matches(plan), std::nullopt);
  plan.games.push_back(planned_game("h", std::vector<std::string>(30, "r")));
  EXPECT_NE(too_many_matches(plan), std::nullopt);
  plan.table_size = 2;
  EXPECT_EQ(too_many_matches(plan), std::nullopt);
}

TEST(Schedule, KeepsToTheTableSize) {
  TournamentPlan plan = sample_plan(3, {planned_game("g", kThree), planned_game("h", kOne)});
  plan.format = Format::Gauntlet;
  plan.table_size = 2;
  EXPECT_EQ(tables(plan), (std::vector<std::string>{"ab", "ac", "abc"}));
}

TEST(Schedule, GoesRoundByRoundAndKeepsItsBlocksWhenRoundsAreAdded) {
  TournamentPlan plan = sample_plan(2, {planned_game("g", kTwo), planned_game("h", kTwo)});
  plan.rounds = 2;
  const Schedule before(plan);
  EXPECT_EQ(before.blocks(), 4u);
  EXPECT_EQ(before.block(1).game, 1u);
  EXPECT_EQ(before.block(2).round, 1u);
  plan.rounds = 5;
  const Schedule after(plan);
  for (std::size_t i = 0; i < before.blocks(); ++i) {
    EXPECT_EQ(after.block(i).seed, before.block(i).seed);
    EXPECT_EQ(after.block(i).order, before.block(i).order);
  }
}

TEST(Schedule, GivesEachBlockAndEachOfItsPlayersASeed) {
  TournamentPlan plan = sample_plan(3, {planned_game("g", kTwo), planned_game("h", kTwo)});
  plan.rounds = 20;
  const Schedule schedule(plan);
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 0; i < schedule.blocks(); ++i) seeds.insert(schedule.block(i).seed);
  EXPECT_EQ(seeds.size(), schedule.blocks());
  const Block block = schedule.block(0);
  EXPECT_NE(player_seed(block, plan.players[0]), player_seed(block, plan.players[1]));
  EXPECT_NE(player_seed(block, plan.players[0]), player_seed(block, plan.players[0], 1));
  plan.seed = 2;
  EXPECT_NE(Schedule(plan).block(0).seed, block.seed);
}

TEST(Schedule, IsPartedByShards) {
  TournamentPlan plan = sample_plan(4, {planned_game("g", kTwo), planned_game("h", kThree)});
  plan.rounds = 3;
  const Schedule schedule(plan);
  std::size_t blocks = 0, matches = 0;
  for (std::size_t index = 1; index <= 4; ++index) {
    blocks += schedule.blocks({index, 4});
    matches += schedule.matches({index, 4});
  }
  EXPECT_EQ(blocks, schedule.blocks());
  EXPECT_EQ(matches, schedule.matches({}));
}

}  // namespace
}  // namespace ludens::server
