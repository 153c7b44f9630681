// SPDX-License-Identifier: MIT
// The page that has Ludens within it (preset `wasm`), in a browser, from its file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "gdl/text/file.h"
#include "tests/project_folder.h"
#include "tests/web/page_test.h"
#include "tests/web/venue.h"

namespace ludens::server {
namespace {

class AlonePage : public PageTest {
 protected:
  void SetUp() override {
    PageTest::SetUp();
    if (IsSkipped()) return;
    if (!std::filesystem::exists(file_)) {
      GTEST_SKIP() << file_ << " is not there: it is built by the preset wasm, with Emscripten";
    }
    size_ = std::filesystem::file_size(file_);
    browser_->resize(1200, 900, false);
    browser_->open("file://" + file_.string());
  }
  bool ready() { return browser_->wait_until("document.body.dataset.ready"); }
  void play(const std::string& game, const std::string& role) {
    ASSERT_TRUE(ready());
    browser_->evaluate("ludens.game.value = '" + game + "', ludens.choose()");
    ASSERT_TRUE(browser_->wait_until("!ludens.begin.disabled && ludens.role.options.length > 1"));
    browser_->evaluate("ludens.role.value = '" + role + "', ludens.begin.click()");
  }

  const std::filesystem::path file_ =
      std::filesystem::path(project_folder()) / "build/wasm/ludens.html";
  std::uintmax_t size_ = 0;
};

TEST_F(AlonePage, IsSmallAndReady) {
  EXPECT_LE(size_, 4'000'000u);
  ASSERT_TRUE(ready());
  RecordProperty("bytes", std::to_string(size_));
  RecordProperty("ready_ms", text("document.body.dataset.ready"));
  expect_no_errors();
}

/// For so long each as LUDENS_PAGE_MS says.
TEST_F(AlonePage, MeasuresHowFastItIs) {
  ASSERT_TRUE(ready());
  const char* wanted = std::getenv("LUDENS_PAGE_MS");
  for (const char* game : {"connect_four", "breakthrough"}) {
    const boost::json::value measured = browser_->evaluate(
        std::string("ludens.engine.ask({do: 'measure', text: ludens.setup.games.") + game +
        ", ms: " + (wanted != nullptr ? wanted : "100") + "})");
    ASSERT_FALSE(measured.as_object().contains("problem")) << boost::json::serialize(measured);
    EXPECT_GT(measured.at("gates").to_number<double>(), 0);
    EXPECT_GT(measured.at("steps_per_s").to_number<double>(), 0);
    EXPECT_GT(measured.at("iterations_per_s").to_number<double>(), 0);
    std::cout << game << " " << boost::json::serialize(measured) << "\n";
  }
  std::cout << size_ << " bytes, ready after " << text("document.body.dataset.ready") << " ms\n";
  expect_no_errors();
}

TEST_F(AlonePage, KeepsSayingWhyItCouldNotBeStarted) {
  std::string page = gdl::read_file(file_).value();
  const std::string behind = "self.load = async (module) => {";
  ASSERT_NE(page.find(behind), std::string::npos);
  page.insert(page.find(behind) + behind.size(), " return postMessage({failed: 'no memory'});");
  const std::filesystem::path broken = folder_.path() / "broken.html";
  std::ofstream(broken) << page;
  browser_->open("file://" + broken.string());
  const std::string said = "/could not be started: no memory/.test(ludens.problem.textContent)";
  ASSERT_TRUE(browser_->wait_until(said));
  browser_->evaluate("ludens.game.value = 'nim', ludens.choose()");
  EXPECT_TRUE(browser_->wait_until(said));
  EXPECT_EQ(text("ludens.engine.ask({do: 'go'})"), "null");
  EXPECT_EQ(text("ludens.begin.disabled"), "true");
}

TEST_F(AlonePage, SaysAfterAMatchThatTheProgramHasFailed) {
  play("tic_tac_toe", "0");
  ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.turns.turn"));
  browser_->evaluate("document.querySelector('#other').click()");
  ASSERT_TRUE(browser_->wait_until("!ludens.form.hidden && !ludens.begin.disabled"));
  browser_->evaluate("ludens.engine.fail('no memory')");
  EXPECT_TRUE(browser_->wait_until("/has failed: no memory/.test(ludens.problem.textContent)"));
  browser_->evaluate("ludens.choose()");
  EXPECT_TRUE(browser_->wait_until("!ludens.begin.disabled && ludens.problem.textContent === ''"));
}

TEST_F(AlonePage, OffersNoGameThatItDoesNotPlay) {
  ASSERT_TRUE(ready());
  EXPECT_EQ(text("ludens.game.options.length > 20"), "true");
  EXPECT_EQ(text("Promise.all(Object.entries(ludens.setup.games).map(([name, text]) =>"
                 " ludens.engine.ask({do: 'look', text}).then(({problem}) => problem && name)))"
                 ".then((names) => names.filter(Boolean))"),
            "[]");
}

TEST_F(AlonePage, PlaysForThePlayerThatItsAddressNames) {
  const std::string url = "file://" + file_.string();
  const std::string player = "window.ludens && ludens.link && ludens.link.player";
  browser_->open(url + "#player=white");
  ASSERT_TRUE(browser_->wait_until(player + " === 'white'"));
  browser_->evaluate("location.hash = '#player=black'");
  ASSERT_TRUE(browser_->wait_until(player + " === 'black'"));
  // A page that is loaded at once may still find in its storage what this one has removed; another
  // document hears of the change when the browser has made it.
  browser_->evaluate(
      "document.body.appendChild(document.createElement('iframe'))"
      ".contentWindow.onstorage = ({key}) => { window.forgotten = key; }");
  browser_->evaluate("document.querySelector('#change').click()");
  EXPECT_EQ(text("document.querySelector('#player').value"), "\"black\"");
  ASSERT_TRUE(browser_->wait_until("window.forgotten === kKept"));
  browser_->evaluate("location.reload()");
  EXPECT_TRUE(browser_->wait_until("document.querySelector('#game')"));
  expect_no_errors();
}

TEST_F(AlonePage, PlaysAgainstAPerson) {
  play("tic_tac_toe", "0");
  ASSERT_TRUE(browser_->wait_until("document.querySelectorAll('[data-square]').length === 9"));
  for (int moves = 0; moves < 5; ++moves) {
    ASSERT_TRUE(browser_->wait_until("live.entry && (live.turns.turn || live.entry.match.end)"));
    if (browser_->evaluate("!!live.entry.match.end") == boost::json::value(true)) break;
    browser_->evaluate("live.turns.play(live.turns.turn.legal[0])");
    ASSERT_TRUE(browser_->wait_until("!live.turns.sent || live.entry.match.end"));
  }
  screenshot("alone");
  ASSERT_TRUE(browser_->wait_until("live.entry.match.end"));
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  expect_no_errors();
}

TEST_F(AlonePage, WatchesItselfPlay) {
  play("tic_tac_toe", "");
  ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.entry.match.end"));
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  EXPECT_EQ(text("live.entry.match.end.goals.length"), "2");
  browser_->evaluate("document.querySelector('#other').click()");
  EXPECT_TRUE(browser_->wait_until("!ludens.form.hidden"));
  EXPECT_EQ(text("document.body.dispatchEvent(new KeyboardEvent('keydown',"
                 " {key: 'ArrowLeft', bubbles: true, cancelable: true}))"),
            "true")
      << "a page that is not there any more takes keys";
  expect_no_errors();
}

TEST_F(AlonePage, SaysWhatIsWrongWithRulesThatArePasted) {
  ASSERT_TRUE(ready());
  browser_->evaluate(
      "ludens.game.value = '', ludens.choose(), ludens.rules.value = '(role x', ludens.look()");
  EXPECT_TRUE(browser_->wait_until("/rules:1:/.test(ludens.problem.textContent)"));
  EXPECT_EQ(text("ludens.begin.disabled"), "true");
}

TEST_F(AlonePage, ReadsRulesOfSeveralMegabytes) {
  ASSERT_TRUE(ready());
  browser_->evaluate("ludens.game.value = '', ludens.choose()");
  browser_->evaluate(
      "ludens.rules.value = ludens.setup.games.nim + '\\n; ' + 'a'.repeat(2e6), ludens.look()");
  EXPECT_TRUE(browser_->wait_until("!ludens.begin.disabled || ludens.problem.textContent !== ''"));
  EXPECT_EQ(text("ludens.problem.textContent"), "\"\"");
  EXPECT_EQ(text("ludens.role.options.length"), "3");
  expect_no_errors();
}

/// What `measure` says of a bundled game.
std::string measured(const std::string& game, const std::string& machine) {
  return "engine.ask({do: 'measure', text: ludens.setup.games." + game + ", machine: '" + machine +
         "', ms: 20})";
}

TEST_F(AlonePage, RunsCodeThatIsGeneratedForTheGame) {
  ASSERT_TRUE(ready());
  browser_->evaluate("window.engine = ludens.engine, 0");
  for (const char* game : {"connect_four", "breakthrough"}) {
    SCOPED_TRACE(game);
    browser_->evaluate(measured(game, "sliced") + ".then((a) => { window.measured = a; })");
    ASSERT_TRUE(browser_->wait_until("window.measured"));
    EXPECT_EQ(text("measured.generated"), "true");
    EXPECT_EQ(text("measured.lanes"), "128");
    EXPECT_EQ(text("measured.steps_per_s > 0 && measured.iterations_per_s > 0"), "true");
    browser_->evaluate("window.measured = null");
  }
  EXPECT_EQ(text(measured("nim", "sliced:interpreted") + ".then((a) => a.generated)"), "false");
  expect_no_errors();
}

// A table of functions never becomes smaller: places have to be used again.
TEST_F(AlonePage, TakesNoMoreFunctionsForFurtherMatches) {
  ASSERT_TRUE(ready());
  // Another Worker that also says which places of the table are taken.
  browser_->evaluate(R"JS(window.engine = new Engine({
    engine: ludens.setup.engine + `const answer = onmessage;
      onmessage = (event) => !event.data.places ? answer(event)
        : loaded.then((module) => postMessage({told: {places: module.functionBlocks}}));`,
    module: ludens.setup.module
  }, (told) => { if (told.places) window.places = told.places; }), 0)JS");
  const auto places = [&] {
    browser_->evaluate("window.places = null, engine.worker.postMessage({places: true})");
    EXPECT_TRUE(browser_->wait_until("window.places"));
    return text("places.map((block) => [block.first, block.count, block.free])");
  };
  EXPECT_EQ(text(measured("connect_four", "sliced") + ".then((a) => a.generated)"), "true");
  const std::string first = places();
  EXPECT_NE(first, "[]");
  EXPECT_EQ(first.find("false"), std::string::npos) << first << ": all were given back";
  EXPECT_EQ(text(measured("connect_four", "sliced") + ".then((a) => a.generated)"), "true");
  EXPECT_EQ(places(), first);
}

