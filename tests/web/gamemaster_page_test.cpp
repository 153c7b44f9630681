// SPDX-License-Identifier: MIT
// Whole matches of the page that plays on Gamemaster, in a browser, with `ludens serve` behind it.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "tests/server/background_program.h"
#include "tests/web/fixed_port.h"
#include "tests/web/page_test.h"
#include "tests/web/venue.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

class GamemasterPage : public PageTest {
 protected:
  void serve() {
    program_ = std::make_unique<BackgroundProgram>("serve --port " + std::to_string(port_) +
                                                   " --threads 1 --margin-ms 500 --strategy " +
                                                   strategy_ + " --gamemaster " + venue_.origin());
    key_ = program_->wait_for("http://[0-9.:]+/gamemaster#[0-9a-f]+");
  }
  /// The manager's page, with the player's beside it, which was given its key.
  void open_manager() {
    state_.emplace("XDG_STATE_HOME", folder_.path().string());
    serve();
    browser_->resize(1200, 900, false);
    browser_->open(venue_.origin() + "/manager.html");
    ASSERT_TRUE(browser_->wait_until("frames[0].document.querySelector('#begin')"));
    EXPECT_EQ(text("frames[0].document.querySelector('#player').value"), "\"ludens\"");
  }
  void open() {
    open_manager();
    give_key(*browser_, "frames[0].document");
  }
  /// Opens the page with its key.
  void give_key(Browser& tab, const std::string& document) {
    tab.evaluate(document + ".querySelector('#key').value = '" + key_ + "', " + document +
                 ".querySelector('#begin').click()");
  }
  /// Begins a match, with clocks that no machine is too slow for; its outcome is then in `result`.
  void begin(const std::string& role) {
    browser_->evaluate("void run('" + role +
                       "', 60, 60, 300, 7).then((r) => { window.result = r; })");
  }
  /// Begins it as x, and sends no further play behind the first one until the limit is raised.
  void begin_with_one_play() {
    browser_->evaluate("window.limit = 1");
    begin("x");
    // The first message that wants a move is the third: ping, start, play.
    ASSERT_TRUE(browser_->wait_until("asked.length === 3"));
  }
  void expect_good_end() {
    ASSERT_TRUE(browser_->wait_until("window.result", 120))
        << text("[errors, asked]") << program_->output();
    EXPECT_EQ(text("result.errors"), "[]") << program_->output();
    EXPECT_GE(browser_->evaluate("result.goal").to_number<int>(), 50);
    EXPECT_GE(browser_->evaluate("result.answers").to_number<int>(), 3);
  }
  std::string shown(const std::string& id) {
    return text("frames[0].document.querySelector('#" + id + "').textContent");
  }

  /// Of the environment, until the end of the test.
  struct Variable {
    Variable(const char* name, const std::string& value) : name_(name) {
      const char* old = std::getenv(name);
      if (old != nullptr) old_ = old;
      ::setenv(name, value.c_str(), 1);
    }
    ~Variable() {
      if (old_) {
        ::setenv(name_, old_->c_str(), 1);
      } else {
        ::unsetenv(name_);
      }
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

   private:
    const char* name_;
    std::optional<std::string> old_;
  };

