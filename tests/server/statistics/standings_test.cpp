// SPDX-License-Identifier: MIT
#include "server/statistics/standings.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "server/statistics/curves.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

/// Three players at a game with a fixed sum.
///   block 0: ann wins and draws against bob    ann 0.75  bob 0.25
///   block 1: ann wins twice against bob        ann 1     bob 0
///   block 2: ann loses and wins against cy     ann 0.5   cy  0.5
///   block 3: bob wins twice against cy         bob 1     cy  0
///   block 4: bob wins; the other match was broken off for cy's failures: does not count
///   block 5: cy wins; the other match is still to come: does not count
std::vector<MatchResult> three_players() {
  std::vector<MatchResult> results;
  append(results, two_player_block(0, "duel", "ann", "bob", {100, 50}));
  append(results, two_player_block(1, "duel", "ann", "bob", {100, 100}));
  append(results, two_player_block(2, "duel", "ann", "cy", {0, 100}));
  append(results, two_player_block(3, "duel", "bob", "cy", {100, 100}));
  std::vector<MatchResult> broken = two_player_block(4, "duel", "bob", "cy", {100, 0});
  broken[1] = aborted(broken[1], {"cy"});
  broken[1].faults[0] = {.late = 2, .refused = 3};  // cy has the first seat there
  append(results, broken);
  results.push_back(two_player_block(5, "duel", "cy", "bob", {100, 0})[0]);
  return results;
}

StandingsInput input_of(const std::vector<MatchResult>& results, std::vector<std::string> players,
                        std::vector<std::string> games) {
  StandingsInput input;
  input.players = std::move(players);
  input.games = std::move(games);
  input.results = results;
  return input;
}

/// The same as between 0 and 100.
TEST(Standings, MeasureGoalsByTheirRange) {
  std::vector<MatchResult> results = two_player_block(0, "duel", "ann", "bob", {0, 0});
  for (MatchResult& result : results) {
    result.least_goal = -1;
    result.greatest_goal = 1;
  }
  results[0].goals = {1, -1};
  results[1].goals = {0, 0};
  const Standings standings = standings_of(input_of(results, {"ann", "bob"}, {"duel"}));
  ASSERT_EQ(standings.players.size(), 2u);
  const PlayerStanding& ann = standings.players[0];
  EXPECT_EQ(ann.player, "ann");
  EXPECT_EQ(ann.tally.wins, 1u);
  EXPECT_EQ(ann.tally.draws, 1u);
  EXPECT_EQ(ann.tally.losses, 0u);
  const std::vector<PlayedBlock> blocks = played_blocks(results);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_TRUE(blocks[0].fixed_sum);
  EXPECT_EQ(blocks[0].find("ann")->score, 0.75);
  EXPECT_EQ(blocks[0].find("bob")->score, 0.25);
}

TEST(Standings, CountCompleteBlocks) {
  const auto results = three_players();
  const Standings standings = standings_of(input_of(results, {"ann", "bob", "cy"}, {"duel"}));
  EXPECT_EQ(standings.matches, 11u);
  EXPECT_EQ(standings.aborted, 1u);
  EXPECT_EQ(standings.blocks, 4u);
  ASSERT_EQ(standings.players.size(), 3u);

  // 0.75, 1, 0.5: mean 0.75, variance 0.0625, error sqrt(0.0625 / 3) = 0.1443376, t of 2 degrees of
  // freedom 4.302653, half the interval 0.6210344. Elo 400 log10 3 = 190.8485; its low end is of
  // 0.1289656: 400 log10(0.1289656 / 0.8710344) = -331.821.
  const PlayerStanding& ann = standings.players[0];
  EXPECT_EQ(ann.player, "ann");
  EXPECT_EQ(ann.rank, 1u);
  EXPECT_EQ(ann.tally.matches, 6u);
  EXPECT_EQ(ann.tally.wins, 4u);
  EXPECT_EQ(ann.tally.draws, 1u);
  EXPECT_EQ(ann.tally.losses, 1u);
  EXPECT_EQ(ann.tally.score.blocks, 3u);
  EXPECT_NEAR(ann.tally.score.mean, 0.75, 1e-12);
  EXPECT_NEAR(ann.tally.score.low, 0.1289656, 1e-6);
  EXPECT_EQ(ann.tally.score.high, 1);
  ASSERT_TRUE(ann.tally.elo);
  EXPECT_NEAR(ann.tally.elo->difference, 190.8485, 1e-3);
  EXPECT_NEAR(ann.tally.elo->low, -331.821, 0.01);
  EXPECT_TRUE(std::isinf(ann.tally.elo->high));

  // bob: 0.25, 0 and 1, mean 1.25 / 3; cy: 0.5 and 0.
  EXPECT_EQ(standings.players[1].player, "bob");
  EXPECT_NEAR(standings.players[1].tally.score.mean, 1.25 / 3, 1e-12);
  EXPECT_EQ(standings.players[2].player, "cy");
  EXPECT_NEAR(standings.players[2].tally.score.mean, 0.25, 1e-12);
}

