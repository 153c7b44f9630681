// SPDX-License-Identifier: MIT
// What people can do at the page beside clicking, and what it shows when something goes wrong.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/web/fixed_port.h"
#include "tests/web/play_test.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

class HumanPage : public PlayTest {
 protected:
  void expect_message(const std::string& part) {
    EXPECT_TRUE(browser_->wait_until("live.turns.message.textContent.includes('" + part + "')"))
        << text("live.turns.message.textContent");
  }
  void expect_status(const std::string& part) {
    EXPECT_TRUE(
        browser_->wait_until("window.live && live.status.textContent.includes('" + part + "')"))
        << text("live.status.textContent");
  }
  void wait_for_step(int step) {
    EXPECT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === " +
                                     std::to_string(step)));
  }
  /// Why the matches ended that were broken off, and how many there are.
  std::multiset<std::string> ends() {
    std::multiset<std::string> reasons;
    for (const auto& entry : std::filesystem::directory_iterator(records_)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const json::value record = json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
      const json::value* reason = record.as_object().if_contains("x-endReason");
      reasons.insert(reason != nullptr ? std::string(reason->as_string()) : "");
    }
    return reasons;
  }
};

TEST_F(HumanPage, PiecesAreDraggedAndDropped) {
  play("breakthrough_small --against random --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  const std::string place = board();
  const std::string name = text("live.turns.turn.legal[0].move");
  const json::value move = browser_->evaluate("live.turns.turn.legal[0].squares");
  const std::string from = square(move.at(0).to_number<std::int64_t>());
  const std::string to = square(move.at(1).to_number<std::int64_t>());
  point(from);
  browser_->press_mouse();
  point(to);
  EXPECT_EQ(text("document.querySelectorAll('.ghost').length"), "1");
  EXPECT_EQ(text(from + ".classList.contains('chosen')"), "true");
  EXPECT_EQ(text(to + ".classList.contains('target')"), "true");
  screenshot("dragging");
  browser_->release_mouse();
  wait_for_step(2);
  EXPECT_EQ(text("live.entry.match.steps[1].moves[0]"), name);
  EXPECT_EQ(text("document.querySelectorAll('.ghost').length"), "0");
  EXPECT_EQ(board(), place);
  // Beside the board nothing is dropped; the piece stays chosen until Escape.
  const std::string other = "document.querySelector('.square.source')";
  point(other);
  browser_->press_mouse();
  browser_->move_mouse(5, 5);
  browser_->release_mouse();
  EXPECT_EQ(text("live.turns.choice.chosen.length"), "1");
  EXPECT_EQ(text("live.turns.turn.step"), "2");
  expect_no_errors();
}

TEST_F(HumanPage, IsPlayedByKeyboardAlone) {
  play("tic_tac_toe --against legal --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  const std::string on_board = "document.activeElement.dataset.square !== undefined";
  for (int tabs = 0; tabs < 30 && text(on_board) != "true"; ++tabs) browser_->press("Tab");
  ASSERT_EQ(text(on_board), "true");
  const auto at = [this] { return text("Number(document.activeElement.dataset.square)"); };
  const auto go = [&](const std::string& wanted) {  // row by row, from the upper left corner
    for (const char* back : {"ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"}) browser_->press(back);
    for (int i = 0; i < 2 && std::stoi(at()) / 3 < std::stoi(wanted) / 3; ++i) {
      browser_->press("ArrowDown");
    }
    while (at() != wanted) browser_->press("ArrowRight");
  };
  for (int step = 0; wait_for_turn() && !HasFailure(); step += 2) {
    EXPECT_EQ(text("document.activeElement.getAttribute('role')"), "\"button\"");
    go(text("live.turns.turn.legal[0].squares[0]"));
    EXPECT_EQ(
        text("document.activeElement.getAttribute('aria-label').includes('empty, can be chosen')"),
        "true");
    browser_->press("Enter");
    ASSERT_TRUE(browser_->wait_until("live.viewer.last > " + std::to_string(step)));
  }
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  expect_no_errors();
}

TEST_F(HumanPage, MovesAreTakenBackAndHintsGiven) {
  play("connect_four --against random --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  const std::string place = board();
  EXPECT_EQ(text("live.turns.buttons.undo.disabled"), "true");
  for (int step = 0; step < 4; step += 2) {
    wait_for_step(step);
    click("document.querySelector('.square.line')");
    wait_for_step(step + 2);
  }
  const std::string before = text("live.entry.match.steps.slice(0, 3)");
  click("document.querySelector('#undo')");
  wait_for_step(2);
  EXPECT_EQ(text("live.entry.match.steps.length"), "3");
  EXPECT_EQ(text("live.entry.match.steps.map((s) => s.moves)"),
            text("(" + before + ").map((s) => s.moves)"));
  click("document.querySelector('#undo')");
  wait_for_step(0);
  click("document.querySelector('#hint')");
  expect_message("Hint: drop ");
  EXPECT_EQ(text("document.querySelectorAll('.legal .hinted').length"), "1");
  EXPECT_EQ(text("document.querySelectorAll('.square.hint').length"), "6");
  screenshot("hint");
  click("document.querySelector('.legal .hinted')");
  wait_for_step(2);
  EXPECT_EQ(board(), place);
  EXPECT_EQ(text("live.matches.size"), "1");
  expect_no_errors();
  EXPECT_EQ(ends(), (std::multiset<std::string>{"", "taken back", "taken back"}));
}

TEST_F(HumanPage, AMoveIsTakenBackWhileTheOthersThink) {
  play("connect_four --against mcts --start-clock 0 --play-clock 3000", {});
  ASSERT_TRUE(wait_for_turn());
  click("document.querySelector('.square.line')");
  EXPECT_TRUE(browser_->wait_until("live.turns.title.textContent === 'yellow thinks'"));
  EXPECT_TRUE(browser_->wait_until("/^[45]\\d:\\d\\d$/.test(live.turns.clock.textContent)"));
  click("document.querySelector('#undo')");
  wait_for_step(0);
  EXPECT_EQ(text("live.entry.match.steps.length"), "1");
  EXPECT_EQ(ends(), (std::multiset<std::string>{"", "taken back"}));
  expect_no_errors();
}

TEST_F(HumanPage, ARematchMayChangeSides) {
  play("tic_tac_toe --against random --as o --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  EXPECT_EQ(text("live.entry.match.roles.map((r) => !!r.human)"), "[false,true]");
  EXPECT_EQ(text("live.turns.title.textContent"), "\"Your move, o\"");
  while (wait_for_turn() && !HasFailure()) {
    const std::string step = text("live.viewer.last");
    click("document.querySelector('.square.target')");
    ASSERT_TRUE(browser_->wait_until("live.viewer.last > " + step));
  }
  screenshot("match_over");
  browser_->resize(390, 844, true);
  screenshot("match_over_phone");
  EXPECT_EQ(text("live.turns.title.textContent.length > 5"), "true");
  click("document.querySelector('.swap')");
  EXPECT_TRUE(browser_->wait_until("live.entry.running && live.turns.turn"));
  EXPECT_EQ(text("live.entry.match.roles.map((r) => !!r.human)"), "[true,false]");
  click("document.querySelector('.square.target')");
  wait_for_step(2);
  // After the end, the last choice can be taken back, too.
  click("document.querySelector('#resign')");
  click("document.querySelector('#resign')");
  EXPECT_TRUE(browser_->wait_until("!live.entry.running"));
  click("document.querySelector('#undo')");
  wait_for_step(0);
  click("document.querySelector('#resign')");
  click("document.querySelector('#resign')");
  EXPECT_TRUE(browser_->wait_until("!live.entry.running"));
  click("document.querySelector('#restart')");
  EXPECT_TRUE(browser_->wait_until("live.entry.running && live.turns.turn"));
  EXPECT_EQ(text("live.entry.match.roles.map((r) => !!r.human)"), "[true,false]");
  expect_no_errors();
}

TEST_F(HumanPage, ANewMatchIsShownAfterOldOnesWereLookedAt) {
  play("tic_tac_toe --against random --seed 5", {});
  const auto lose = [&] {
    wait_for_step(0);
    click("document.querySelector('.square.target')");
    wait_for_step(2);
    click("document.querySelector('#resign')");
    click("document.querySelector('#resign')");
    ASSERT_TRUE(browser_->wait_until("!live.entry.running"));
  };
  lose();
  click("document.querySelector('#restart')");
  for (const char* button : {"#restart", "#undo"}) {
    lose();
    click("document.querySelector('.tabs button:first-child')");
    EXPECT_TRUE(browser_->wait_until("live.shown === [...live.matches.keys()][0]"));
    click("document.querySelector('.tabs button:last-child')");
    EXPECT_TRUE(browser_->wait_until("live.shown === [...live.matches.keys()].pop()"));
    click(std::string("document.querySelector('") + button + "')");
    ASSERT_TRUE(browser_->wait_until("live.entry.running && live.turns.turn")) << button;
  }
  expect_no_errors();
}

TEST_F(HumanPage, CountsDownWhilePlayersGetReady) {
  play("connect_four --against mcts --start-clock 3000", {});
  ASSERT_TRUE(browser_->wait_until(
      "window.live && live.turns.title.textContent === 'The players get ready'"));
  ASSERT_TRUE(browser_->wait_until("/^\\d+:\\d\\d$/.test(live.turns.clock.textContent)"));
  const std::string first = text("live.turns.clock.textContent");
  EXPECT_TRUE(browser_->wait_until("live.turns.clock.textContent !== " + first));
  click("document.querySelector('[data-square]')");  // too early: the page says so
  expect_message("It is not your turn yet.");
  expect_no_errors();
}

TEST_F(HumanPage, SaysWhatWasPlayedWhenTheClockRanOut) {
  play("chess --against random --human-clock 1", {});
  ASSERT_TRUE(browser_->wait_until("window.live && live.viewer && live.viewer.last >= 1"));
  expect_message("Your time was over: move ");
  const json::value late = browser_->evaluate(
      "new Promise((done) => live.post('/move', {id: live.entry.match.id, role: 0, step: 0,"
      " move: '( move e 2 e 4 )'}, (why, status) => done([status, why])))");
  EXPECT_EQ(late.at(0), json::value(409)) << late;
}

TEST_F(HumanPage, APositionOfThePastIsLeftByAClick) {
  play("tic_tac_toe --against random --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  click("document.querySelector('.square.target')");
  wait_for_step(2);
  browser_->press("Home");
  EXPECT_EQ(text("live.viewer.at"), "0");
  EXPECT_EQ(text("document.querySelectorAll('.square.target').length"), "0");
  click("document.querySelector('[data-square]')");
  EXPECT_EQ(text("live.viewer.at"), "2");
  expect_message("This is the present position");
  EXPECT_EQ(text("document.querySelectorAll('.square.target').length > 0"), "true");
  expect_no_errors();
}

/// Two things can be put on each square, three times.
constexpr const char* kPieces = R"((role solo)
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (succ 3 4) (thing king) (thing queen)
(<= (init (cell ?x ?y blank)) (index ?x) (index ?y)) (init (step 1))
(<= (legal solo (put ?x ?y ?t)) (true (cell ?x ?y blank)) (thing ?t))
(<= (next (cell ?x ?y ?t)) (does solo (put ?x ?y ?t)))
(<= (next (cell ?x ?y ?t)) (true (cell ?x ?y ?t)) (does solo (put ?a ?b ?c)) (or (distinct ?x ?a) (distinct ?y ?b)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4))) (goal solo 100))";

TEST_F(HumanPage, SeveralMovesToOneSquareAreAskedFor) {
  const std::string game = (folder_.path() / "pieces.kif").string();
  std::ofstream(game) << kPieces;
  play("'" + game + "'", {});
  ASSERT_TRUE(wait_for_turn());
  click("document.querySelector('.square.target')");
  expect_message("Several moves");
  EXPECT_EQ(text("document.querySelectorAll('.choices button').length"), "2");
  screenshot("choices");
  const std::string chosen = text("document.querySelectorAll('.choices button')[1].textContent");
  click("document.querySelectorAll('.choices button')[1]");
  wait_for_step(1);
  EXPECT_EQ(text("plainMove(live.entry.match.steps[1].moves[0])"), chosen);
  EXPECT_EQ(text("document.querySelector('.choices').hidden"), "true");
  expect_no_errors();
}

/// Neighbours on a line are linked, three times; each can be the first or the second.
constexpr const char* kLinks = R"((role solo)
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (init (cell ?x ?y dot)) (index ?x) (index ?y)) (init (step 1))
(<= (legal solo (link ?x ?a ?x ?b)) (index ?x) (beside ?a ?b))
(<= (beside ?a ?b) (succ ?a ?b) (index ?b)) (<= (beside ?a ?b) (succ ?b ?a) (index ?a))
(<= (next (cell ?x ?y dot)) (true (cell ?x ?y dot)))
(<= (next (linked ?x ?a ?y ?b)) (does solo (link ?x ?a ?y ?b)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4))) (goal solo 100))";

