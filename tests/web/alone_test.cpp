// SPDX-License-Identifier: MIT
// The page that has Ludens within it (preset `wasm`), in a browser, from its file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gdl/text/file.h"
#include "server/records/ggp_json.h"
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
  /// Begins a match in which these seats are taken, others by the program.
  void play(const std::string& game, const std::map<int, std::string>& seats) {
    choose(game);
    browser_->evaluate("ludens.seats.forEach((s) => { s.kind.value = 'program'; s.choose(); })");
    for (const auto& [role, kind] : seats) {
      const std::string seat = "ludens.seats[" + std::to_string(role) + "]";
      browser_->evaluate(seat + ".kind.value = '" + kind + "', " + seat + ".choose()");
    }
    browser_->evaluate("ludens.begin.click()");
  }
  void choose(const std::string& game) {
    ASSERT_TRUE(ready());
    browser_->evaluate("ludens.game.value = '" + game + "', void ludens.choose()");
    ASSERT_TRUE(browser_->wait_until("!ludens.begin.disabled && ludens.seats.length > 0"));
  }
  /// Makes the person's next moves, as long as the match goes on.
  void move(int moves) {
    for (; moves > 0; --moves) {
      ASSERT_TRUE(browser_->wait_until("live.entry && (live.turns.turn || live.entry.match.end)"));
      if (browser_->evaluate("!!live.entry.match.end") == boost::json::value(true)) return;
      browser_->evaluate("live.turns.play(live.turns.turn.legal[0])");
      ASSERT_TRUE(browser_->wait_until("!live.turns.sent || live.entry.match.end"));
    }
  }
  /// Shows these rules in the field for rules of one's own.
  void paste(const std::string& rules) {
    ASSERT_TRUE(ready());
    browser_->evaluate("ludens.game.value = '', ludens.choose(), ludens.rules.area.value = " +
                       boost::json::serialize(boost::json::value(rules)) + ", void ludens.look()");
  }
  void load_again() {
    browser_->evaluate("window.left = true, location.reload()");
    ASSERT_TRUE(
        browser_->wait_until("!window.left && document.body && document.body.dataset.ready"));
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
  browser_->evaluate("ludens.game.value = 'nim', void ludens.choose()");
  EXPECT_TRUE(browser_->wait_until(said));
  EXPECT_EQ(text("ludens.engine.ask({do: 'go'})"), "null");
  EXPECT_EQ(text("ludens.begin.disabled"), "true");
}

TEST_F(AlonePage, SaysAfterAMatchThatTheProgramHasFailed) {
  play("tic_tac_toe", {{0, "person"}});
  ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.turns.turn"));
  browser_->evaluate("ludens.matches.close()");
  ASSERT_TRUE(browser_->wait_until("!ludens.form.hidden && !ludens.begin.disabled"));
  browser_->evaluate("ludens.engine.fail('no memory')");
  EXPECT_TRUE(browser_->wait_until("/has failed: no memory/.test(ludens.problem.textContent)"));
  browser_->evaluate("void ludens.choose()");
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
  play("tic_tac_toe", {{0, "person"}});
  ASSERT_TRUE(browser_->wait_until("document.querySelectorAll('[data-square]').length === 9"));
  move(5);
  screenshot("alone");
  ASSERT_TRUE(browser_->wait_until("live.entry.match.end"));
  EXPECT_EQ(text("live.entry.match.end.completed"), "true");
  expect_no_errors();
}

TEST_F(AlonePage, GoesOnWithTheMatchWhenItIsLoadedAgain) {
  play("tic_tac_toe", {{0, "person"}});
  move(2);
  ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 4"));
  ASSERT_TRUE(browser_->wait_until("JSON.parse(ludens.matches.record).moves.length === 4"));
  const std::string moves = text("JSON.parse(ludens.matches.record).moves");
  load_again();
  ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.turns.turn"));
  EXPECT_EQ(text("live.turns.turn.step"), "4");
  EXPECT_EQ(text("JSON.parse(ludens.matches.record).moves"), moves);
  move(3);
  ASSERT_TRUE(browser_->wait_until("live.entry.match.end"));
  load_again();
  EXPECT_TRUE(browser_->wait_until("window.live && live.entry && live.entry.match.end"));
  browser_->evaluate("document.querySelector('#other').click()");
  load_again();
  EXPECT_TRUE(browser_->wait_until("!ludens.form.hidden && !window.live"));
  expect_no_errors();
}

TEST_F(AlonePage, AsksBeforeItEndsAMatch) {
  play("tic_tac_toe", {{0, "person"}});
  ASSERT_TRUE(browser_->wait_until("window.live && live.turns.turn"));
  browser_->evaluate("document.querySelector('#other').click()");
  EXPECT_EQ(text("ludens.form.hidden"), "true");
  EXPECT_EQ(text("document.querySelector('#other').textContent"), "\"Really?\"");
  browser_->evaluate("document.querySelector('#other').click()");
  EXPECT_TRUE(browser_->wait_until("!ludens.form.hidden"));
}

