// SPDX-License-Identifier: MIT
#include "server/live/live_screen.h"

#include <chrono>
#include <sstream>
#include <thread>

#include "tests/server/live/pseudo_terminal.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

TournamentOverview overview() {
  return {.matches = 2, .blocks = 1, .concurrency = 1, .done = {}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What is drawn until it contains `part`.
std::string drawn_until(const PseudoTerminal& pseudo, const std::string& part) {
  std::string text;
  for (int i = 0; i < 1'000 && !has(text, part); ++i) {
    text += pseudo.written();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return text;
}

TEST(LiveScreen, FollowsATournamentFromBeginningToEnd) {
  const PseudoTerminal pseudo(100, 30);
  std::ostringstream plain;
  const std::stop_source stop;
  LiveScreen screen(pseudo.file(), plain, stop.get_token());
  EXPECT_EQ(pseudo.written(), "") << "nothing before it begins";
  screen.began(demo_plan(), overview());
  EXPECT_TRUE(has(drawn_until(pseudo, "0 of 2 matches"), "demo, round-robin"));
  for (const MatchResult& result : two_player_block(0, "duel", "ann", "bob", {100, 50})) {
    screen.match_ended({}, result);
  }
  screen.warned("bob is slow");
  EXPECT_TRUE(has(drawn_until(pseudo, "bob is slow"), "2 of 2 matches"));
  EXPECT_EQ(plain.str(), "") << "lines would spoil the screen";
  screen.ended({});
  EXPECT_TRUE(has(pseudo.written(), "\x1b[?1049l"));
  EXPECT_EQ(plain.str(), "warning: bob is slow\n");
}

TEST(LiveScreen, GivesTheScreenBackBeforeAStopRequestReturns) {
  const PseudoTerminal pseudo(100, 30);
  std::ostringstream plain;
  std::stop_source stop;
  LiveScreen screen(pseudo.file(), plain, stop.get_token());
  screen.began(demo_plan(), overview());
  drawn_until(pseudo, "0 of 2 matches");
  stop.request_stop();
  EXPECT_TRUE(has(pseudo.written(), "\x1b[?1049l"));
  EXPECT_TRUE(has(plain.str(), "stopping"));
  screen.match_ended({}, two_player_block(0, "duel", "ann", "bob", {100, 50})[0]);
  EXPECT_TRUE(has(plain.str(), "duel, round 1: ann 100, bob 0")) << "lines from then on";
  screen.ended({});
  EXPECT_EQ(pseudo.written(), "");
}

TEST(LiveScreen, IsNotForPipes) {
  // Standard error of a test run is a terminal or not; lines come where a screen is not wanted.
  const std::stop_source stop;
  const auto follower = follow_on_standard_error(false, stop.get_token());
  EXPECT_EQ(dynamic_cast<LiveScreen*>(follower.get()), nullptr);
}

}  // namespace
}  // namespace ludens::server