TEST(Standings, GiveOneRankToEqualMeans) {
  // 0, 0.25, 1, 0.75 and 1, 0.75, 0, 0.25: the same mean, added up in another order.
  std::vector<MatchResult> results;
  append(results, two_player_block(0, "duel", "ann", "bob", {0, 0}));
  append(results, two_player_block(1, "duel", "ann", "bob", {50, 0}));
  append(results, two_player_block(2, "duel", "ann", "bob", {100, 100}));
  append(results, two_player_block(3, "duel", "ann", "bob", {50, 100}));
  const Standings standings = standings_of(input_of(results, {"ann", "bob"}, {"duel"}));
  ASSERT_EQ(standings.players.size(), 2u);
  EXPECT_NEAR(standings.players[0].tally.score.mean, 0.5, 1e-12);
  EXPECT_EQ(standings.players[0].rank, 1u);
  EXPECT_EQ(standings.players[1].rank, 1u);
}

TEST(Standings, CountFaultsAndThinkTimeOfAllMatches) {
  const auto results = three_players();
  const Standings standings = standings_of(input_of(results, {"ann", "bob", "cy"}, {"duel"}));
  const PlayerStanding& bob = standings.players[1];
  const PlayerStanding& cy = standings.players[2];
  EXPECT_EQ(cy.faults.late, 2u);
  EXPECT_EQ(cy.faults.refused, 3u);
  EXPECT_EQ(cy.faults.total(), 5u);
  EXPECT_EQ(cy.aborted, 1u);
  EXPECT_EQ(cy.culprit, 1u);
  EXPECT_EQ(bob.faults.total(), 0u);
  EXPECT_EQ(bob.aborted, 1u);
  EXPECT_EQ(bob.culprit, 0u);
  // cy was in 2 + 2 + 2 + 1 matches, of 10 moves and 30 ms each.
  EXPECT_EQ(cy.think.moves, 70u);
  EXPECT_NEAR(cy.think.total_ms, 210, 1e-9);
  EXPECT_NEAR(cy.think.mean_ms(), 3, 1e-9);
  EXPECT_EQ(cy.think.slowest_ms, 5);
}

