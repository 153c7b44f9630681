// SPDX-License-Identifier: MIT
// Pages in a real browser: the report from disk, the live page, and a person who plays.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "tests/server/background_program.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"
#include "tests/web/page_test.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
class Pages : public PageTest {
 protected:
  void expect_keys_left_to_others();
};

/// Nothing has to be pushed aside to be read.
constexpr const char* kTablesFit =
    "[...document.querySelectorAll('.scroll, .moves')].every((n) => n.scrollWidth <= "
    "n.clientWidth)";
constexpr const char* kPosition = "document.querySelector('.position').textContent";

/// Whether a key that is pressed there keeps its meaning.
std::string is_left(const std::string& node, const std::string& key) {
  return node + ".dispatchEvent(new KeyboardEvent('keydown', {key: '" + key +
         "', bubbles: true, cancelable: true}))";
}

TEST_F(Pages, AReportOpensFromDiskAndIsReadByKeyboard) {
  const std::string out = folder_.path().string();
  for (const char* match : {"connect_four --player mcts:playouts=30 --player mcts:playouts=30",
                            "checkers --player random --player random --step-cap 30"}) {
    run_program("match " + std::string(match) + " --seed 7 --quiet --out '" + out + "/m'");
  }
  const ProgramRun run = run_program("report '" + out + "/m' --out '" + out + "/r.html'");
  ASSERT_EQ(run.code, 0) << run.output;

  for (const bool dark : {false, true}) {
    for (const int width : {1200, 1000, 390}) {
      browser_->resize(width, 900, dark);
      browser_->open("file://" + out + "/r.html");
      screenshot(std::string("report_") + (dark ? "dark_" : "light_") + std::to_string(width));
      EXPECT_EQ(text("document.documentElement.scrollWidth <= innerWidth"), "true")
          << "the page is wider than the window of " << width;
      EXPECT_EQ(text(kTablesFit), "true") << "a table is wider than its place at " << width;
      expect_no_errors();
    }
  }
  browser_->resize(1200, 900, false);
  browser_->open("file://" + out + "/r.html");
  const json::value last = browser_->evaluate("document.querySelector('.buttons input').max");
  const std::string end(last.as_string());
  browser_->evaluate("document.querySelector('.viewer').focus()");
  EXPECT_EQ(text(kPosition), "\"" + end + " / " + end + "\"") << "it opens at the end";
  browser_->press("Home");
  EXPECT_EQ(text(kPosition), "\"0 / " + end + "\"");
  browser_->press("ArrowRight");
  browser_->press("ArrowRight");
  browser_->press("ArrowLeft");
  EXPECT_EQ(text(kPosition), "\"1 / " + end + "\"");
  EXPECT_EQ(text("document.querySelectorAll('.pieces .thing').length > 0"), "true");
  browser_->press("End");
  EXPECT_EQ(text(kPosition), "\"" + end + " / " + end + "\"");
  browser_->press("Home");
  EXPECT_EQ(text(kPosition), "\"0 / " + end + "\"");
  browser_->click(".list tbody tr:nth-child(2)");
  EXPECT_TRUE(
      browser_->wait_until("document.querySelector('.list .here') === "
                           "document.querySelector('.list tbody tr:nth-child(2)')"));
  browser_->evaluate("document.querySelector('.list tbody tr:nth-child(1) a').focus()");
  browser_->press("Enter");
  EXPECT_TRUE(
      browser_->wait_until("document.querySelector('.list .here') === "
                           "document.querySelector('.list tbody tr:nth-child(1)')"));
  EXPECT_EQ(text("document.activeElement.className"), "\"viewer\"");
  expect_no_errors();
}

TEST_F(Pages, WhoWaitsTakesNoColumnOfTheMoves) {
  const std::string out = folder_.path().string();
  for (const char* game : {"tic_tac_toe", "rock_paper_scissors", "three_player"}) {
    run_program("match " + std::string(game) + " --player random --player random" +
                (game[1] == 'h' ? " --player random" : "") + " --seed 7 --quiet --out '" + out +
                "/" + game + "'");
    run_program("report '" + out + "/" + game + "' --out '" + out + "/" + game + ".html'");
    browser_->resize(1000, 900, false);
    browser_->open("file://" + out + "/" + game + ".html");
    const std::string columns = text("document.querySelectorAll('.moves thead th').length");
    const bool in_turn = std::string(game) != "rock_paper_scissors";
    EXPECT_EQ(columns, in_turn ? "2" : "3") << game;
    EXPECT_EQ(text("document.querySelector('.moves').textContent.includes('noop')"), "false");
    // Each step has its row, with the move of the one who moved.
    EXPECT_EQ(text("[...document.querySelectorAll('.moves tbody tr')].every((row) => "
                   "row.querySelectorAll('.move').length === " +
                   std::string(in_turn ? "1" : "2") + ")"),
              "true")
        << game;
    expect_no_errors();
  }
}