TEST_F(HumanPage, ADragBeginsAMoveAndEndsNone) {
  const std::string game = (folder_.path() / "links.kif").string();
  std::ofstream(game) << kLinks;
  play("'" + game + "'", {});
  ASSERT_TRUE(wait_for_turn());
  const json::value ends = browser_->evaluate(
      "['1 1', '1 2', '1 3'].map((place) => live.turns.turn.legal.find((move) =>"
      " move.move.startsWith(`( link ${place} `)).squares[0])");
  const std::string a = square(ends.at(0).to_number<std::int64_t>());
  const std::string b = square(ends.at(1).to_number<std::int64_t>());
  const std::string c = square(ends.at(2).to_number<std::int64_t>());
  click(a);
  expect_message("Now choose where to.");
  point(b);
  browser_->press_mouse();
  point(c);
  browser_->release_mouse();
  wait_for_step(1);
  EXPECT_EQ(text("live.entry.match.steps[1].moves[0]"), "\"( link 1 2 1 3 )\"");
  // A hand that is not still clicks nevertheless.
  click(a);
  point(b);
  browser_->press_mouse();
  const json::value place = browser_->evaluate(
      "(({left, top, width, height}) => [left + width / 2 + 10, top + height / 2])(" + b +
      ".getBoundingClientRect())");
  browser_->move_mouse(place.at(0).to_number<double>(), place.at(1).to_number<double>());
  browser_->release_mouse();
  wait_for_step(2);
  EXPECT_EQ(text("live.entry.match.steps[2].moves[0]"), "\"( link 1 1 1 2 )\"");
  expect_no_errors();
}