TEST(Standings, ComparePairs) {
  const auto results = three_players();
  const Standings standings = standings_of(input_of(results, {"ann", "bob", "cy"}, {"duel"}));
  ASSERT_EQ(standings.pairs.size(), 3u);
  const Comparison& pair = standings.pairs[0];
  EXPECT_EQ(pair.first, "ann");
  EXPECT_EQ(pair.second, "bob");
  // Blocks of 0.75 and 1: mean 0.875.
  EXPECT_EQ(pair.advantage.blocks, 2u);
  EXPECT_NEAR(pair.advantage.mean, 0.875, 1e-12);
  EXPECT_EQ(pair.first_tally.wins, 3u);
  EXPECT_EQ(pair.first_tally.draws, 1u);
  EXPECT_EQ(pair.second_tally.losses, 3u);
  ASSERT_TRUE(pair.elo);
  EXPECT_NEAR(pair.elo->difference, 400 * std::log10(7.0), 1e-9);  // 0.875 to 0.125

  const CrossTable cross = cross_table(standings);
  EXPECT_FALSE(cross.cells[0][0]);
  ASSERT_TRUE(cross.cells[1][0]);
  EXPECT_EQ(cross.cells[1][0]->first, "bob");
  EXPECT_NEAR(cross.cells[1][0]->advantage.mean, 0.125, 1e-12);
  EXPECT_NEAR(cross.cells[1][0]->elo->difference, -400 * std::log10(7.0), 1e-9);
  EXPECT_EQ(cross.cells[1][0]->first_tally.losses, 3u);
}

TEST(Standings, TakeEloFromGamesWhoseSumIsFixed) {
  std::vector<MatchResult> results{match_result(0, 0, "walk", {"ann", "bob"}, {100, 100}),
                                   match_result(0, 1, "walk", {"bob", "ann"}, {40, 60})};
  append(results, two_player_block(1, "duel", "ann", "bob", {100, 50}));
  const Standings standings = standings_of(input_of(results, {"ann", "bob"}, {"walk", "duel"}));
  // ann: (1 + 0.6) / 2 = 0.8 and 0.75; bob (1 + 0.4) / 2 = 0.7 and 0.25.
  const PlayerStanding& ann = standings.players[0];
  EXPECT_NEAR(ann.tally.score.mean, 0.775, 1e-12);
  EXPECT_EQ(ann.tally.score.blocks, 2u);
  EXPECT_EQ(ann.tally.fixed_sum_blocks, 1u);
  ASSERT_TRUE(ann.tally.elo);
  EXPECT_NEAR(ann.tally.elo->difference, 190.8485, 1e-3);              // of 0.75, not of 0.775
  EXPECT_EQ(ann.tally.wins + ann.tally.draws + ann.tally.losses, 2u);  // those of the duel
  // Advantages 0.5 + (0.8 - 0.7) / 2 = 0.55 and 0.75.
  EXPECT_NEAR(standings.pairs[0].advantage.mean, 0.65, 1e-12);
  ASSERT_TRUE(standings.pairs[0].elo);
  EXPECT_NEAR(standings.pairs[0].elo->difference, 190.8485, 1e-3);
  ASSERT_EQ(standings.games.size(), 2u);
  EXPECT_FALSE(standings.games[0].fixed_sum);
  EXPECT_FALSE(standings.games[0].players[0].tally.elo);
  EXPECT_TRUE(standings.games[1].fixed_sum);
  EXPECT_TRUE(standings.games[1].players[0].tally.elo);
  ASSERT_EQ(standings.pairs_by_game.size(), 2u);
  EXPECT_FALSE(standings.pairs_by_game[0].elo);
  EXPECT_TRUE(standings.pairs_by_game[1].elo);
}

