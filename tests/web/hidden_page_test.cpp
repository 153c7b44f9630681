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
  browser_->press("Home");
  browser_->press("ArrowRight");
  EXPECT_THAT(page(), HasSubstr("first perceives"));
  EXPECT_THAT(page(), HasSubstr("second perceives"));
  screenshot("hidden_all");
  look("1");
  EXPECT_THAT(page(), Not(HasSubstr("deal")));
  EXPECT_THAT(page(), Not(HasSubstr("holds")));
  EXPECT_THAT(page(), Not(HasSubstr("first perceives")));
  EXPECT_THAT(page(), HasSubstr("second perceives"));
  EXPECT_EQ(text("document.querySelectorAll('.moves tbody tr').length"),
            text("Number(document.querySelector('.buttons input').max)"));
  screenshot("hidden_second");
  look("");
  EXPECT_THAT(page(), HasSubstr("deal"));
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
    EXPECT_THAT(steps, Not(HasSubstr("deal"))) << "not even in what the page was sent";
    EXPECT_THAT(steps, Not(HasSubstr("holds")));
    EXPECT_THAT(steps, HasSubstr("( card "));
    EXPECT_THAT(page(), HasSubstr("You perceive "));
    EXPECT_EQ(text("document.getElementById('hint')"), "null") << "no hints";
    EXPECT_EQ(text("document.getElementById('undo')"), "null") << "nothing is taken back";
    screenshot("hidden_play");
    click("document.querySelector('.legal button')");
    ASSERT_TRUE(
        browser_->wait_until("live.turns.sent || !live.turns.turn || live.entry.match.end"));
    ASSERT_TRUE(browser_->wait_until("!live.turns.sent"));
  }
  EXPECT_TRUE(turns);
  EXPECT_TRUE(browser_->wait_until("live.entry.match.end && live.entry.match.sight === undefined"));
  EXPECT_THAT(text("live.entry.match.steps"), HasSubstr("deal")) << "now everything";
  EXPECT_TRUE(browser_->wait_until("document.body.innerText.includes('deal')"));
  screenshot("hidden_over");
  expect_no_errors();
}

}  // namespace
}  // namespace ludens::server