TEST_F(HumanPage, SaysWhoHasWonWhereSeveralMay) {
  play("nim --against legal", {});
  ASSERT_TRUE(wait_for_turn());
  const auto outcome = [&](const std::string& goals) {
    return text(
        "live.turns.outcome.call({entry: {match: {roles: [{name: 'a', human: true}, {name: 'b'}, "
        "{name: 'c'}], end: {completed: true, goals: " +
        goals + "}}}})");
  };
  EXPECT_EQ(outcome("[50, 50, 0]"), "\"A draw\"");
  EXPECT_EQ(outcome("[0, 0, 0]"), "\"A draw\"");
  EXPECT_EQ(outcome("[60, 50, 0]"), "\"You have won\"");
  EXPECT_EQ(outcome("[60, 0, 70]"), "\"You have lost\"");
  EXPECT_EQ(outcome("[100, 100, 0]"), "\"You have won, and so has b\"");
  EXPECT_EQ(outcome("[100, 100, 100]"), "\"You have won, and so have b and c\"");
}

TEST_F(HumanPage, ChanceIsNoOpponent) {
  play("monty_hall --seed 5", {});
  while (wait_for_turn() && !HasFailure()) {
    const std::string step = text("live.viewer.last");
    browser_->evaluate("live.turns.play(live.turns.turn.legal[0])");
    ASSERT_TRUE(browser_->wait_until("live.viewer.last > " + step + " || live.entry.match.end"));
  }
  EXPECT_TRUE(browser_->wait_until("live.turns.title.textContent.startsWith('You have reached')"))
      << text("live.turns.title.textContent");
  expect_no_errors();
}