TEST_F(AlonePage, TheClockOfARequestRunsWhileItWaits) {
  ASSERT_TRUE(ready());
  browser_->evaluate(
      "window.engine = new Engine(ludens.setup, ({view}) => {"
      "  if (view && view.goal !== undefined) window.thought = true; }), 0");
  const auto start = [&](const std::string& clock) {
    return "engine.ask({do: 'message', player: 'ludens', until: Date.now() + " + clock +
           ", text: 'message(1,manager,ludens,start(x,ruleset(" + line_rules() + "),10,10))'})";
  };
  browser_->evaluate(measured("nim", "sliced") + ", 0");  // takes longer than the clock
  EXPECT_EQ(text(start("10") + ".then((a) => [/ready/.test(a.answer), !window.thought])"),
            "[true,true]");
  EXPECT_EQ(text(start("20000") + ".then((a) => window.thought)"), "true");
}

/// The same page as a player beside a manager's page of its origin.
class AloneAtAManager : public AlonePage {
 protected:
  void SetUp() override {
    AlonePage::SetUp();
    if (IsSkipped()) return;
    show(gdl::read_file(file_).value());
  }
  void show(std::string page) {
    venue_ = std::make_unique<Venue>(line_rules(), std::move(page));
    browser_->open(venue_->origin() + "/manager.html#player=ludens");
    ASSERT_TRUE(browser_->wait_until("frames[0].ludens && frames[0].ludens.worker"));
  }
  /// The page, whose Worker does this behind that piece of its source.
  void show_with_worker_that(const std::string& does, const std::string& behind) {
    std::string page = gdl::read_file(file_).value();
    ASSERT_NE(page.find(behind), std::string::npos);
    show(page.insert(page.find(behind) + behind.size(), does));
  }
  /// The page, in which the module does this when it is to be loaded.
  void show_with_module_that(const std::string& does) {
    show_with_worker_that(does, "self.load = async (module) => {");
  }
  void play(const std::string& role) {
    browser_->evaluate("void run('" + role +
                       "', 30, 30, 300, 7).then((r) => { window.result = r; })");
  }
  void expect_good_end() {
    ASSERT_TRUE(browser_->wait_until("window.result", 120)) << text("[errors, asked]");
    EXPECT_EQ(text("result.errors"), "[]");
    EXPECT_GE(browser_->evaluate("result.goal").to_number<int>(), 50);
    EXPECT_GE(browser_->evaluate("result.answers").to_number<int>(), 3);
  }

