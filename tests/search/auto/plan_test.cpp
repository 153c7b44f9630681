// SPDX-License-Identifier: MIT
#include "search/auto/plan.h"

namespace ludens::search {
namespace {

GameAnalysis game_of(std::size_t players, bool turn_taking, bool fixed_sum, double magnitude) {
  GameAnalysis game;
  game.roles = game.players = players;
  game.single_player = {players == 1, true};
  game.turn_taking = {turn_taking, false};
  game.fixed_sum = {fixed_sum, false};
  game.playouts = 100;
  game.tree_magnitude = magnitude;
  game.longest = 30;
  return game;
}

TEST(AutoPlan, TakesAlphaBetaForTwoAdversariesInTurn) {
  const AutoPlan plan = plan_for(game_of(2, true, true, 30));
  EXPECT_EQ(plan.full_search, "alphabeta");
  EXPECT_TRUE(plan.extends_trial);
  EXPECT_TRUE(plan.adversarial);
  EXPECT_TRUE(plan.look_for_a_win);
  EXPECT_TRUE(plan.few_states);
  EXPECT_EQ(plan.length, 30U);
  EXPECT_EQ(main_strategy(plan, game_of(2, true, true, 30)), "mcts");
  EXPECT_EQ(main_strategy(plan, game_of(2, true, true, 4)), "alphabeta");
}

TEST(AutoPlan, LooksForAnEquilibriumWhereTwoAdversariesMoveAtOnce) {
  const AutoPlan plan = plan_for(game_of(2, false, true, 3));
  EXPECT_EQ(plan.full_search, "nash");
  EXPECT_TRUE(plan.equilibrium);
  EXPECT_FALSE(plan.few_states);
  EXPECT_TRUE(plan.look_for_a_win);
  EXPECT_EQ(plan_for(game_of(2, false, true, 12)).full_search, "nash");
}

TEST(AutoPlan, CountsThoseWhoMayChooseAtOnce) {
  EXPECT_EQ(plan_for(game_of(2, true, true, 30)).choosers, 1U);
  EXPECT_EQ(plan_for(game_of(2, false, true, 30)).choosers, 2U);
}

TEST(AutoPlan, LeavesOtherSimultaneousMovesToMcts) {
  EXPECT_EQ(plan_for(game_of(2, false, false, 3)).full_search, "");
  EXPECT_EQ(plan_for(game_of(3, false, true, 3)).full_search, "");
}

TEST(AutoPlan, TakesMaxnOnlyForSmallGames) {
  EXPECT_EQ(plan_for(game_of(3, true, false, 4)).full_search, "maxn");
  EXPECT_EQ(plan_for(game_of(2, true, false, 4)).full_search, "maxn");
  EXPECT_EQ(plan_for(game_of(3, true, false, 12)).full_search, "");
  EXPECT_FALSE(plan_for(game_of(3, true, true, 4)).adversarial);
}

TEST(AutoPlan, WeighsChanceInSmallGames) {
  GameAnalysis game = game_of(1, true, false, 4);
  game.roles = 2;
  game.random = 1;
  game.chance = {true, true};
  EXPECT_EQ(plan_for(game).full_search, "expectimax");
  game.tree_magnitude = 20;
  EXPECT_EQ(plan_for(game).full_search, "");
  game.states = 500;
  EXPECT_EQ(plan_for(game).full_search, "expectimax");
}

TEST(AutoPlan, SearchesForOnePlayerToTheEnd) {
  const GameAnalysis game = game_of(1, true, true, 40);
  const AutoPlan plan = plan_for(game);
  EXPECT_EQ(plan.full_search, "puzzle");
  EXPECT_EQ(main_strategy(plan, game), "puzzle");
  EXPECT_FALSE(plan.look_for_a_win);
  EXPECT_NE(plan.why.find("puzzle"), std::string::npos);
  EXPECT_NE(plan.kind.find("one player"), std::string::npos);
}

TEST(AutoPlan, SearchesForOnePlayerBesideAnIdleRoleRandom) {
  GameAnalysis game = game_of(1, true, true, 40);
  game.roles = 2;
  game.random = 1;
  const AutoPlan plan = plan_for(game);
  EXPECT_EQ(plan.full_search, "exhaustive");
  EXPECT_FALSE(plan.alone);
}

TEST(AutoPlan, OfAGameThatWasNeverSeenToEndNothingIsAssumed) {
  GameAnalysis game;
  game.roles = game.players = 2;
  const AutoPlan plan = plan_for(game);
  EXPECT_EQ(plan.full_search, "");
  EXPECT_EQ(main_strategy(plan, game), "mcts");
}

}  // namespace
}  // namespace ludens::search