  const int port_ = fixed_port();
  Venue venue_{line_rules()};
  std::optional<Variable> state_;
  std::unique_ptr<BackgroundProgram> program_;
  std::string key_;
  std::string strategy_ = "mcts:playouts=2000";  // takes as much of a clock as that
};

TEST_F(GamemasterPage, PlaysAWholeMatch) {
  open();
  begin_with_one_play();
  ASSERT_TRUE(browser_->wait_until(
      "frames[0].document.querySelectorAll('#board [data-square]').length === 9"));
  EXPECT_EQ(shown("role"), "\"x\"");
  ASSERT_TRUE(
      browser_->wait_until("/^mark/.test(frames[0].document.querySelector('#sent').textContent)"));
  screenshot("gamemaster");
  browser_->evaluate("window.limit = 9");
  expect_good_end();
  expect_no_errors();
  EXPECT_NE(shown("log").find("ludens: message("), std::string::npos);
}

TEST_F(GamemasterPage, ShowsTheLastPositionAndTheResult) {
  open();
  begin("x");
  expect_good_end();
  ASSERT_TRUE(browser_->wait_until(
      "/^The match is over: x \\d+, o \\d+/.test(frames[0].document.querySelector('#status')."
      "textContent)"))
      << shown("status");
  EXPECT_EQ(text("frames[0].document.querySelector('#result').textContent === "
                 "`x ${result.goal}, o ${100 - result.goal}`"),
            "true");
  EXPECT_EQ(text("frames[0].document.querySelectorAll('#board .thing').length === moves.length"),
            "true");
  for (const char* id : {"move", "goal", "clock"}) EXPECT_EQ(shown(id), "\"\u2013\"") << id;
  EXPECT_EQ(shown("thinking"), "\"\"");
  // All that was said, in full: the rules, too.
  EXPECT_EQ(text("frames[0].ludens.transcript.includes(rules) && "
                 "frames[0].ludens.transcript.includes(`play(${moves[0]})`)"),
            "true");
  expect_no_errors();
}

TEST_F(GamemasterPage, DrawsAGameThatItHearsOfWhenTheMatchIsOver) {
  open();
  browser_->evaluate(R"JS(((page) => {
    const show = page.show.bind(page), held = window.held = [];
    page.show = (view) => {
      if (!page.over) return held.push(view);
      for (const late of held.splice(0)) show(late);
      show(view);
    };
  })(frames[0].ludens))JS");
  begin_with_one_play();
  ASSERT_TRUE(browser_->wait_until("held.some((view) => view.game)"));
  browser_->evaluate("window.limit = 9");
  expect_good_end();
  ASSERT_TRUE(
      browser_->wait_until("frames[0].document.querySelector('#result').textContent"
                           ".startsWith('x ')"));
  EXPECT_EQ(text("frames[0].document.querySelectorAll('#board .thing').length === moves.length"),
            "true");
}

TEST_F(GamemasterPage, IsReadyWhenItsAddressHasTheKey) {
  state_.emplace("XDG_STATE_HOME", folder_.path().string());
  serve();
  browser_->open(venue_.origin() + "/manager.html#" + key_);
  ASSERT_TRUE(browser_->wait_until("frames[0].ludens && frames[0].ludens.worker"));
  EXPECT_EQ(text("frames[0].ludens.link.player"), "\"ludens\"");
  EXPECT_EQ(text("frames[0].location.hash"), "\"\"");  // it shows the key
  begin("x");
  expect_good_end();
  const auto tab = browser_->new_tab();
  tab->open(venue_.origin() + "/roster/ludens.html?player=other#" + key_);
  EXPECT_TRUE(tab->wait_until("window.ludens?.link?.player === 'other' && ludens.worker"));
}

TEST_F(GamemasterPage, SaysThatItsMoveWasReplacedAndAnswersSooner) {
  open();
  browser_->evaluate(
      "margin = frames[0].document.querySelector('#margin'), margin.value = 2000,"
      " margin.onchange()");
  reload_player(*browser_);  // it is kept
  browser_->evaluate(
      "(async () => { await ask('ping()', 60); await ask(`start(x,ruleset(${rules}),60,60)`, 60);"
      " const move = await ask('play([])', 60);"
      " send(`play(${move === 'mark(3,2)' ? 'mark(1,2)' : 'mark(3,2)'})`); })()");
  EXPECT_TRUE(
      browser_->wait_until("/the manager replaced our mark.*now on answers leave 2\\d{3} ms/"
                           ".test(frames[0].document.querySelector('#log').textContent)"))
      << shown("log");
}

/// A browser for which the venue is a site of the public network, whose pages must not talk to this
/// machine.
TEST_F(GamemasterPage, TalksThroughAWindowWhereTheBrowserForbidsIt) {
  const std::string address = venue_.origin().substr(std::string("http://").size());
  browser_ = std::make_unique<Browser>(
      *find_chromium(), std::stop_token(),
      std::vector<std::string>{"--ip-address-space-overrides=" + address + "=public"});
  open_manager();
  const auto tab = browser_->new_tab();
  tab->open(venue_.origin() + "/roster/ludens.html");
  ASSERT_TRUE(tab->wait_until("document.querySelector('#begin')"));
  give_key(*tab, "document");
  ASSERT_TRUE(tab->wait_until("document.querySelector('#passage:not([hidden])')"))
      << "the browser has not forbidden it";
  EXPECT_EQ(tab->evaluate("/not reachable.*Failed to fetch.*open the window/.test("
                          "document.querySelector('#status').textContent)"),
            json::value(true));
  tab->to_front();
  tab->click("#passage");
  ASSERT_TRUE(tab->wait_until("document.querySelector('#passage[hidden]')"));
  begin("x");
  ASSERT_TRUE(browser_->wait_until("window.moves && window.moves.length >= 2"));
  tab->evaluate("window.left = true, location.reload()");  // the window stays
  ASSERT_TRUE(tab->wait_until("!window.left && window.ludens && ludens.passage.window"));
  expect_good_end();
}