TEST(Standings, TakeAnyNumberOfPlayersAndSeats) {
  // Three players over three seats, the host in a fourth; and two who play alone.
  std::vector<MatchResult> results;
  for (std::size_t turn = 0; turn < 3; ++turn) {
    const std::vector<std::string> names{"ann", "bob", "cy"};
    MatchResult match = match_result(
        0, turn, "trio", {names[turn], names[(turn + 1) % 3], names[(turn + 2) % 3], ""},
        {100, 50, 0, 0});
    match.block.size = 3;
    results.push_back(match);
  }
  for (std::size_t turn = 0; turn < 2; ++turn) {
    MatchResult match =
        match_result(1, turn, "puzzle", {turn == 0 ? "ann" : "bob"}, {turn == 0 ? 100 : 30});
    match.block.size = 2;
    results.push_back(match);
  }
  const Standings standings =
      standings_of(input_of(results, {"cy", "bob", "ann"}, {"trio", "puzzle"}));
  EXPECT_EQ(standings.blocks, 2u);
  // All have 0.5 in the first game: each had each seat once.
  for (const PlayerStanding& player : standings.games[0].players) {
    EXPECT_NEAR(player.tally.score.mean, 0.5, 1e-12);
    EXPECT_EQ(player.rank, 1u);
  }
  EXPECT_EQ(standings.games[1].players[0].player, "ann");
  EXPECT_EQ(standings.games[1].players[1].rank, 2u);
  EXPECT_EQ(standings.games[1].players[2].tally.score.blocks, 0u);  // cy was not there
  const auto pair = std::find_if(standings.pairs.begin(), standings.pairs.end(), [](const auto& p) {
    return p.first == "bob" && p.second == "ann";
  });
  ASSERT_NE(pair, standings.pairs.end());
  EXPECT_EQ(pair->advantage.blocks, 2u);
  EXPECT_NEAR(pair->advantage.mean, (0.5 + 0.15) / 2, 1e-12);  // 0.5 + (0.3 - 1) / 2 = 0.15
}

TEST(Standings, DoNotDependOnTheOrderOfTheLog) {
  auto results = three_players();
  const auto input = [&] { return input_of(results, {"ann", "bob", "cy"}, {"duel"}); };
  const Standings before = standings_of(input());
  std::mt19937_64 random(5);
  std::shuffle(results.begin(), results.end(), random);
  const Standings after = standings_of(input());
  for (std::size_t i = 0; i < before.players.size(); ++i) {
    EXPECT_EQ(before.players[i].player, after.players[i].player);
    EXPECT_EQ(before.players[i].tally.score.mean, after.players[i].tally.score.mean);
    EXPECT_EQ(before.players[i].tally.score.low, after.players[i].tally.score.low);
  }
}

TEST(Standings, ListPlayersWhoHaveNotPlayed) {
  const std::vector<MatchResult> none;
  const Standings standings = standings_of(input_of(none, {"ann", "bob"}, {"duel"}));
  ASSERT_EQ(standings.players.size(), 2u);
  EXPECT_EQ(standings.players[1].rank, 1u);
  EXPECT_TRUE(standings.pairs.empty());
  EXPECT_EQ(standings.games[0].blocks, 0u);
}

TEST(ScoreCurves, HaveAPointForEachCompleteBlock) {
  const auto results = three_players();
  const auto blocks = played_blocks(results);
  const auto curves = score_curves({"cy", "ann"}, blocks);
  ASSERT_EQ(curves.size(), 2u);
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[1].block, 3u);
  EXPECT_EQ(curves[0].points[1].ended_ms, 3150);  // began at 3,100, took 50
  EXPECT_NEAR(curves[0].points[1].estimate.mean, 0.25, 1e-12);
  ASSERT_EQ(curves[1].points.size(), 3u);
  EXPECT_EQ(curves[1].points[1].score, 1);
  EXPECT_NEAR(curves[1].points[1].estimate.mean, 0.875, 1e-12);
  EXPECT_EQ(curves[1].points[1].estimate.blocks, 2u);
}

TEST(SprtProgress, TakesBlocksInScheduleOrderUpToTheFirstOpenOne) {
  std::vector<MatchResult> results;
  append(results, two_player_block(0, "duel", "ann", "bob", {100, 100}));
  append(results, two_player_block(3, "duel", "ann", "bob", {0, 0}));
  append(results, two_player_block(1, "duel", "ann", "bob", {100, 50}));
  results.push_back(two_player_block(2, "duel", "ann", "bob", {100, 0})[1]);
  StandingsInput input = input_of(results, {"ann", "bob"}, {"duel"});
  input.sprt = SprtPlan{.elo0 = 0, .elo1 = 50};
  const auto before = standings_of(input).sprt;
  ASSERT_TRUE(before);
  EXPECT_EQ(before->blocks, 2u);
  EXPECT_EQ(before->waiting, 1u);
  Sprt expected(*input.sprt);
  expected.add(1);
  expected.add(0.75);
  EXPECT_EQ(before->llr, expected.llr());

  results.push_back(two_player_block(2, "duel", "ann", "bob", {100, 0})[0]);
  input.results = results;
  const auto after = standings_of(input).sprt;
  expected.add(0.5);
  expected.add(0);
  EXPECT_EQ(after->blocks, 4u);
  EXPECT_EQ(after->waiting, 0u);
  EXPECT_EQ(after->llr, expected.llr());
  ASSERT_EQ(after->curve.size(), 4u);
  EXPECT_EQ(after->curve[1], before->llr);
}

