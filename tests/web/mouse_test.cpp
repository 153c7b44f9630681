// SPDX-License-Identifier: MIT
// A person with a mouse: whole matches of games of all kinds, every press and release of which is
// followed by what it should bring about.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/project_folder.h"
#include "tests/server/run_program.h"
#include "tests/web/play_test.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

/// A move, and the step for which it was made.
struct Made {
  std::size_t step;
  std::string move;
};

class Mouse : public PlayTest {
 protected:
  /// The button of a move that was looked up before.
  static std::string button(const std::string& list) {
    return "[...document.querySelectorAll('" + list +
           " button')].find((b) => b.textContent === plainMove(move))";
  }

  /// One of the legal moves, another one at each step; kept in the page as `move`.
  json::value pick() {
    return browser_->evaluate(
        "(() => { const t = live.turns.turn; const m = t.legal[(t.step * 7 + 3) % t.legal.length];"
        " window.move = m.move; window.step = t.step;"
        " return {step, move: m.move, squares: m.squares || [], line: !!m.line}; })()");
  }

  /// Makes a move by clicks alone, each of which must do something before the next.
  Made make_move() {
    const json::value wanted = pick();
    json::array squares = wanted.at("squares").as_array();
    if (wanted.at("line") == json::value(true)) squares.resize(1);
    const std::string made = "live.viewer.last > step || live.entry.match.end";
    if (squares.empty()) {
      click(button(".legal"));
    }
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const std::string target = square(squares[i].to_number<std::int64_t>());
      click(target);
      const bool done = i + 1 == squares.size();
      EXPECT_TRUE(browser_->wait_until(
          done ? made + " || live.turns.sent || !document.querySelector('.choices').hidden"
               : target + ".classList.contains('chosen')"))
          << "click " << i << " of " << wanted;
      EXPECT_EQ(board(), place_) << "behind click " << i << " of " << wanted;
    }
    if (browser_->evaluate("!document.querySelector('.choices').hidden") == json::value(true)) {
      click(button(".choices"));
    }
    EXPECT_TRUE(browser_->wait_until(made)) << wanted;
    return {wanted.at("step").to_number<std::size_t>(), std::string(wanted.at("move").as_string())};
  }

  void play_whole_match(const std::string& game, const Window& window,
                        const std::string& others = "--against random") {
    const std::string name = std::filesystem::path(game).stem().string();
    play("'" + game + "' --seed 5 " + others, window);
    std::vector<Made> clicked;
    while (wait_for_turn() && !HasFailure()) {
      if (clicked.empty()) place_ = board();
      if (clicked.size() == 1) screenshot("mouse_" + name);
      clicked.push_back(make_move());
      EXPECT_EQ(board(), place_) << "behind move " << clicked.size();
    }
    if (HasFailure()) return screenshot("mouse_failed_" + name);
    EXPECT_EQ(board(), place_);
    EXPECT_EQ(text("live.entry.match.end.completed"), "true");
    EXPECT_EQ(text("document.documentElement.scrollWidth <= innerWidth"), "true");
    expect_no_errors();
    click("document.querySelector('#close')");
    EXPECT_EQ(program_->wait_for_exit(), 0) << program_->output();
    expect_recorded(clicked);
  }

  /// The record of the match, which must hold what was clicked, and nothing else where there was a
  /// choice: moves that were made for the person would stand there as errors.
  void expect_recorded(const std::vector<Made>& clicked) {
    std::size_t records = 0;
    for (const auto& entry : std::filesystem::directory_iterator(records_)) {
      if (entry.path().extension() != ".json") continue;
      ++records;
      const ProgramRun replayed = run_program("replay '" + entry.path().string() + "'");
      EXPECT_EQ(replayed.code, 0) << replayed.output;
      std::ifstream file(entry.path());
      const json::value record = json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
      for (const auto& [step, move] : clicked) {
        EXPECT_EQ(record.at("moves").at(step).at(0).as_string(), move) << "step " << step;
      }
      for (const json::value& row : record.at("errors").as_array()) {
        EXPECT_EQ(row.at(0).as_string(), "");
      }
    }
    EXPECT_EQ(records, 1u);
  }
  std::string place_;  // of the board, when the match began
};

struct Game {
  std::string name;
  const char* kind;
  Window window;
  std::string others = "--against random";
};

const Game kGames[] = {
    {"connect_four", "dropping", {1200, 900, false}},
    {"breakthrough_small", "moving", {1200, 900, true}},
    {"hex_small", "hexagons", {390, 844, false}},
    {"bidding_tic_tac_toe", "choosing at once, and a board", {800, 600, false}},
    {"rock_paper_scissors", "choosing at once, no board", {390, 844, true}},
    {"nim", "heaps", {1000, 700, false}},
    {"goofspiel", "cards", {1200, 900, false}},
    {"three_player", "three players", {800, 600, true}},
    {"lights_out", "one player", {390, 844, false}, ""},
    {"amazons_small", "a move in stages", {1200, 700, false}},
    {"pig", "chance", {1000, 700, true}},
};

TEST_F(Mouse, PlaysWholeMatchesOfAllKindsOfGamesAndNoClickIsLost) {
  for (const Game& game : kGames) {
    SCOPED_TRACE(game.name + ": " + game.kind);
    play_whole_match(game.name, game.window, game.others);
    if (HasFailure()) return;
  }
}

TEST_F(Mouse, PlaysOnABoardOfBoards) {
  const auto file =
      std::filesystem::path(project_folder()) / "../shared/games/nineBoardTicTacToe.kif";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  play_whole_match(file.string(), {1200, 900, false});
}

}  // namespace
}  // namespace ludens::server
