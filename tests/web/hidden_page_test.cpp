// SPDX-License-Identifier: MIT
// Games with hidden information in a real browser: the switch of the viewer, and a person who
// plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/server/run_program.h"
#include "tests/web/play_test.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class HiddenPages : public PlayTest {
 protected:
  /// What is written after the facts of a group.
  std::string chances(const std::string& group) {
    return text(
        "[...document.querySelectorAll('.facts dt')].filter((dt) => dt.textContent === '" + group +
        "').flatMap((dt) => [...dt.nextSibling.querySelectorAll('span')])"
        ".map((s) => s.querySelector('small') ? s.querySelector('small').textContent.trim() : '')"
        ".sort().reverse()");
  }
  std::string page() { return text("document.body.innerText"); }
  void look(const std::string& value) {
    browser_->evaluate("(() => { const s = document.querySelector('.sights select'); s.value = '" +
                       value + "'; s.onchange(); })()");
  }
};

TEST_F(HiddenPages, ARecordIsShownWholeOrAsARoleKnowsIt) {
  const std::string out = folder_.path().string();
  run_program("match kuhn_poker --player random --player random --seed 3 --quiet --out '" + out +
              "/m'");
  const ProgramRun run = run_program("report '" + out + "/m' --out '" + out + "/r.html'");
  ASSERT_EQ(run.code, 0) << run.output;
  browser_->resize(1200, 900, false);
  browser_->open("file://" + out + "/r.html");
  EXPECT_THAT(page(), HasSubstr("deal")) << "the chance move";
  EXPECT_THAT(page(), HasSubstr("holds")) << "a fact of the state";
  browser_->evaluate("document.querySelector('.viewer').focus()");
  browser_->press("Home");
  browser_->press("ArrowRight");
  EXPECT_THAT(page(), HasSubstr("first perceives"));
  EXPECT_THAT(page(), HasSubstr("second perceives"));
  screenshot("hidden_all");
  look("1");
  EXPECT_THAT(page(), Not(HasSubstr("deal")));
  EXPECT_THAT(page(), HasSubstr("2 histories fit what second knows"));
  EXPECT_EQ(chances("holds"), "[\"50 %\",\"50 %\",\"\"]") << "the first's card, and its own";
  EXPECT_THAT(page(), Not(HasSubstr("first perceives")));
  EXPECT_THAT(page(), HasSubstr("second perceives"));
  EXPECT_EQ(text("document.querySelectorAll('.moves tbody tr').length"),
            text("Number(document.querySelector('.buttons input').max)"));
  screenshot("hidden_second");
  look("");
  EXPECT_THAT(page(), HasSubstr("deal"));
  expect_no_errors();
}

TEST_F(HiddenPages, WhatARoleBelievesIsDrawnOnTheBoard) {
  const std::string out = folder_.path().string();
  run_program("match phantom_tic_tac_toe --player random --player random --seed 4 --quiet --out '" +
              out + "/m'");
  const ProgramRun run = run_program("report '" + out + "/m' --out '" + out + "/r.html'");
  ASSERT_EQ(run.code, 0) << run.output;
  browser_->resize(1200, 900, false);
  browser_->open("file://" + out + "/r.html");
  const std::string drawn = "document.querySelectorAll('.pieces .thing').length";
  const std::string likely =
      "[...document.querySelectorAll('.pieces .likely')].map((g) => [Number(g.querySelector("
      "'.chance').textContent), Number(g.querySelector('.thing').getAttribute('opacity'))])";
  EXPECT_EQ(text(likely), "[]") << "all is sure where everything is shown";
  browser_->evaluate("document.querySelector('.viewer').focus()");
  browser_->press("Home");
  browser_->press("ArrowRight");
  EXPECT_EQ(text(drawn), "1");
  look("1");
  // The first mark may be anywhere: one of nine.
  EXPECT_EQ(text(drawn), "9");
  EXPECT_EQ(text(likely + ".every(([chance, opacity]) => chance === 11 && opacity < 0.3)"), "true");
  screenshot("hidden_believed");
  look("0");
  EXPECT_EQ(text(drawn), "1");
  EXPECT_EQ(text(likely), "[]") << "its own mark is sure";
  browser_->press("ArrowRight");
  browser_->press("ArrowRight");
  browser_->press("ArrowRight");
  screenshot("hidden_believed_later");
  EXPECT_EQ(text(likely + ".every(([chance, opacity]) => chance > 0 && chance < 100 && "
                          "Math.abs(opacity - 0.2 - 0.008 * chance) < 0.001)"),
            "true");
  look("");
  EXPECT_EQ(text(likely), "[]");
  expect_no_errors();
}

TEST_F(HiddenPages, AnOpenGameHasNoSwitch) {
  const std::string out = folder_.path().string();
  run_program("match nim --player random --player random --seed 3 --quiet --out '" + out + "/m'");
  run_program("report '" + out + "/m' --out '" + out + "/r.html'");
  browser_->open("file://" + out + "/r.html");
  EXPECT_EQ(text("document.querySelector('.sights')"), "null");
  expect_no_errors();
}

TEST_F(HiddenPages, APersonSeesWhatTheyKnowUntilTheMatchIsOver) {
  play("kuhn_poker --against random --seed 5", {});
  bool turns = false;
  while (wait_for_turn()) {
    turns = true;
    const std::string steps = text("live.entry.match.steps");
    EXPECT_THAT(steps, Not(HasSubstr("( deal "))) << "not even in what the page was sent";
    // Of the other's card no more than that it is one of two.
    EXPECT_EQ(text("live.entry.match.steps.flatMap((s) => (s.beliefs || [])).length > 0"), "true");
    EXPECT_EQ(text("live.entry.match.steps.map((s) => (s.beliefs || []).filter((b) => b).length)"
                   ".every((n) => n === 1)"),
              "true")
        << "nobody else's belief";
    EXPECT_EQ(chances("holds"), "[\"50 %\",\"50 %\",\"\"]");
    EXPECT_THAT(steps, HasSubstr("( card "));
    EXPECT_THAT(page(), HasSubstr("You perceive "));
    EXPECT_EQ(text("document.getElementById('hint')"), "null") << "no hints";
    EXPECT_EQ(text("document.getElementById('undo')"), "null") << "nothing is taken back";
    screenshot("hidden_play");
    const std::string step = text("live.viewer.last");
    click("document.querySelector('.legal button')");
    ASSERT_TRUE(browser_->wait_until("live.viewer.last > " + step));
  }
  EXPECT_TRUE(turns);
  EXPECT_TRUE(browser_->wait_until("live.entry.match.end && live.entry.match.sight === undefined"));
  EXPECT_THAT(text("live.entry.match.steps"), HasSubstr("( deal ")) << "now everything";
  EXPECT_TRUE(browser_->wait_until("document.body.innerText.includes('deal')"));
  screenshot("hidden_over");
  expect_no_errors();
}

}  // namespace
}  // namespace ludens::server
