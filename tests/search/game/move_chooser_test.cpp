// SPDX-License-Identifier: MIT
#include "search/game/move_chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "tests/project_folder.h"

namespace ludens::search {
namespace {

using namespace std::chrono_literals;

const gdl::Game& tic_tac_toe() {
  static const gdl::Game game =
      gdl::Game::from_file(project_folder() + "/config/games/tic_tac_toe.kif");
  return game;
}

void play(gdl::GameState& state, const std::string& x, const std::string& o) {
  state.play(std::vector<gdl::MoveId>{*tic_tac_toe().find_move(x), *tic_tac_toe().find_move(o)});
}

/// x has two in a row and moves.
gdl::GameState nearly_won() {
  gdl::GameState state = tic_tac_toe().initial_state();
  play(state, "( mark 1 1 )", "noop");
  play(state, "noop", "( mark 2 1 )");
  play(state, "( mark 1 2 )", "noop");
  play(state, "noop", "( mark 3 3 )");
  return state;
}

TEST(MoveChooser, FindsAWin) {
  for (const std::string strategy : {"alphabeta", "mcts:playouts=2000,seed=1", "auto"}) {
    MoveChooser chooser(strategy);
    const Choice choice = chooser.choose(nearly_won(), 0, 10s);
    EXPECT_EQ(tic_tac_toe().move_name(choice.move), "( mark 1 3 )") << strategy;
  }
}

TEST(MoveChooser, HasTimeWithoutEnd) {
  MoveChooser chooser("alphabeta");
  const Choice choice = chooser.choose(nearly_won(), 0, std::chrono::nanoseconds::max());
  EXPECT_EQ(tic_tac_toe().move_name(choice.move), "( mark 1 3 )");
  EXPECT_TRUE(choice.exact);
}

TEST(MoveChooser, RepeatsItselfWithASeed) {
  const auto value = [] {
    MoveChooser chooser("mcts:playouts=500,seed=7");
    return chooser.choose(tic_tac_toe().initial_state(), 0, 1h).value;
  };
  EXPECT_EQ(value(), value());
}

TEST(MoveChooser, HasALegalMoveWithoutTime) {
  const gdl::GameState state = nearly_won();
  MoveChooser chooser("mcts");
  const Choice choice = chooser.choose(state, 0, 0s);
  const auto legal = state.legal_moves(0);
  EXPECT_NE(std::find(legal.begin(), legal.end(), choice.move), legal.end());
}

/// First knows its own card and that second has passed. `cfr` finds what it knows among the
/// situations of the game; had first nothing to perceive, there would be none like that.
TEST(MoveChooser, TellsAStrategyOnlyWhatTheRoleKnows) {
  const gdl::Game game = gdl::Game::from_file(project_folder() + "/config/games/kuhn_poker.kif");
  const auto after_the_deal = [&](const std::string& deal) {
    gdl::GameState state = game.initial_state();
    for (const auto& moves : {std::array<std::string, 3>{"noop", "noop", deal},
                              std::array<std::string, 3>{"pass", "noop", "noop"},
                              std::array<std::string, 3>{"noop", "bet", "noop"}}) {
      std::vector<gdl::MoveId> joint;
      for (const auto& move : moves) joint.push_back(*game.find_move(move));
      state.play(joint);
    }
    return state;
  };
  MoveChooser cfr("cfr:playouts=500");
  cfr.choose(after_the_deal("( deal queen king )"), 0, 1h);
  EXPECT_EQ(cfr.explanation().find("by chance"), std::string::npos) << cfr.explanation();
  // None can know the other's card: with the same draws it sees the same values.
  const auto value = [&](const std::string& strategy, const std::string& deal) {
    MoveChooser chooser(strategy);
    return chooser.choose(after_the_deal(deal), 0, 1h).value;
  };
  for (const std::string strategy : {"ismcts:playouts=500,seed=1", "mcts:playouts=500,seed=1"}) {
    EXPECT_EQ(value(strategy, "( deal queen king )"), value(strategy, "( deal queen jack )"))
        << strategy;
  }
}

/// A game in which coins are flipped unseen and shown but for the last one: what the player then
/// knows fits one course of the match in 2^39, which no search finds. It guesses the last coin.
std::string many_coins(int coins) {
  std::string rules =
      "(role player) (role random) (side heads) (side tails) (init (step 0)) (goal random 0)"
      "(<= done (end ?n) (true (step ?n)))"
      "(<= (legal random (flip ?s)) (side ?s) (not done)) (<= (legal random noop) done)"
      "(<= (legal player noop) (not done)) (<= (legal player (guess ?s)) (side ?s) done)"
      "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"
      "(<= (next (coin ?i ?s)) (true (step ?i)) (does random (flip ?s)))"
      "(<= (next (coin ?i ?s)) (true (coin ?i ?s)))"
      "(<= (sees player (coin ?i ?s)) (last ?n) (true (step ?n)) (true (coin ?i ?s)))"
      "(<= (next (guessed ?s)) (does player (guess ?s))) (<= terminal (true (guessed ?s)))"
      "(<= right (last ?n) (true (coin ?n ?s)) (true (guessed ?s)))"
      "(<= (goal player 100) right) (<= (goal player 0) (not right))";
  for (int i = 0; i < coins; ++i) {
    rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return rules + "(last " + std::to_string(coins - 1) + ") (end " + std::to_string(coins) + ")";
}

TEST(MoveChooser, SearchesNothingThatTheRoleDoesNotKnow) {
  constexpr int kCoins = 40;
  const gdl::Game game = gdl::Game::from_text(many_coins(kCoins), {.machine = "interpreter"});
  gdl::GameState state = game.initial_state();
  for (int i = 0; i < kCoins; ++i) {
    const gdl::MoveId flip = state.legal_moves(1)[i % 3 == 0 ? 1 : 0];
    state.play(std::vector<gdl::MoveId>{state.legal_moves(0).front(), flip});
  }
  MoveChooser chooser("mcts:playouts=100,seed=1");
  const Choice choice = chooser.choose(state, 0, 100ms);
  EXPECT_EQ(choice.move, state.legal_moves(0).front());
  EXPECT_EQ(choice.iterations, 0u);
  EXPECT_NE(chooser.explanation(), "");
}

/// Flawed rules: what is legal depends on where chance has hidden something, which the seeker does
/// not perceive.
constexpr const char* kBlind =
    "(role seeker) (role random) (init (step 0)) (place left) (place right) (way in) (way out)"
    "(<= (legal random (hide ?p)) (place ?p) (true (step 0)))"
    "(<= (legal seeker noop) (true (step 0))) (<= (legal random noop) (true (step 1)))"
    "(<= (legal seeker (open ?p ?w)) (true (step 1)) (true (at ?p)) (way ?w))"
    "(<= (next (at ?p)) (does random (hide ?p)))"
    "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))"
    "(<= (next won) (does seeker (open ?p in))) (<= (sees seeker began) (true (step 0)))"
    "(<= terminal (true (step 2)))"
    "(<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won))) (goal random 0)";

TEST(MoveChooser, ChoosesALegalMoveWhereTheRoleCantKnowThem) {
  const gdl::Game game = gdl::Game::from_text(kBlind);
  for (const std::string hidden : {"( hide left )", "( hide right )"}) {
    for (const std::string strategy : {"alphabeta:seed=1", "legal", "pimc:playouts=50,seed=1"}) {
      gdl::GameState state = game.initial_state();
      state.play(std::vector<gdl::MoveId>{*game.find_move("noop"), *game.find_move(hidden)});
      const auto legal = state.legal_moves(0);
      MoveChooser chooser(strategy);
      const Choice choice = chooser.choose(state, 0, 1h);
      EXPECT_TRUE(std::ranges::binary_search(legal, choice.move)) << hidden << " " << strategy;
      for (const RootMove& move : choice.root) {
        EXPECT_TRUE(std::ranges::binary_search(legal, move.move)) << hidden << " " << strategy;
      }
    }
  }
}

/// The guest has chosen a door, and another one is open. Who knew where the car is would be sure.
TEST(MoveChooser, ProvesNothingByAHistoryThatIsGuessed) {
  const gdl::Game game = gdl::Game::from_file(project_folder() + "/config/games/monty_hall.kif");
  gdl::GameState state = game.initial_state();
  const auto play = [&](const std::string& guest, const std::string& random) {
    state.play(std::vector<gdl::MoveId>{*game.find_move(guest), *game.find_move(random)});
  };
  const auto expect_estimate = [&](const std::string& strategy) {
    MoveChooser chooser(strategy);
    const Choice choice = chooser.choose(state, 0, 1h);
    EXPECT_FALSE(choice.exact) << strategy;
    EXPECT_EQ(choice.root.size(), state.legal_moves(0).size()) << strategy;
    for (const RootMove& move : choice.root) {
      EXPECT_EQ(move.low, 0) << strategy;
      EXPECT_EQ(move.high, 100) << strategy;
    }
  };
  const std::array<std::string, 3> strategies = {"alphabeta", "retrograde",
                                                 "mcts:playouts=500,seed=1"};
  // Only one history fits, but the guest will not see where the car is.
  for (const auto& strategy : strategies) expect_estimate(strategy);
  play("( choose 3 )", "( hide 2 )");
  play("noop", "( open 1 )");
  for (const auto& strategy : strategies) expect_estimate(strategy);
}

TEST(MoveChooser, RefusesWhatItCantDo) {
  EXPECT_THROW(MoveChooser("mtcs"), std::invalid_argument);
  EXPECT_THROW(MoveChooser("mcts:playouts=many"), std::invalid_argument);
  EXPECT_THROW(MoveChooser("value:knowledge=learned.knowledge"), std::invalid_argument);
  EXPECT_NO_THROW(MoveChooser("value:knowledge=none"));
  gdl::GameState state = nearly_won();
  play(state, "( mark 1 3 )", "noop");
  ASSERT_TRUE(state.is_terminal());
  EXPECT_THROW(MoveChooser("random").choose(state, 0, 1s), std::invalid_argument);
}

}  // namespace
}  // namespace ludens::search