/// The clock of a minute is not waited for.
TEST_F(AlonePage, MovesAtOnceWhenItIsTold) {
  choose("breakthrough");
  browser_->evaluate("ludens.seats[1].seconds.value = '60000', ludens.begin.click()");
  ASSERT_TRUE(browser_->wait_until("window.live && live.turns.turn"));
  EXPECT_EQ(text("document.querySelector('#now').disabled"), "true");
  move(1);
  ASSERT_TRUE(browser_->wait_until("!document.querySelector('#now').disabled"));
  browser_->evaluate("window.entry = live.entry, document.querySelector('#now').click()");
  ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 2", 30));
  EXPECT_EQ(text("live.entry === window.entry"), "true") << "the page shows the match anew";
  EXPECT_EQ(text("live.entry.match.steps.length"), "3");
  move(1);
  ASSERT_TRUE(browser_->wait_until("ludens.matches.thought"));
  browser_->evaluate("live.turns.undo()");
  EXPECT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 2", 30));
  expect_no_errors();
}

TEST_F(AlonePage, GoesOnAfterTheProgramHasFailed) {
  play("tic_tac_toe", {{0, "person"}});
  move(1);
  ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 2"));
  browser_->evaluate("ludens.engine.fail('no memory')");
  EXPECT_TRUE(browser_->wait_until("/goes on with the match/.test(live.status.textContent)"));
  move(5);
  EXPECT_TRUE(browser_->wait_until("live.entry.match.end && live.entry.match.end.completed"));
}

TEST_F(AlonePage, WaitsWhileItIsPaused) {
  play("tic_tac_toe", {{0, "person"}});
  ASSERT_TRUE(browser_->wait_until("window.live && live.turns.turn"));
  browser_->evaluate("document.querySelector('#pause').click()");
  move(1);
  ASSERT_TRUE(browser_->wait_until("live.entry.match.steps.length === 2"));
  EXPECT_FALSE(browser_->wait_until("live.entry.match.steps.length > 2", 2));
  browser_->evaluate("document.querySelector('#pause').click()");
  EXPECT_TRUE(browser_->wait_until("live.entry.match.steps.length > 2"));
}

TEST_F(AlonePage, SavesTheRecord) {
  play("tic_tac_toe", {{0, "person"}});
  move(5);
  ASSERT_TRUE(browser_->wait_until(
      "live.entry.match.end && JSON.parse(ludens.matches.record).isCompleted"));
  browser_->evaluate(
      "window.saved = null, URL.createObjectURL = (blob) => { window.saved = blob; return "
      "'data:,'; },"
      " HTMLAnchorElement.prototype.click = function() { window.named = this.download; },"
      " document.querySelector('#save').click()");
  EXPECT_EQ(text("/^tic_tac_toe[.0-9]+json$/.test(window.named)"), "true") << text("window.named");
  const auto record = parse_ggp_json(browser_->evaluate("saved.text()").as_string());
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_TRUE(record->completed);
}

TEST_F(AlonePage, ShowsTheResultAndTheBoardOnOneScreen) {
  browser_->resize(1280, 800, false);
  for (const auto& seats : {std::map<int, std::string>{}, {{0, "person"}}}) {
    play("tic_tac_toe", seats);
    ASSERT_TRUE(browser_->wait_until("window.live && live.entry"));
    EXPECT_EQ(
        text("document.querySelector('svg.board').getBoundingClientRect().bottom <= innerHeight"),
        "true");
    if (!seats.empty()) move(5);
    ASSERT_TRUE(browser_->wait_until("live.entry.match.end"));
    EXPECT_TRUE(browser_->wait_until(
        "/^The match is over. Goals: x \\d+, o \\d+.$/.test(live.status.textContent)"));
    EXPECT_EQ(text("document.querySelectorAll('#score tbody tr').length"), "2");
    screenshot(seats.empty() ? "alone_watched" : "alone_played");
    browser_->evaluate("document.querySelector('#other').click(), delete window.live");
    ASSERT_TRUE(browser_->wait_until("!ludens.form.hidden"));
  }
}

TEST_F(AlonePage, PlaysByMouseOnABoardThatStaysWhereItIs) {
  const std::string place =
      "(() => { const b = document.querySelector('svg.board').getBoundingClientRect();"
      " return [b.left, b.top + scrollY, b.width, b.height].map(Math.round); })()";
  for (const auto& [width, height] : {std::pair{1280, 800}, {390, 844}}) {
    SCOPED_TRACE(width);
    browser_->resize(width, height, false);
    play("tic_tac_toe", {{0, "person"}});
    ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.turns.turn"));
    const std::string before = text(place);
    int clicks = 0;
    for (; browser_->wait_until("live.turns.turn || live.entry.match.end") &&
           text("!live.entry.match.end") == "true";
         ++clicks) {
      ASSERT_LT(clicks, 5);
      const std::string step = text("live.turns.turn.step");
      browser_->click("[data-square='" + text("live.turns.turn.legal[0].squares[0]") + "']");
      ASSERT_TRUE(browser_->wait_until("live.viewer.last > " + step));
      EXPECT_EQ(text(place), before);
    }
    EXPECT_GE(clicks, 3);
    EXPECT_EQ(text(place), before);
    EXPECT_EQ(text("document.documentElement.scrollWidth <= innerWidth"), "true");
    screenshot("alone_mouse_" + std::to_string(width));
    browser_->click("#other");
    ASSERT_TRUE(browser_->wait_until("!ludens.form.hidden"));
    browser_->evaluate("delete window.live");
  }
  expect_no_errors();
}