TEST_F(GamemasterPage, PlaysTheSecondRole) {
  open();
  begin("o");
  expect_good_end();
  expect_no_errors();
}

/// The page as people leave it while they look at the manager's. With LUDENS_BRIDGE_MOVES=1000 so
/// many moves are asked for, at a play clock of 1 s; else those of one match.
TEST_F(GamemasterPage, AnswersFromATabInTheBackground) {
  const char* wanted = std::getenv("LUDENS_BRIDGE_MOVES");
  if (wanted != nullptr) strategy_ = "auto";  // which takes the whole clock
  open_manager();
  const auto tab = browser_->new_tab();
  tab->open(venue_.origin() + "/roster/ludens.html");
  ASSERT_TRUE(tab->wait_until("document.querySelector('#begin')"));
  give_key(*tab, "document");
  browser_->to_front();
  ASSERT_TRUE(tab->wait_until("document.visibilityState === 'hidden'"));
  const int moves = wanted != nullptr ? std::atoi(wanted) : 1;
  const std::string clock = wanted != nullptr ? "1" : "60";
  int answers = 0, errors = 0;
  for (int seed = 1; answers + errors < moves; ++seed) {
    browser_->evaluate("window.result = null, void run('x', " + clock + ", " + clock + ", 100, " +
                       std::to_string(seed) + ").then((r) => { window.result = r; })");
    ASSERT_TRUE(browser_->wait_until("window.result", 120)) << text("errors");
    answers += browser_->evaluate("result.answers").to_number<int>();
    errors = browser_->evaluate("result.errors.length").to_number<int>();
  }
  RecordProperty("answers", answers);
  RecordProperty("late_or_illegal", errors);
  EXPECT_EQ(text("errors"), "[]") << program_->output();
  std::cout << answers << " moves answered in time, " << errors << " late or illegal\n";
  EXPECT_EQ(text("document.visibilityState"), "\"visible\"");
}

TEST_F(GamemasterPage, GoesOnAfterAReloadInMidMatch) {
  open();
  begin_with_one_play();
  reload_player(*browser_);
  ASSERT_TRUE(browser_->wait_until("window.moves.length >= 2"));
  reload_player(*browser_);
  expect_good_end();
}

TEST_F(GamemasterPage, GoesOnWhenServeIsKilledAndStartedAgain) {
  open();
  begin_with_one_play();
  program_.reset();  // SIGKILL
  browser_->evaluate("window.limit = 9");
  ASSERT_TRUE(browser_->wait_until(
      "frames[0].document.querySelector('#status').textContent.includes('not reachable')"));
  serve();
  expect_good_end();
}

TEST_F(GamemasterPage, AWrongKeyIsSaidAndTheRightOneIsAskedFor) {
  open_manager();
  const std::string key = std::exchange(key_, key_.substr(0, key_.find('#')) + "#0");
  give_key(*browser_, "frames[0].document");
  ASSERT_TRUE(
      browser_->wait_until("/refuses the key/.test(frames[0].document.querySelector('form "
                           "[role=alert]')?.textContent)"));
  key_ = key;
  give_key(*browser_, "frames[0].document");
  begin("x");
  expect_good_end();
}

TEST_F(GamemasterPage, AnotherKeyInTheAddressTakesThePlaceOfTheOneBefore) {
  open();
  ASSERT_TRUE(browser_->wait_until("frames[0].document.querySelector('#status')"));
  browser_->evaluate("frames[0].location.hash = 'http://127.0.0.1:1/gamemaster#other'");
  ASSERT_TRUE(browser_->wait_until("frames[0].document.querySelector('#key')"));
  EXPECT_EQ(text("frames[0].document.querySelector('#key').value"),
            "\"http://127.0.0.1:1/gamemaster#other\"");
}

TEST_F(GamemasterPage, TellsAtHomeWhatToDoWithIt) {
  open();
  browser_->open(key_);
  EXPECT_TRUE(browser_->wait_until("document.querySelector('a[download]')"));
  EXPECT_NE(text("document.body.textContent").find(venue_.origin()), std::string::npos);
  expect_no_errors();
}

}  // namespace
}  // namespace ludens::server