  std::unique_ptr<Venue> venue_;
};

TEST_F(AloneAtAManager, PlaysAWholeMatch) {
  play("x");
  ASSERT_TRUE(browser_->wait_until(
      "frames[0].document.querySelectorAll('#board [data-square]').length === 9"));
  expect_good_end();
  EXPECT_EQ(text("frames[0].document.querySelector('#role').textContent"), "\"x\"");
  EXPECT_TRUE(browser_->wait_until(
      "frames[0].document.querySelectorAll('#board .thing').length === moves.length"))
      << "the last position is not shown";
  const std::string says_result =
      "frames[0].document.querySelector('#status').textContent === "
      "`The match is over: x ${result.goal}, o ${100 - result.goal}.`";
  EXPECT_TRUE(browser_->wait_until(says_result));
  browser_->evaluate("frames[0].ludens.hear({kind: 'view', view: {match: 'm', asked: false}})");
  EXPECT_EQ(text(says_result), "true");
  expect_no_errors();
}

TEST_F(AloneAtAManager, ShowsAnotherGameUnderTheNameOfTheOneBefore) {
  const std::string squares = "frames[0].document.querySelectorAll('#board [data-square]').length";
  browser_->evaluate("last = 100, send(`start(x,ruleset(${rules}),9,9)`)");
  ASSERT_TRUE(browser_->wait_until(squares + " === 9"));
  browser_->evaluate("last = 100, send(`start(x,ruleset(${rules.replace('index(3)', '')}),9,9)`)");
  EXPECT_TRUE(browser_->wait_until(squares + " === 4"));
  expect_no_errors();
}