TEST_F(Pages, MovesAndFactsAreInTheLanguageOfTheSheet) {
  const std::string out = folder_.path().string();
  run_program(
      "match tests/gdl/hrf/games/harvest.hrf --player random --player random --seed 7 --quiet "
      "--out '" +
      out + "/m'");
  run_program("report '" + out + "/m' --out '" + out + "/r.html'");
  browser_->open("file://" + out + "/r.html");
  EXPECT_EQ(text("document.querySelectorAll('.moves thead th').length"), "2");
  EXPECT_EQ(text("[...document.querySelectorAll('.moves .move')].every((move) => "
                 "/^[a-z]+([(].*[)])?$/.test(move.textContent))"),
            "true")
      << text("document.querySelector('.moves').textContent");
  EXPECT_EQ(text("document.querySelector('.moves').textContent.includes('noop')"), "false");
  expect_no_errors();
}

TEST_F(Pages, MatchesWithOneIdHaveTheirOwnAddresses) {
  const std::string out = folder_.path().string();
  run_program("match tic_tac_toe --player random --player random --seed 7 --quiet --out '" + out +
              "/m'");
  std::string name;
  for (const auto& entry : std::filesystem::directory_iterator(out + "/m")) {
    if (entry.path().extension() == ".json") name = entry.path().filename().string();
  }
  std::filesystem::create_directories(out + "/other");
  std::ifstream record(out + "/m/" + name);
  const std::string content{std::istreambuf_iterator<char>(record), {}};
  // Another player at the same table.
  std::ofstream(out + "/other/" + name)
      << std::regex_replace(content, std::regex("\"random\""), "\"another\"");
  const ProgramRun run =
      run_program("report '" + out + "/m' '" + out + "/other' --out '" + out + "/r.html' 2>&1");
  ASSERT_EQ(run.code, 0) << run.output;
  browser_->open("file://" + out + "/r.html");
  EXPECT_EQ(text("document.querySelectorAll('.list tbody tr').length"), "2");
  EXPECT_EQ(text("document.querySelectorAll('.list .place').length"), "2");
  const auto player = [&](const std::string& address) {
    browser_->evaluate("location.hash = '" + address + "'");
    browser_->wait_until(std::string(kPosition) + ".startsWith('1 /')");
    return text("document.querySelector('.who small').textContent");
  };
  const std::string id = name.substr(0, name.size() - 5);
  EXPECT_EQ(player(id + "/1"), "\"random\"");
  EXPECT_EQ(player(id + "~2/1"), "\"another\"");
  expect_no_errors();
}

TEST_F(Pages, AReportOpensWithAFinishedMatchWhateverItsAddressSays) {
  const std::string out = folder_.path().string();
  for (const char* options : {" --step-cap 2", ""}) {
    run_program("match tic_tac_toe --player random --player random --quiet --out '" + out + "/m'" +
                options);
  }
  const ProgramRun run = run_program("report '" + out + "/m' --out '" + out + "/r.html' 2>&1");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto row = [](int number) {
    return "document.querySelector('.list tbody tr:nth-child(" + std::to_string(number) + ")')";
  };
  for (const char* address : {"", "#%", "#no%20such/7"}) {
    browser_->open("about:blank");
    browser_->open("file://" + out + "/r.html" + address);
    EXPECT_EQ(text("document.querySelectorAll('.list tbody tr').length"), "2") << address;
    EXPECT_EQ(text(row(2) + ".classList.contains('here')"), "true") << address;
    expect_no_errors();
  }
  const std::string game = "\"tic_tac_toe\"";
  EXPECT_EQ(text(row(1) + ".querySelector('[data-title=game]').textContent"), game);
  const auto steps = [&] {
    return text(row(1) + ".querySelector('[data-title=steps]').textContent");
  };
  EXPECT_EQ(steps(), "\"2\"");
  const std::string title = "document.querySelectorAll('.list th button')[4]";
  browser_->evaluate(title + ".click()");
  EXPECT_EQ(steps(), "\"2\"");
  browser_->evaluate(title + ".click()");
  EXPECT_NE(steps(), "\"2\"");
  EXPECT_EQ(text(title + ".parentNode.getAttribute('aria-sort')"), "\"descending\"");
}