TEST(SprtProgress, LeavesOutBlocksThatWereBrokenOff) {
  std::vector<MatchResult> results = two_player_block(0, "duel", "ann", "bob", {100, 100});
  results[1] = aborted(results[1], {"bob"});
  append(results, two_player_block(1, "duel", "ann", "bob", {100, 50}));
  StandingsInput input = input_of(results, {"ann", "bob"}, {"duel"});
  input.sprt = SprtPlan{};
  const auto progress = standings_of(input).sprt;
  EXPECT_EQ(progress->blocks, 1u);
  EXPECT_EQ(progress->waiting, 0u);
}

TEST(SprtProgress, EndsWithTheDecision) {
  std::vector<MatchResult> results;
  for (std::size_t block = 0; block < 15; ++block) {
    append(results, two_player_block(block, "duel", "ann", "bob", {100, 100}));
  }
  StandingsInput input = input_of(results, {"ann", "bob"}, {"duel"});
  input.sprt = SprtPlan{.elo0 = 0, .elo1 = 100};  // twelve blocks won decide, see SprtRule below
  const auto progress = standings_of(input).sprt;
  EXPECT_EQ(progress->decision, SprtDecision::AcceptH1);
  EXPECT_EQ(progress->blocks, 12u);
  EXPECT_EQ(progress->curve.size(), 12u);
  EXPECT_EQ(progress->waiting, 0u);
}

TEST(SprtProgress, OfAShardTakesItsOwnBlocks) {
  std::vector<MatchResult> results = two_player_block(1, "duel", "ann", "bob", {100, 100});
  append(results, two_player_block(5, "duel", "ann", "bob", {100, 50}));
  append(results, two_player_block(13, "duel", "ann", "bob", {100, 50}));
  StandingsInput input = input_of(results, {"ann", "bob"}, {"duel"});
  input.sprt = SprtPlan{};
  input.shard = {.index = 2, .count = 4};
  const auto progress = standings_of(input).sprt;
  EXPECT_EQ(progress->blocks, 2u);
  EXPECT_EQ(progress->waiting, 1u);  // block 9 is not there
}

TEST(SprtRule, StopsWithASentence) {
  SprtRule rule({.elo0 = 0, .elo1 = 100}, "ann", "bob");
  // A block won is worth 0.246962 of 2.944439: twelve are needed, which are 2.9635.
  for (std::size_t block = 0; block < 11; ++block) {
    EXPECT_FALSE(rule.block(two_player_block(block, "duel", "ann", "bob", {100, 100})));
  }
  const auto verdict = rule.block(two_player_block(11, "duel", "ann", "bob", {100, 100}));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(*verdict,
            "H1 accepted: ann is ahead of bob by 100 Elo rather than 0 (LLR 2.96 in -2.94 .. 2.94, "
            "12 blocks)");
}

TEST(SprtRule, PassesOverBlocksThatWereBrokenOff) {
  SprtRule rule({.elo0 = 0, .elo1 = 100}, "ann", "bob");
  auto broken = two_player_block(0, "duel", "ann", "bob", {100, 100});
  broken[0] = aborted(broken[0], {"bob"});
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(rule.block(broken));
}

}  // namespace
}  // namespace ludens::server
