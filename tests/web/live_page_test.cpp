// SPDX-License-Identifier: MIT
// The page of `--watch` while matches come and go. The test tells it of them, so that each comes
// exactly when it matters.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "tests/web/play_test.h"

namespace ludens::server {
namespace {

/// Has the page follow `begin(ID)`, `step(ID)` and `end(ID)`, with a match that was really played.
constexpr const char* kFedMatches = R"JS((() => {
  const game = live.games.get(live.entry.match.picture), match = live.entry.match;
  const roles = match.roles.map((role) => ({...role, human: false}));
  window.feed = {open(names, tell) { this.tell = tell; }};
  document.querySelector('main').replaceChildren();
  window.live = new LivePage({title: 'live', run: 1}, feed);
  feed.tell('hello', {run: 1});
  feed.tell('game', game);
  feed.tell('complete', {});
  window.begin = (id) => feed.tell('match', {...match, id, roles, steps: match.steps.slice(0, 2)});
  window.step = (id) => feed.tell('step', {id, step: match.steps[2]});
  /** All that there is to know, as after another connection: `more` steps after the first two. */
  window.again = (id, more) => {
    feed.tell('hello', {run: 1});
    feed.tell('game', game);
    feed.tell('match', {...match, id, roles, steps: [...match.steps.slice(0, 2), ...Array(more).fill(match.steps[2])]});
    feed.tell('complete', {});
  };
  window.end = (id) => feed.tell('end', {id, end: {completed: true, goals: [50, 50]}});
})())JS";

class LivePage : public PlayTest {
 protected:
  void SetUp() override {
    PlayTest::SetUp();
    if (IsSkipped()) return;
    play("tic_tac_toe --against random --seed 5", {});
    ASSERT_TRUE(wait_for_turn());
    click("document.querySelector('.square.target')");
    ASSERT_TRUE(browser_->wait_until("live.turns.turn && live.turns.turn.step === 2"));
    browser_->evaluate(kFedMatches);
  }
  static std::string tab(const std::string& id) {
    return "document.querySelector('.tabs [title=\"" + id + "\"]')";
  }
};

TEST_F(LivePage, ATabThatIsPressedWhileMatchesGoOnIsShown) {
  browser_->evaluate("begin('first'), begin('second')");
  EXPECT_EQ(text("live.shown"), "\"first\"");
  point(tab("second"));
  browser_->press_mouse();
  browser_->evaluate("step('first'), step('second'), begin('third')");
  browser_->release_mouse();
  EXPECT_TRUE(browser_->wait_until("live.shown === 'second'"));
  EXPECT_EQ(text(tab("second") + ".getAttribute('aria-pressed')"), "\"true\"");
  EXPECT_EQ(text(tab("second") + ".textContent"), "\"tic_tac_toe: 2\"");
  browser_->evaluate(tab("first") + ".focus(), step('third'), end('second'), begin('fourth')");
  EXPECT_EQ(text("document.activeElement.title"), "\"first\"");
  EXPECT_EQ(text("[...document.querySelectorAll('.tabs button')].map((tab) => tab.title)"),
            R"(["first","second","third","fourth"])");
  expect_no_errors();
}

TEST_F(LivePage, WhoLooksAtAnEarlierPositionIsNotDisturbed) {
  browser_->evaluate("begin('first'); for (let i = 0; i < 60; ++i) step('first')");
  EXPECT_EQ(text("live.viewer.at"), "61");
  browser_->evaluate("live.viewer.go(1), document.querySelector('.moves').scrollTop = 50");
  ASSERT_EQ(text("document.querySelector('.moves').scrollTop"), "50");
  browser_->evaluate("step('first')");
  EXPECT_EQ(text("document.querySelector('.moves').scrollTop"), "50");
  EXPECT_EQ(text("live.viewer.at"), "1");
  EXPECT_EQ(text("document.querySelector('.position').textContent"), "\"1 / 62\"");
  EXPECT_EQ(text("live.viewer.slider.max"), "\"62\"");
  expect_no_errors();
}

TEST_F(LivePage, AnotherConnectionDisturbsNobodyIfTheMatchHasOnlyGoneOn) {
  browser_->evaluate("begin('first'), step('first'), step('first'), live.viewer.go(1)");
  browser_->evaluate("window.seen = live.viewer, again('first', 5)");
  EXPECT_EQ(text("live.viewer === seen"), "true");
  EXPECT_EQ(text("[live.viewer.at, live.viewer.last]"), "[1,6]");
  browser_->evaluate("step('first'), end('first')");
  EXPECT_EQ(text("[live.viewer.at, live.viewer.last]"), "[1,7]");
  EXPECT_EQ(text("live.entry.match.steps.length"), "8");
  EXPECT_EQ(text(tab("first") + ".textContent"), "\"tic_tac_toe: 50 : 50\"");
  // One that has ended, or has other steps, is another match.
  browser_->evaluate("again('first', 6)");
  EXPECT_EQ(text("live.viewer === seen"), "false");
  EXPECT_EQ(text("[live.viewer.at, live.viewer.last]"), "[7,7]");
  browser_->evaluate("live.viewer.go(1), again('first', 2)");
  EXPECT_EQ(text("[live.viewer.at, live.viewer.last]"), "[3,3]");
  expect_no_errors();
}

TEST_F(LivePage, OldMatchesAreForgottenAndRunningOnesAreNot) {
  browser_->evaluate("begin('long'), begin('looked at'), end('looked at')");
  click(tab("looked at"));
  browser_->evaluate("for (let i = 0; i < 150; ++i) { begin(`${i}`); end(`${i}`); }");
  EXPECT_EQ(text("live.matches.size"), "27");
  EXPECT_EQ(text("live.shown"), "\"looked at\"");
  EXPECT_EQ(text("!!" + tab("long") + " && !!" + tab("149") + " && !" + tab("0")), "true");
  click(tab("149"));
  browser_->evaluate("begin('150')");
  EXPECT_EQ(text("!" + tab("looked at")), "true");
  // The program does the same, and says which pictures it knows no more.
  browser_->evaluate("feed.tell('forgotten', {picture: live.entry.match.picture})");
  EXPECT_EQ(text("live.games.size"), "0");
  click(tab("long"));
  EXPECT_TRUE(browser_->wait_until("live.shown === 'long'"));
  expect_no_errors();
}

}  // namespace
}  // namespace ludens::server
