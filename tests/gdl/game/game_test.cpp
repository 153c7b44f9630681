// SPDX-License-Identifier: MIT
#include "gdl/game/game.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include "gdl/registry/machines.h"
#include "tests/project_folder.h"

namespace ludens::gdl {
namespace {

const std::filesystem::path kTicTacToe = project_folder() + "/config/games/tic_tac_toe.kif";

std::string problem_of(const std::string& rules, const GameOptions& options = {}) {
  try {
    Game::from_text(rules, options, "sheet");
  } catch (const GameError& error) {
    return error.what();
  }
  return {};
}

TEST(Game, KnowsItsRolesAndMoves) {
  const Game game = Game::from_file(kTicTacToe);
  ASSERT_EQ(game.role_count(), 2u);
  EXPECT_EQ(game.role_name(0), "x");
  const GameState state = game.initial_state();
  EXPECT_EQ(state.legal_moves(0).size(), 9u);
  EXPECT_EQ(state.legal_moves(1).size(), 1u);
  EXPECT_EQ(game.move_name(state.legal_moves(1)[0]), "noop");
  EXPECT_EQ(game.find_move("NOOP"), state.legal_moves(1)[0]);
  EXPECT_EQ(game.find_move("castle"), std::nullopt);
}

TEST(Game, IsPlayedToItsEndOnEveryMachine) {
  for (const std::string machine : {"interpreter", "scalar", "sliced"}) {
    GameOptions options;
    options.machine = machine;
    const Game game = Game::from_file(kTicTacToe, options);
    GameState state = game.initial_state();
    std::size_t steps = 0;
    for (; !state.is_terminal(); ++steps) {
      const std::vector<MoveId> moves{state.legal_moves(0)[0], state.legal_moves(1)[0]};
      state.play(moves);
    }
    EXPECT_EQ(state.history().size(), 2 * steps);
    EXPECT_TRUE(state.legal_moves(0).empty()) << machine;
    const std::vector<int> goals = state.goals();
    EXPECT_EQ(goals[0] + goals[1], 100) << machine;
    EXPECT_NE(state.text().find("( cell 1 1 x )"), std::string::npos) << state.text();
  }
}

TEST(Game, RefusesMovesThatAreNotLegal) {
  const Game game = Game::from_file(kTicTacToe);
  GameState state = game.initial_state();
  const MoveId mark = state.legal_moves(0)[0], noop = state.legal_moves(1)[0];
  const std::string before = state.text();
  EXPECT_THROW(state.play(std::vector<MoveId>{mark}), std::invalid_argument);
  EXPECT_THROW(state.play(std::vector<MoveId>{mark, mark}), std::invalid_argument);
  EXPECT_EQ(state.text(), before);
  state.play(std::vector<MoveId>{mark, noop});
  EXPECT_THROW(state.play(std::vector<MoveId>{noop, mark}), std::invalid_argument);
}

TEST(Game, CopiesOfAStateMoveOnApart) {
  const Game game = Game::from_file(kTicTacToe);
  const GameState first = game.initial_state();
  GameState second = first;
  second.play(std::vector<MoveId>{first.legal_moves(0)[3], first.legal_moves(1)[0]});
  EXPECT_NE(first.text(), second.text());
  EXPECT_TRUE(first.history().empty());
  GameState third = first;
  third = second;
  EXPECT_EQ(third.text(), second.text());
  EXPECT_EQ(third.history(), second.history());
}

TEST(Game, StatesOutliveTheGameTheyCameFrom) {
  const GameState state = Game::from_file(kTicTacToe).initial_state();
  EXPECT_EQ(state.legal_moves(0).size(), 9u);
}

TEST(Game, PlaysOutInBulkFromAnyThread) {
  const Game game = Game::from_file(kTicTacToe);
  std::vector<PlayoutSums> sums(2);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      threads.emplace_back([&, i] {
        Rng rng(i + 1);
        sums[i] = game.initial_state().playouts(5000, rng);
      });
    }
  }
  for (const PlayoutSums& s : sums) {
    ASSERT_EQ(s.playouts, std::vector<std::uint32_t>{5000});
    EXPECT_EQ(s.goals[0] + s.goals[1], 100u * 5000);
    // x wins 58.5 % and draws 12.7 % of random games: 64.8 points; six standard errors are 3.8.
    EXPECT_NEAR(static_cast<double>(s.goals[0]) / 5000, 64.8, 3.8);
  }
}

TEST(Game, SaysWhereRulesAreBroken) {
  EXPECT_NE(problem_of("(role a").find("sheet:1:1: error: "), std::string::npos)
      << problem_of("(role a");
  const std::string rules = "(role a)\n(init (p 1))\n(<= (legal a ?m) (not (true (p ?m))))";
  EXPECT_NE(problem_of(rules).find("sheet:3:"), std::string::npos) << problem_of(rules);
  EXPECT_FALSE(problem_of("").empty());
}

TEST(Game, TellsWarnings) {
  std::ifstream file(kTicTacToe);
  const std::string rules((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(Game::from_text(rules).diagnostics().empty());
  EXPECT_FALSE(
      Game::from_text(rules + "\n(<= (unused ?x) (true (control ?x)))").diagnostics().empty());
}

/// Whether the game can be started with so much memory.
bool starts(const std::string& rules, const std::string& machine, std::size_t memory_bytes) {
  try {
    (void)Game::from_text(rules, {machine, memory_bytes}).initial_state();
    return true;
  } catch (const GameError&) {
    return false;
  }
}

TEST(Game, IsPlayedByTheInterpreterWhereANetworkHasTooManyMovesForTheMemory) {
  std::string rules =
      "(role a) (init (s 0)) (<= (legal a (m ?x ?y ?z)) (d ?x) (d ?y) (d ?z))"
      "(<= (next (s 1)) (does a (m v1 v1 ?z))) (<= terminal (true (s 1)))"
      "(<= (goal a 100) (true (s 1))) (<= (goal a 0) (not (true (s 1))))";
  for (int i = 0; i < 20; ++i) rules += "(d v" + std::to_string(i) + ")";
  int started = 0;
  for (std::size_t kb = 60; kb <= 1200; kb += 20) {
    const bool interpreted = starts(rules, "interpreter", kb << 10);
    started += interpreted ? 1 : 0;
    EXPECT_EQ(starts(rules, "auto", kb << 10), interpreted) << kb << " KB";
  }
  EXPECT_GT(started, 50);
}

TEST(Game, SaysWhatIsWrongWithFilesMachinesAndMemory) {
  EXPECT_THROW(Game::from_file("/nowhere/game.kif"), GameError);
  EXPECT_THROW(Game::from_file(kTicTacToe.parent_path()), GameError);
  GameOptions options;
  options.machine = "interpretr";
  try {
    Game::from_file(kTicTacToe, options);
    ADD_FAILURE() << "took the name of no machine";
  } catch (const GameError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'interpreter'"), std::string::npos)
        << error.what();
  }
  options.machine = "interpreter";
  options.memory_bytes = 1000;
  EXPECT_THROW((void)Game::from_file(kTicTacToe, options).initial_state(), GameError);
}

}  // namespace
}  // namespace ludens::gdl
