// SPDX-License-Identifier: MIT
// `mcts` on drawn games: many roles, chance, one player, partners.
#include "tests/search/thinking.h"
#include "tests/search/tree/games_of_luck.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

std::shared_ptr<const gdl::Machine> drawn(std::string text) {
  auto parsed = TreeMachine::parse(std::move(text));
  if (!parsed) {
    ADD_FAILURE() << gdl::format(parsed.error().front(), "tree");
    return nullptr;
  }
  return *parsed;
}

struct Answer {
  std::string move;
  Choice choice;
};

Answer answer(const std::string& text, gdl::RoleIndex role = 0,
              const std::string& strategy = "mcts:playouts=3000,seed=1") {
  const auto machine = drawn(text);
  Answer result;
  result.choice = think(*strategy_of(strategy), initial_position(machine, role));
  result.move = machine->vocabulary()->move_name(result.choice.move);
  return result;
}

TEST(MctsTrees, MinimaxIsWhatItFindsInAGameForTwo) {
  const Answer found = answer("(roles max min) (max (min 3 12 8) (min 2 4 6) (min 14 5 2))");
  EXPECT_EQ(found.move, "1");
  EXPECT_EQ(found.choice.value, 3);
  EXPECT_TRUE(found.choice.exact);
}

TEST(MctsTrees, OfThreeRolesEachLooksAfterItself) {
  // c takes (1 2 6), not (4 2 3); so a prefers the other branch, where b leaves it 3.
  const std::string game =
      "(roles a b c) (a left (c (10 20 60) (40 20 30)) right (b (30 50 0) (90 10 80)))";
  const Answer found = answer(game);
  EXPECT_EQ(found.move, "right");
  EXPECT_NEAR(found.choice.value, 30, 3);
}

TEST(MctsTrees, PartnersSteerToWhatIsBestForBoth) {
  const Answer found =
      answer("(roles a b) (a (b (50 60) (10 0)) (b (0 0) (100 100)) (b (60 20) (70 30)))");
  EXPECT_EQ(found.move, "2");
  EXPECT_GT(found.choice.value, 95);
}

TEST(MctsTrees, TheSharingGameIsShared) {
  const std::string game =
      "(roles andy barb) (andy keep (barb no (0 0) yes (100 0)) "
      "share (barb no (0 0) yes (50 50)) give (barb no (0 0) yes (0 100)))";
  // Barb does not care after `keep`, so that it is worth 50 on the average, as sharing is for sure.
  const Answer found = answer(game, 0, "mcts:playouts=20000,seed=1");
  EXPECT_NE(found.move, "give");
  EXPECT_NEAR(found.choice.value, 50, 5);
}

TEST(MctsTrees, ChanceCountsWithItsMean) {
  const Answer found = answer("(roles max random) (max (random 30 40) (random 10 50))");
  EXPECT_EQ(found.move, "1");
  EXPECT_NEAR(found.choice.value, 35, 0.5);
  // The squares of 3, 4; 1, 5 turn the choice.
  EXPECT_EQ(answer("(roles max random) (max (random 9 16) (random 1 25))").move, "2");
}

TEST(MctsTrees, OutcomesWeighByTheirChancesHoweverOftenTheyWereDrawn) {
  const Answer found = answer("(roles max random) (max (random 100 0 0) 34)", 0,
                              "mcts:playouts=300,seed=1,bounds=off");
  EXPECT_NEAR(found.choice.root[0].value, 100 / 3.0, 1e-3);
  EXPECT_EQ(found.move, "2");
}

TEST(MctsTrees, ChanceBetweenTwoPlayersAgreesWithExpectimax) {
  const std::string game =
      "(roles max min random) (max (random (min 80 30) (min 60 70)) (random (min 50 90) (min 30 "
      "40)) "
      "(min (random 90 10) (random 20 60)))";
  const Answer found = answer(game, 0, "mcts:playouts=20000,seed=2");
  const Answer expected = answer(game, 0, "expectimax");
  EXPECT_EQ(found.move, expected.move);
  EXPECT_NEAR(found.choice.value, expected.choice.value, 1.5);
}

/// What is proved of a position says nothing about a result of bad luck.
TEST(MctsTrees, MovesAtOnceCountWithTheirMean) {
  const std::string strategy = "mcts:playouts=40000,seed=1,simultaneous=";
  for (const std::string& answered_by : {strategy + "uct", strategy + "regret"}) {
    const Answer bet = answer(leave_or_bet(), 0, answered_by);
    EXPECT_EQ(bet.move, "leave");
    EXPECT_NEAR(bet.choice.root[1].value, 60, 3);
  }
  const Answer match = answer(leave_or_match(), 0, strategy + "regret");
  EXPECT_EQ(match.move, "leave");
  EXPECT_NEAR(match.choice.root[1].value, 60, 3);
}