/// A test of two players, one of which plays by chance.
constexpr const char* kTournament = R"(<?xml version="1.0" encoding="UTF-8"?>
<tournament>
  <name>pages</name>
  <format>head-to-head</format>
  <rounds>6</rounds>
  <seed>3</seed>
  <start-clock>1</start-clock>
  <sprt elo0="0" elo1="200"/>
  <player name="searcher">mcts:playouts=60</player>
  <player name="chance">random</player>
  <game>tic_tac_toe</game>
  <game>connect_four_small</game>
</tournament>
)";

TEST_F(Pages, AReportOfATournamentShowsWhoIsBetterAndEveryMatch) {
  const std::string out = folder_.path().string();
  std::ofstream(out + "/t.xml") << kTournament;
  const ProgramRun played =
      run_program("tournament '" + out + "/t.xml' --out '" + out + "/t' 2>&1");
  ASSERT_EQ(played.code, 0) << played.output;
  const ProgramRun run = run_program("report '" + out + "/t' --out '" + out + "/t.html' 2>&1");
  ASSERT_EQ(run.code, 0) << run.output;
  for (const bool dark : {false, true}) {
    for (const int width : {1200, 1000, 390}) {
      browser_->resize(width, 1600, dark);
      browser_->open("file://" + out + "/t.html");
      EXPECT_TRUE(browser_->wait_until("document.querySelectorAll('.plot canvas').length >= 2"));
      screenshot(std::string("tournament_") + (dark ? "dark_" : "light_") + std::to_string(width));
      EXPECT_EQ(text("document.documentElement.scrollWidth <= innerWidth"), "true")
          << "the page is wider than the window of " << width;
      EXPECT_EQ(text(kTablesFit), "true") << "a table is wider than its place at " << width;
      expect_no_errors();
    }
  }
  EXPECT_EQ(text("document.querySelector('.tables tbody tr').textContent.includes('searcher')"),
            "true");
  EXPECT_GE(browser_->evaluate("document.querySelectorAll('svg.interval').length").to_number<int>(),
            2);
  EXPECT_EQ(text("document.querySelectorAll('details.game').length"), "2");
  EXPECT_EQ(browser_->evaluate("document.querySelectorAll('.list tbody tr').length"),
            browser_->evaluate("JSON.parse(document.getElementById('data').textContent)"
                               ".tournaments[0].summary.matches"));
  expect_keys_left_to_others();
}

/// The viewer takes only two keys that are pressed elsewhere.
void Pages::expect_keys_left_to_others() {
  EXPECT_EQ(text(is_left("document.querySelector('details.game summary')", " ")), "true");
  for (const char* key : {" ", "PageUp", "PageDown", "Home", "End"}) {
    EXPECT_EQ(text(is_left("document.body", key)), "true") << key;
    EXPECT_EQ(text(is_left("document.querySelector('.viewer')", key)), "false") << key;
  }
  EXPECT_EQ(text(is_left("document.body", "ArrowLeft")), "false");
}

TEST_F(Pages, TheLivePageFollowsATournament) {
  const std::string out = folder_.path().string();
  std::string plan = std::regex_replace(kTournament, std::regex("<sprt.*/>"), "");
  plan = std::regex_replace(plan, std::regex("<rounds>6"), "<rounds>1000");
  std::ofstream(out + "/t.xml") << std::regex_replace(plan, std::regex("playouts=60"),
                                                      "seconds=0.1");
  BackgroundProgram tournament("tournament '" + out + "/t.xml' --out '" + out + "/t' --watch 0");
  browser_->open(tournament.wait_for("http://[0-9.:]+/"));
  EXPECT_TRUE(browser_->wait_until("window.live && live.viewer && live.viewer.last >= 1"));
  EXPECT_TRUE(browser_->wait_until("live.matches.size >= 2"));
  EXPECT_TRUE(
      browser_->wait_until("[...document.querySelectorAll('.tournament td')].some((c) => "
                           "/searcher/.test(c.textContent))"));
  screenshot("live_tournament");
  expect_no_errors();
}

