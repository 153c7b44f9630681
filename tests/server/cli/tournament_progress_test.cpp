// SPDX-License-Identifier: MIT
#include "server/cli/tournament_progress.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "tests/server/cli/pseudo_terminal.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProgressOfTournament : public testing::Test {
 protected:
  void SetUp() override { ::setenv("TERM", "xterm", 1); }

  TournamentProgress progress_on(int terminal) {
    return {out_, terminal, stop_.get_token(), [this] { return now_.load(); }};
  }
  void pass(std::chrono::milliseconds time) { now_ = now_.load() + time; }
  /// What the terminal shows, until it has `part` in it.
  std::string shown_until(const std::string& part) {
    std::string text;
    for (int i = 0; i < 5'000 && text.find(part) == std::string::npos; ++i) {
      text += terminal_.written();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return text;
  }

  PseudoTerminal terminal_{100, 24};
  std::ostringstream out_;
  std::stop_source stop_;
  std::atomic<TournamentProgress::Clock::time_point> now_{};
  TournamentPlan plan_ = demo_plan();
  std::vector<MatchResult> block_ = two_player_block(0, "duel", "ann", "bob", {100, 50});
};

TEST_F(ProgressOfTournament, IsLinesInALog) {
  TournamentProgress progress = progress_on(-1);
  plan_.seed = 7;
  progress.began(plan_, {.matches = 4, .blocks = 2, .done = {}});
  progress.match_ended({}, block_[0]);
  block_[1].faults[0] = {.late = 2, .illegal = 1};
  block_[1] = aborted(block_[1], {"bob"});
  pass(std::chrono::hours(1));
  progress.match_ended({}, block_[1]);
  progress.warned("bob is down");
  progress.decided("H0 accepted");
  EXPECT_EQ(out_.str(),
            plan_.id() +
                ": 4 matches in 2 blocks\n"
                "1/4 duel, round 1: ann 100, bob 0 in 10 steps, 0.050 s\n"
                "2/4 duel, round 1: bob, ann in 10 steps, 0.050 s; bob 2 late, 1 illegal; "
                "aborted: broken off\n"
                "warning: bob is down\n"
                "H0 accepted\n");
}

TEST_F(ProgressOfTournament, EstimatesOnATerminalTheTimeLeft) {
  TournamentProgress progress = progress_on(terminal_.file());
  const auto before = two_player_block(1, "duel", "ann", "bob", {100, 50});
  progress.began(plan_, {.matches = 8, .blocks = 4, .done = before});
  EXPECT_THAT(shown_until("2 of 8 matches"), Not(HasSubstr("left"))) << "nothing is known yet";
  pass(std::chrono::seconds(3));
  progress.match_ended({}, block_[0]);
  pass(std::chrono::seconds(3));
  progress.match_ended({}, block_[1]);
  // Four more of three seconds; those of the earlier run took no time of this one.
  EXPECT_THAT(shown_until("4 of 8 matches, 0:12 left"), HasSubstr("0:12 left"));
}

TEST_F(ProgressOfTournament, OfATestIsAtMostAsLong) {
  plan_.sprt = SprtPlan{};
  TournamentProgress progress = progress_on(terminal_.file());
  progress.began(plan_, {.matches = 4, .blocks = 2, .done = {}});
  pass(std::chrono::seconds(61));
  progress.match_ended({}, block_[0]);
  EXPECT_THAT(shown_until("left"), HasSubstr("1 of 4 matches, at most 3:03 left"));
}

TEST_F(ProgressOfTournament, ShowsStandingsOnATerminalNowAndThen) {
  TournamentProgress progress = progress_on(terminal_.file());
  progress.began(plan_, {.matches = 2, .blocks = 1, .done = {}});
  pass(std::chrono::seconds(59));
  progress.match_ended({}, block_[0]);
  EXPECT_THAT(out_.str(), Not(HasSubstr("rank")));
  pass(std::chrono::seconds(2));
  progress.match_ended({}, block_[1]);
  EXPECT_THAT(out_.str(), HasSubstr("2/2 duel, round 1: bob 50, ann 50 in 10 steps, 0.050 s\n"
                                    "  rank  player"));
}

TEST_F(ProgressOfTournament, SaysThatItStops) {
  TournamentProgress progress = progress_on(-1);
  progress.began(plan_, {.matches = 2, .blocks = 1, .done = {}});
  stop_.request_stop();
  EXPECT_THAT(out_.str(), HasSubstr("\nstopping: "));
}

}  // namespace
}  // namespace ludens::server