/// Tabs play as the pages `white` and `black` of the match that the first one leads.
class AlonePageLeads : public AlonePage {
 protected:
  void begin() {
    choose("tic_tac_toe");
    browser_->evaluate(
        "ludens.seats.forEach((s, i) => { s.kind.value = 'page'; s.page.value = ['white', "
        "'black'][i];"
        " s.choose(); }), ludens.startClock.value = 30, ludens.playClock.value = 5, "
        "ludens.begin.click()");
  }
  void open_player(const char* player) {
    players_.push_back(browser_->new_tab());
    players_.back()->open("file://" + file_.string() + "#player=" + player);
    ASSERT_TRUE(players_.back()->wait_until("window.ludens && ludens.worker"));
  }
  void expect_good_end() {
    ASSERT_TRUE(browser_->wait_until("window.live && live.entry && live.entry.match.end", 200));
    EXPECT_EQ(text("live.entry.match.end.completed"), "true");
    EXPECT_EQ(text("JSON.parse(ludens.matches.record).errors.flat().join('')"), "\"\"");
  }

  std::vector<std::unique_ptr<Browser>> players_;
};

TEST_F(AlonePageLeads, AMatchOfPagesAsAManager) {
  begin();
  for (const char* player : {"white", "black"}) open_player(player);
  expect_good_end();
  EXPECT_EQ(
      text("[...document.querySelectorAll('#score td:nth-child(2)')].map((n) => n.textContent)"),
      "[\"white\",\"black\"]");
  screenshot("alone_manager");
  expect_no_errors();
}

/// White was asked to get ready, and black was not there yet.
TEST_F(AlonePageLeads, AMatchThatWasLoadedAgainBeforeAPageWasThere) {
  begin();
  open_player("white");
  ASSERT_TRUE(
      browser_->wait_until("window.live && /black does not answer/.test(live.status.textContent) &&"
                           " /,white,manager,ready/.test(localStorage.getItem('manager'))",
                           60));
  browser_->evaluate("location.reload()");
  open_player("black");
  expect_good_end();
}

TEST_F(AlonePage, WatchesItselfPlay) {
  play("tic_tac_toe", {});
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
  paste(
      "role(r) control(r) init(p(1))\nlegal(a(Z)) :- p(X)\nlegal(b(Y)) :- p(X)\nterminal :- ~p(1)");
  const std::string findings = "document.querySelectorAll('#findings button')";
  ASSERT_TRUE(browser_->wait_until(findings + ".length === 2"));
  EXPECT_EQ(text(findings + "[0].textContent"),
            "\"line 2 error Z is bound by no positive literal\"");
  EXPECT_EQ(text("ludens.begin.disabled"), "true");
  browser_->evaluate(findings + "[1].click()");
  EXPECT_EQ(text("[document.activeElement.id, ludens.rules.area.selectionStart]"),
            "[\"rules\",58]");
  EXPECT_EQ(text("ludens.rules.area.offsetWidth > 600"), "true");
  screenshot("alone_rules");
}

TEST_F(AlonePage, ShowsWarningsOfRulesThatCanBePlayed) {
  paste("role(r) control(r) init(p(1))\nlegal(a) :- pp(1)\nlegal(b) :- p(1)\nterminal :- ~p(1)");
  ASSERT_TRUE(browser_->wait_until("document.querySelectorAll('#findings .severe').length > 0"));
  EXPECT_TRUE(browser_->wait_until("!ludens.begin.disabled"));
}

TEST_F(AlonePage, ReadsRulesOfSeveralMegabytes) {
  ASSERT_TRUE(ready());
  browser_->evaluate("ludens.game.value = '', void ludens.choose()");
  browser_->evaluate(
      "ludens.rules.area.value = ludens.setup.games.nim + '\\n; ' + 'a'.repeat(2e6), void "
      "ludens.look()");
  EXPECT_TRUE(browser_->wait_until("!ludens.begin.disabled || ludens.problem.textContent !== ''"));
  EXPECT_EQ(text("ludens.problem.textContent"), "\"\"");
  EXPECT_EQ(text("ludens.seats.length"), "2");
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

TEST_F(AloneAtAManager, AModuleThatIsSlowIsNotReplacedForEver) {
  show_with_worker_that(
      " if (`${request.text}`.includes(',start('))"
      " for (const end = Date.now() + 8000; Date.now() < end;);",
      "const {until, ...request} = data.request;");
  browser_->evaluate("void run('x', 2, 30, 300, 7).then((r) => { window.result = r; })");
  ASSERT_TRUE(browser_->wait_until("window.result", 300));  // the rules are read three times
  expect_good_end();
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