/// Has the page follow what the test tells it, counts charts, and keeps the tournament's document.
constexpr const char* kFedStandings = R"JS(new Promise((resolve) => {
  window.charts = 0;
  window.Dygraph = class extends Dygraph {
    constructor(...given) { super(...given); ++charts; }
    destroy() { --charts; super.destroy(); }
  };
  window.feed = {open(names, tell) { this.tell = tell; }};
  const events = new EventSource("events");
  events.addEventListener("tournament", (event) => {
    events.close();
    live.source.events.close();
    document.querySelectorAll(".plot").forEach((plot) => plot.chart.end());
    document.querySelector("main").replaceChildren();
    window.live = new LivePage({title: "live", run: 1}, feed);
    feed.tell("hello", {run: 1});
    window.known = JSON.parse(event.data);
    resolve(true);
  });
}))JS";

TEST_F(Pages, NewStandingsTakeThePlaceOfOldOnes) {
  const std::string out = folder_.path().string();
  std::string plan = std::regex_replace(kTournament, std::regex("<sprt.*/>"), "");
  plan = std::regex_replace(plan, std::regex("<rounds>6"), "<rounds>1000");
  std::ofstream(out + "/t.xml") << std::regex_replace(plan, std::regex("playouts=60"),
                                                      "seconds=0.1");
  BackgroundProgram tournament("tournament '" + out + "/t.xml' --out '" + out + "/t' --watch 0");
  browser_->open(tournament.wait_for("http://[0-9.:]+/"));
  ASSERT_TRUE(browser_->wait_until("document.querySelector('.plot canvas')"));
  browser_->evaluate(kFedStandings);
  for (int times = 0; times < 3; ++times) {
    browser_->evaluate("feed.tell('tournament', known)");
    ASSERT_TRUE(browser_->wait_until("document.querySelector('.plot canvas')"));
  }
  EXPECT_EQ(text("[charts, document.querySelectorAll('.plot').length]"), "[1,1]");
  browser_->click("details.game:nth-of-type(2) summary");
  ASSERT_TRUE(browser_->wait_until("document.querySelector('details.game[open]')"));
  // Before its charts are drawn, too.
  browser_->evaluate("feed.tell('tournament', known), feed.tell('tournament', known)");
  EXPECT_EQ(text("[...document.querySelectorAll('details.game')].map((game) => game.open)"),
            "[false,true]");
  ASSERT_TRUE(browser_->wait_until("document.querySelector('.plot canvas')"));
  EXPECT_EQ(text("charts"), "1");
  expect_no_errors();
}

TEST_F(Pages, TheLivePageFollowsWhatIsServed) {
  BackgroundProgram player(
      "serve --port 0 --watch 0 --strategy random --journal off --margin-ms 200");
  const std::string page =
      player.wait_for("watch at http://[0-9.:]+/").substr(std::string("watch at ").size());
  const std::string url = player.wait_for("listens on http://[0-9.:]+/");
  const std::string port = url.substr(url.rfind(':') + 1);  // and a slash
  browser_->open(page);
  ASSERT_TRUE(browser_->wait_until("window.live && live.ready"));
  const ProgramRun run =
      run_program("match tic_tac_toe --player http://127.0.0.1:" + port +
                  " --player random --seed 2 --quiet --out '" + folder_.path().string() + "' 2>&1");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(browser_->wait_until("live.entry && live.entry.match.end"));
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  EXPECT_EQ(text("live.viewer.last >= 5"), "true");
  expect_no_errors();
}

/// A browser has six connections to a program.
TEST_F(Pages, TabsThatNobodySeesLeaveTheirConnectionsToOthers) {
  BackgroundProgram player(
      "serve --port 0 --watch 0 --strategy random --journal off --margin-ms 200");
  const std::string page =
      player.wait_for("watch at http://[0-9.:]+/").substr(std::string("watch at ").size());
  const std::string url = player.wait_for("listens on http://[0-9.:]+/");
  const auto play = [&] {
    const ProgramRun run = run_program(
        "match tic_tac_toe --player " + url.substr(std::string("listens on ").size()) +
        " --player random --seed 2 --quiet --out '" + folder_.path().string() + "' 2>&1");
    EXPECT_EQ(run.code, 0) << run.output;
  };
  browser_->open(page);
  play();
  ASSERT_TRUE(browser_->wait_until("live.entry && live.entry.match.end"));
  browser_->evaluate("live.viewer.go(1)");
  std::vector<std::unique_ptr<Browser>> tabs;
  for (int tab = 0; tab < 7; ++tab) {
    tabs.push_back(browser_->new_tab());
    tabs.back()->open(page);
    ASSERT_TRUE(tabs.back()->wait_until("window.live && live.ready")) << tab;
  }
  play();
  browser_->to_front();
  EXPECT_TRUE(browser_->wait_until("live.ready && live.matches.size === 2"));
  EXPECT_EQ(text("live.viewer.at"), "1");
  expect_no_errors();
}