/// A browser has six connections to a host, and each tab keeps one.
TEST_F(HumanPage, SaysThatOtherTabsKeepTheConnections) {
  play("tic_tac_toe --against random --seed 5", {});
  ASSERT_TRUE(wait_for_turn());
  const std::string page(browser_->evaluate("location.href").as_string());
  std::vector<std::unique_ptr<Browser>> tabs;
  for (int tab = 0; tab < 5; ++tab) {
    tabs.push_back(browser_->new_tab());
    tabs.back()->open(page);
    ASSERT_TRUE(tabs.back()->wait_until("window.live && live.ready"));
  }
  browser_->to_front();
  click("document.querySelector('.square.target')");
  expect_message("Close other tabs of this page");
  tabs.back()->open("about:blank");
  click("document.querySelector('.square.target')");
  wait_for_step(2);
}

TEST_F(HumanPage, ComesBackWhenTheProgramDoes) {
  const std::string port = std::to_string(fixed_port());
  play("tic_tac_toe --against random --seed 5 --port " + port, {});
  ASSERT_TRUE(wait_for_turn());
  program_.reset();
  expect_status("The connection is lost");
  click("document.querySelector('.square.target')");
  expect_message("There is no connection");
  program_ =
      std::make_unique<BackgroundProgram>("play tic_tac_toe --against random --no-browser --port " +
                                          port + " --out '" + records_.string() + "'");
  const std::string url = program_->wait_for("http://[0-9.:]+/[^ \n]*");
  expect_status("The program was started again");
  EXPECT_TRUE(browser_->wait_until("window.live && live.connected && live.turns.turn"));
  click("document.querySelector('.square.target')");
  expect_message("may only watch");  // the token in its address was another one's
  browser_->open(url);
  ASSERT_TRUE(wait_for_turn());
  click("document.querySelector('.square.target')");
  wait_for_step(2);
}

}  // namespace
}  // namespace ludens::server