/// Messages of these names are answered when `window.go` tells it.
constexpr const char* kHeldBack =
    " if (data.request.text && ['102', '103', '105'].some((id) =>"
    " data.request.text.startsWith(`message(${id},`)))"
    " await new Promise((go) => { new BroadcastChannel('go').onmessage = go; });";

TEST_F(AloneAtAManager, WhatIsNoPartOfTheMatchEndsNoOpenMessage) {
  show_with_worker_that(kHeldBack, "const module = await loaded;");
  browser_->evaluate("window.go = new BroadcastChannel('go')");
  play("x");
  // The START, the first PLAY, and the second one.
  for (const char* open : {"2", "3", "4"}) {
    ASSERT_TRUE(browser_->wait_until(std::string("asked.length === ") + open, 60)) << open;
    browser_->evaluate(
        "window.stray = null; for (const text of ['message(8,other,ludens,stop([]))',"
        " 'message(8,manager,other,abort())', 'message(8,manager,ludens,dance)', 'nonsense',"
        " 'message(103,manager,ludens,play([]))', 'message(8,manager,ludens,ping())'])"
        " if (text[8] !== '1' || asked.length === 4) localStorage.setItem('ludens', text)");
    ASSERT_TRUE(browser_->wait_until("stray === 'message(8,ludens,manager,ready)'"));
    ASSERT_TRUE(browser_->wait_until(std::string("go.postMessage(1), asked.length > ") + open))
        << text("errors");
  }
  expect_good_end();
}