TEST_F(Pages, TheLivePageFollowsARunningMatch) {
  BackgroundProgram match(
      "match breakthrough_small --player mcts:seconds=3 "
      "--player mcts:seconds=3 --start-clock 1 --quiet --watch 0 --out '" +
      folder_.path().string() + "'");
  const std::string url = match.wait_for("http://[0-9.:]+/\\?token=[0-9a-f]{32}");
  browser_->open(url);
  EXPECT_TRUE(browser_->wait_until("window.live && live.viewer && live.viewer.last >= 1"));
  const std::int64_t before = browser_->evaluate("live.viewer.last").to_number<std::int64_t>();
  EXPECT_TRUE(browser_->wait_until("live.viewer.last > " + std::to_string(before) +
                                   " || live.entry.match.end"));
  EXPECT_EQ(text("live.viewer.at === live.viewer.last"), "true");
  screenshot("live");
  expect_no_errors();  // before the match ends: a stream that breaks off is one
}

/// Clicks on a column that is still open until the match has ended.
void play_to_the_end(Browser& browser) {
  for (int moves = 0; moves < 30; ++moves) {
    ASSERT_TRUE(browser.wait_until("live.turns.turn || (live.entry && live.entry.match.end)"));
    if (browser.evaluate("!!live.entry.match.end") == json::value(true)) return;
    const std::int64_t step = browser.evaluate("live.turns.turn.step").to_number<std::int64_t>();
    browser.click("rect.line");
    ASSERT_TRUE(browser.wait_until("(live.viewer.last > " + std::to_string(step) +
                                   ") || live.entry.match.end"));
  }
}

TEST_F(Pages, APersonPlaysAWholeMatchWhoseRecordReplays) {
  BackgroundProgram match(
      "match connect_four --player human --player mcts:playouts=50 --seed 5 "
      "--quiet --watch 0 --out '" +
      folder_.path().string() + "'");
  browser_->open(match.wait_for("http://[0-9.:]+/\\?token=[0-9a-f]{32}"));
  ASSERT_TRUE(browser_->wait_until("live.turns.turn"));
  screenshot("human");
  browser_->resize(390, 844, true);
  screenshot("human_phone");
  browser_->resize(1200, 900, false);
  play_to_the_end(*browser_);
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  screenshot("human_end");
  expect_no_errors();
  browser_->click("#close");
  EXPECT_EQ(match.wait_for_exit(), 0) << match.output();
  std::size_t records = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() != ".json") continue;
    ++records;
    const ProgramRun replayed = run_program("replay '" + entry.path().string() + "'");
    EXPECT_EQ(replayed.code, 0) << replayed.output;
  }
  EXPECT_EQ(records, 1u);
}

TEST_F(Pages, APersonSearchesTheListResignsAndPlaysAgain) {
  BackgroundProgram match("match chess --player human --player random --quiet --watch 0 --out '" +
                          folder_.path().string() + "'");
  browser_->open(match.wait_for("http://[0-9.:]+/\\?token=[0-9a-f]{32}"));
  ASSERT_TRUE(browser_->wait_until("live.turns.turn"));
  EXPECT_EQ(text("live.turns.turn.legal.length"), "20");
  browser_->evaluate("live.turns.search.value = 'e 2 e 4'; live.turns.list()");
  EXPECT_EQ(text("live.turns.moves.children.length"), "1");
  browser_->click(".legal button");
  ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 2"));
  browser_->click("#resign");
  EXPECT_EQ(text("live.turns.buttons.resign.textContent"), "\"Really?\"");
  browser_->click("#resign");
  ASSERT_TRUE(browser_->wait_until("live.entry.match.end"));
  EXPECT_EQ(text("live.entry.match.end.reason"), "\"role white resigned\"");
  browser_->click("#restart");
  ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 0"));
  expect_no_errors();
}

}  // namespace
}  // namespace ludens::server
