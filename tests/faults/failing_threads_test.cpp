// SPDX-License-Identifier: MIT
// Matches and tournaments when no thread can be had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <system_error>

#include "tests/agent/player/player_test.h"
#include "tests/faults/failing_calls.h"
#include "tests/server/tournament/tournament_runner.h"

namespace ludens::faults {
namespace {

class FailingThreads : public agent::PlayerTest {};

TEST_F(FailingThreads, OfDiagnosticsLetNoMatchBeginThatCannotBePlayed) {
  const auto got = start("m", "nobody", agent::kTurns);  // which has begun the game's thread
  {
    const FailingCall failing(FailingCall::Kind::Thread, 1);
    EXPECT_EQ(wait(got), "busy");
    EXPECT_TRUE(failing.happened());
  }
  EXPECT_TRUE(player->matches().empty());
  EXPECT_EQ(info(), agent::kAvailable);
}

class FailingLanes : public server::TournamentRunner {};

TEST_F(FailingLanes, LeaveTheTournamentToTheOthers) {
  for (const char* name : {"a", "b"}) add_builtin(name);
  options_.concurrency = 3;
  std::size_t finished = 0;
  std::uint64_t number = 0;
  for (bool happened = true; happened;) {
    options_.folder = scratch_.path() / std::to_string(++number);
    server::Watcher watcher;
    const FailingCall failing(FailingCall::Kind::Thread, number);
    try {
      const server::TournamentEnding ending = run(watcher);
      EXPECT_EQ(ending.reason, "all matches played") << number;
      EXPECT_EQ(watcher.results.size(), watcher.matches) << number;
      EXPECT_THAT(watcher.warnings,
                  testing::Contains(testing::StartsWith("only ")).Times(failing.happened() ? 1 : 0))
          << number;
      ++finished;
    } catch (const std::system_error&) {
      EXPECT_TRUE(watcher.results.empty()) << number;
    }
    happened = failing.happened();
  }
  EXPECT_EQ(number, 4U) << "a lane is a thread, and there are no others";
  EXPECT_EQ(finished, 3U) << "only the first one is needed";
}

}  // namespace
}  // namespace ludens::faults