TEST_F(AloneAtAManager, AnswersAfterAReloadWhatWasOpenBeforeAPing) {
  show_with_worker_that(kHeldBack, "const module = await loaded;");
  browser_->evaluate("window.go = new BroadcastChannel('go')");
  play("x");
  ASSERT_TRUE(browser_->wait_until("asked.length === 3 || (go.postMessage(1), false)", 60));
  browser_->evaluate(
      "window.stray = null, localStorage.setItem('ludens', 'message(8,manager,ludens,ping())')");
  ASSERT_TRUE(browser_->wait_until("stray === 'message(8,ludens,manager,ready)'"));
  reload_player(*browser_);
  ASSERT_TRUE(browser_->wait_until("go.postMessage(1), asked.length > 3")) << text("errors");
  ASSERT_TRUE(browser_->wait_until("go.postMessage(1), asked.length > 4 || window.result", 60));
  expect_good_end();
}

TEST_F(AloneAtAManager, PlaysTheSecondRole) {
  play("o");
  expect_good_end();
}

TEST_F(AloneAtAManager, AnswersAPingWhileTheModuleLoads) {
  show_with_module_that(" return;");  // it never ends
  EXPECT_EQ(text("ask('ping()', 60)"), "\"ready\"");
}

TEST_F(AloneAtAManager, IsNotReadyIfTheModuleCanNotBeLoaded) {
  show_with_module_that(" return postMessage({failed: 'no memory'});");
  ASSERT_TRUE(browser_->wait_until(
      "/the module failed: no memory/.test(frames[0].document.body.textContent)"));
  EXPECT_EQ(text("ask('ping()', 2)"), "null");
}

TEST_F(AloneAtAManager, AModuleThatHangsCostsNoFurtherMove) {
  // It hangs with the second of its moves, which it has told; not if it hears of it later.
  show_with_worker_that(" while (request.ms > 5000 && request.text.startsWith('message(105,'));",
                        "answer = JSON.parse(ask(module, request));");
  browser_->evaluate("void run('x', 30, 20, 300, 7).then((r) => { window.result = r; })");
  expect_good_end();
  EXPECT_EQ(text("/no answer in time: the page sends/.test(frames[0].document.body.textContent)"),
            "true");
}

TEST_F(AloneAtAManager, GoesOnAfterAReloadInMidMatch) {
  play("x");
  ASSERT_TRUE(browser_->wait_until("window.moves && window.moves.length >= 2", 120));
  reload_player(*browser_);
  expect_good_end();
}

TEST_F(AloneAtAManager, KeepsTheClockOfAMessageOverAReload) {
  show_with_module_that(" return;");  // the page says `ready` when the start clock ends
  browser_->evaluate("void run('x', 2, 60, 300, 7)");
  ASSERT_TRUE(browser_->wait_until("asked.length === 3 && frames[0].ludens.clock"));
  const std::string until = text("frames[0].ludens.clock.until");
  reload_player(*browser_);
  ASSERT_TRUE(browser_->wait_until("frames[0].ludens.clock"));
  EXPECT_EQ(text("frames[0].ludens.clock.until"), until);
}

TEST_F(AloneAtAManager, KnowsAfterAReloadWhatItHadNoTimeToProcess) {
  browser_->evaluate("window.limit = 1");
  play("x");
  ASSERT_TRUE(browser_->wait_until("window.moves && window.moves.length === 1", 120));
  browser_->evaluate("frames[0].ludens.worker.terminate(), window.limit = 9");
  ASSERT_TRUE(browser_->wait_until("asked.length === 4"));  // after two more plays
  reload_player(*browser_);
  expect_good_end();
}

}  // namespace
}  // namespace ludens::server