TEST(MctsTrees, ChanceCountsWithItsMeanWhereItIsHalfProved) {
  const Answer found =
      answer(coin_or_sure(), 0, "mcts:playouts=40000,policy=uniform,transpositions=off,seed=1");
  EXPECT_EQ(found.move, "sure");
  EXPECT_LT(found.choice.root[0].value, 60);
}

TEST(MctsTrees, OnePlayerFindsTheOneGoodPath) {
  std::string game = "100";
  for (int depth = 0; depth < 7; ++depth) {
    game = depth % 2 == 0 ? "(one 0 " + game + ")" : "(one " + game + " 20)";
  }
  const Answer found = answer("(roles one) " + game);
  EXPECT_EQ(found.choice.value, 100);
  EXPECT_TRUE(found.choice.exact);
  EXPECT_EQ(found.choice.variation.size(), 7U);
}

TEST(MctsTrees, SimultaneousMovesWithADominantOneAreProved) {
  // Whatever b does, `up` is worth at least 60 to a, and `down` at most 60.
  const Answer found = answer("(roles a b) (* (up l) 60 (up r) 80 (down l) 60 (down r) 10)", 0,
                              "mcts:playouts=2000,seed=1");
  EXPECT_EQ(found.move, "up");
  EXPECT_EQ(found.choice.root[0].low, 60);
  EXPECT_EQ(found.choice.root[1].high, 60);
}

/// Expects `mcts` to prove that each first move of the first role keeps this much.
void expect_proved(const std::string& game, const std::vector<double>& lows) {
  for (int seed = 1; seed <= 5; ++seed) {
    const std::string strategy =
        "mcts:playouts=5000,simultaneous=exp3,seed=" + std::to_string(seed);
    std::vector<double> proved;
    for (const RootMove& move : answer(game, 0, strategy).choice.root) proved.push_back(move.low);
    EXPECT_EQ(proved, lows) << seed;
  }
}

/// The first path that proves something of a position leaves nothing to prove to the others.
TEST(MctsTrees, WhatIsProvedOfAPositionIsKnownOnAllPathsToIt) {
  expect_proved(
      "(roles a b) (a (a (a:x (b:y (40 10) (30 50)) (20 90)) (10 50)) (a @x (15 60)) "
      "(a (a @y (25 0)) (5 70)))",
      {30, 30, 30});
  expect_proved(
      "(roles a b) (* (u l) (*:p (u l) (*:x (u l) (40 40) (u r) (30 50) (d l) (50 30) (d r) (0 0)) "
      "(u r) (*:y (u l) (60 20) (u r) (50 10) (d l) (55 5) (d r) (40 40)) (d l) @y (d r) @x) "
      "(u r) (*:q (u l) @y (u r) @x (d l) @x (d r) @y) (d l) @q (d r) @p)",
      {30, 30});
}

TEST(MctsTrees, AWinForCertainEndsTheSearchInAnyGame) {
  const Answer found = answer("(roles a b) (a (b (100 50) (100 0)) (b (100 0) (99 99)))");
  EXPECT_EQ(found.move, "1");
  EXPECT_TRUE(found.choice.exact);
  EXPECT_LT(found.choice.iterations, 3000U);
}

TEST(MctsTrees, ALossIsPutOffAsLongAsCanBe) {
  // Both moves lose: the first to one reply of many, which takes long to find, the second two joint
  // moves later.
  const std::string game =
      "(roles max min) (max (min 90 90 90 90 90 90 90 0) "
      "(min (max (min 0 0) (min 0 0)) (max (min 0 0) (min 0 0))))";
  for (int seed = 1; seed <= 10; ++seed) {
    const Answer found = answer(game, 0, "mcts:playouts=5000,seed=" + std::to_string(seed));
    EXPECT_TRUE(found.choice.exact);
    EXPECT_EQ(found.choice.value, 0);
    EXPECT_EQ(found.move, "2");
  }
}

TEST(MctsTrees, StatesThatRecurAreNoTrap) {
  const Answer found = answer("(roles one) (one:top around (one back @top on 40) away 30)", 0,
                              "mcts:playouts=600,steps=60,seed=1");
  EXPECT_EQ(found.move, "around");
}

}  // namespace
}  // namespace ludens::search::test
