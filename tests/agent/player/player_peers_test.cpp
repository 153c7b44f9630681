// SPDX-License-Identifier: MIT
// What one host may take of a player that others want to play with, too.
#include <filesystem>
#include <iterator>

#include "agent/thread/retired_threads.h"
#include "tests/agent/player/killed_player_test.h"

namespace ludens::agent {
namespace {

/// The number of threads that have not ended.
std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

class PlayerPeers : public KilledPlayerTest {
 protected:
  void SetUp() override {
    KilledPlayerTest::SetUp();
    options.matches = 4;
    options.peer_matches = 3;
  }
  GotPointer start_from(const std::string& address, const std::string& id) {
    peer = address;
    return start(id, "a", kHands);
  }
  std::string info_from(const std::string& address) {
    peer = address;
    return info();
  }
};

TEST_F(PlayerPeers, OneAddressLeavesAPlaceToOthers) {
  for (const char* id : {"one", "two", "three"}) {
    EXPECT_EQ(wait(start_from("10.0.0.1", id)), "ready");
  }
  EXPECT_EQ(start_from("10.0.0.1", "four")->text, "busy");
  EXPECT_TRUE(logged("--peer-matches")) << log.str();
  EXPECT_EQ(info_from("10.0.0.1"), kIsBusy);
  EXPECT_EQ(info_from("10.0.0.2"), kAvailable);
  EXPECT_EQ(wait(start_from("10.0.0.2", "five")), "ready");
  EXPECT_EQ(start_from("10.0.0.3", "six")->text, "busy");
  peer = "10.0.0.1";
  EXPECT_EQ(wait(stop("one", "nil")), "done");
  EXPECT_EQ(wait(start_from("10.0.0.1", "four")), "ready");
}

TEST_F(PlayerPeers, AnAddressAtItsMostLosesItsOwnDeadMatch) {
  for (const char* id : {"one", "two", "three"}) {
    EXPECT_EQ(wait(start_from("10.0.0.1", id)), "ready");
    time.advance(s(1));
  }
  time.advance(s(1000));
  // The threads of three strategies need a moment to end, and by this clock they have had theirs.
  ASSERT_TRUE(until([&] { return info_from("10.0.0.1") == kAvailable; })) << log.str();
  EXPECT_EQ(wait(start_from("10.0.0.1", "four")), "ready");
  EXPECT_EQ(play("one", "nil")->text, "busy");
  EXPECT_EQ(wait(play("two", "nil")), "show");
}

TEST_F(PlayerPeers, AHostWithoutAMatchTakesThePlaceOfOneThatIsOverdue) {
  for (const char* address : {"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"}) {
    EXPECT_EQ(wait(start_from(address, address)), "ready");
    time.advance(s(1));
  }
  time.advance(s(60));  // the start clock is 30 s
  EXPECT_EQ(info_from("10.0.0.5"), kIsBusy);
  EXPECT_EQ(start_from("10.0.0.5", "early")->text, "busy");
  EXPECT_EQ(start_from("10.0.0.1", "greedy")->text, "busy");
  time.advance(s(10));
  EXPECT_EQ(info_from("10.0.0.2"), kIsBusy);
  EXPECT_EQ(start_from("10.0.0.2", "greedy")->text, "busy");
  EXPECT_EQ(info_from("10.0.0.5"), kAvailable);
  EXPECT_EQ(wait(start_from("10.0.0.5", "five")), "ready");
  EXPECT_EQ(play("10.0.0.1", "nil")->text, "busy");
  EXPECT_EQ(wait(play("10.0.0.2", "nil")), "show");
}

TEST_F(PlayerPeers, AHostTakesThePlaceOfItsOwnMatchOnceThatIsOverdue) {
  options.matches = options.peer_matches = 1;
  EXPECT_EQ(wait(start_from("10.0.0.1", "one")), "ready");
  time.advance(s(69));  // the start clock is 30 s
  EXPECT_EQ(start_from("10.0.0.1", "two")->text, "busy");
  time.advance(s(1));
  EXPECT_EQ(wait(start_from("10.0.0.1", "two")), "ready");
  EXPECT_EQ(play("one", "nil")->text, "busy");
}

TEST_F(PlayerPeers, AMatchOfVeryLongClocksGivesWayToAnyOther) {
  options.matches = options.peer_matches = 1;
  script->play(patient());
  peer = "10.0.0.1";
  const auto greedy = start("greedy", "a", kHands, 1'000'000'000, 1'000'000'000);
  ASSERT_TRUE(until([&] { return script->running == 1; }));
  EXPECT_EQ(greedy->replies, 0);
  EXPECT_EQ(info_from("10.0.0.2"), kAvailable);
  EXPECT_EQ(info_from("10.0.0.1"), kAvailable);
  script->play(quick());
  EXPECT_EQ(wait(start_from("10.0.0.2", "two")), "ready");
  EXPECT_EQ(play("greedy", "nil")->text, "busy");
}

TEST_F(PlayerPeers, SoDoesOneThatWasResumedAndNobodyPondersForIt) {
  options.matches = options.peer_matches = 1;
  peer = "10.0.0.1";
  EXPECT_EQ(wait(start("greedy", "a", kHands, 10, 4000)), "ready");
  script->play(patient());
  const int calls = script->calls;
  crash();
  ASSERT_TRUE(until([&] { return status().legal.has_value(); })) << log.str();
  time.advance(s(1));
  EXPECT_EQ(script->calls, calls);
  EXPECT_EQ(info_from("10.0.0.2"), kAvailable);
  script->play(quick());
  EXPECT_EQ(wait(start_from("10.0.0.2", "two")), "ready");
}

TEST_F(PlayerPeers, AClockIsCutToWhatAMatchMayTake) {
  options.max_clock_seconds = 20;
  script->play(patient());
  peer = "10.0.0.1";
  const auto got = start("long", "a", kHands, 1'000'000'000, 10);
  ASSERT_TRUE(until([&] { return script->running == 1; }));
  time.advance(s(19));
  EXPECT_EQ(wait(got), "ready");
}

TEST_F(PlayerPeers, OneThatHadAllPlacesLetsAnotherGoFirst) {
  options.matches = options.peer_matches = 1;
  EXPECT_EQ(wait(start_from("10.0.0.1", "one")), "ready");
  EXPECT_EQ(start_from("10.0.0.2", "other")->text, "busy");
  peer = "10.0.0.1";
  EXPECT_EQ(wait(stop("one", "nil")), "done");
  EXPECT_EQ(info(), kIsBusy);
  EXPECT_EQ(start_from("10.0.0.1", "two")->text, "busy");
  EXPECT_TRUE(logged("another host waits for the place")) << log.str();
  EXPECT_EQ(info_from("10.0.0.2"), kAvailable);
  EXPECT_EQ(wait(start_from("10.0.0.2", "other")), "ready");
  EXPECT_EQ(wait(stop("other", "nil")), "done");
  // It does not wait for one that does not come.
  EXPECT_EQ(wait(start_from("10.0.0.1", "three")), "ready");
  EXPECT_EQ(start_from("10.0.0.2", "more")->text, "busy");
  peer = "10.0.0.1";
  EXPECT_EQ(wait(stop("three", "nil")), "done");
  EXPECT_EQ(info(), kIsBusy);
  time.advance(s(30));
  EXPECT_EQ(wait(start_from("10.0.0.1", "four")), "ready");
}

TEST_F(PlayerPeers, NobodyPondersForLongerThanAClockMayBe) {
  options.max_clock_seconds = 200;
  peer = "10.0.0.1";
  begin_match("m", "a", kHands, 30, 100);
  script->play(patient());
  thinking_play("m", "nil");
  const int calls = script->calls;
  time.advance(s(100));
  ASSERT_TRUE(until([&] { return script->calls > calls && script->running == 1; }));
  time.advance(s(99));
  EXPECT_EQ(script->running, 1);
  time.advance(s(1));
  EXPECT_TRUE(until([&] { return script->running == 0; }));
  EXPECT_FALSE(status().dead);
}

TEST_F(PlayerPeers, LargeRulesOfARefusedMatchTakeNoMemory) {
  options.memory_bytes = std::size_t{64} << 20;
  options.matches = 1;
  std::string facts;
  while (facts.size() < 200'000) facts += " (fact a)";
  std::string large = kHands;
  large.insert(large.rfind(')'), facts);
  const auto refused = [this](const char* id, const std::string& rules) {
    const Part read = part(rules);
    EXPECT_EQ(send(Start{id, "a", read, 30, 15})->text, "busy");
    return std::weak_ptr(read.tree);
  };
  EXPECT_EQ(wait(start_from("10.0.0.1", "one")), "ready");
  EXPECT_FALSE(refused("small", kHands).expired());
  EXPECT_TRUE(refused("large", large).expired());
  EXPECT_EQ(wait(abort("one")), "aborted");
  EXPECT_EQ(play("large", "nil")->text, "busy");
  EXPECT_EQ(wait(play("small", "nil")), "show");
}

TEST_F(PlayerPeers, WhoseStrategiesDoNotEndGetsNoMoreMatches) {
  script->play(deaf(*script));
  make_player();  // with a thread for its journal
  const auto other_threads = threads_of_process();
  int taken = 0;
  for (; taken < 10; ++taken) {
    peer = "10.0.0.1";
    const auto got = start("m", "a", kHands);
    if (got->replies > 0) break;  // refused at once
    ASSERT_TRUE(until([&] { return script->running == taken + 1; }));
    EXPECT_EQ(wait(abort("m")), "aborted");
    if (taken < 3) continue;
    // The time of the four that do not end is over; all others of these matches have ended by then.
    ASSERT_TRUE(until([&] { return threads_of_process() <= other_threads + 4; }));
    time.advance(RetiredThreads::kEnding);
  }
  EXPECT_EQ(taken, 4);
  script->play(quick());
  EXPECT_EQ(wait(start_from("10.0.0.2", "other")), "ready");
  EXPECT_FALSE(logged("no strategy")) << log.str();
  // Nor does it end the match of another host for a START that is refused.
  time.advance(s(1));
  for (const char* address : {"10.0.0.3", "10.0.0.4", "10.0.0.5"}) {
    EXPECT_EQ(wait(start_from(address, address)), "ready");
  }
  time.advance(s(75));
  EXPECT_EQ(info_from("10.0.0.6"), kAvailable) << "in place of one that is overdue";
  EXPECT_EQ(info_from("10.0.0.1"), kIsBusy);
  EXPECT_EQ(start_from("10.0.0.1", "m")->text, "busy");
  EXPECT_TRUE(logged("of this host's matches still run")) << log.str();
  peer = "10.0.0.2";
  EXPECT_EQ(wait(play("other", "nil")), "show") << log.str();
}

TEST_F(PlayerPeers, ResumedMatchesBelongToWhoContinuesThem) {
  const auto ids = {"one", "two", "three"};
  for (const char* id : ids) EXPECT_EQ(wait(start_from("10.0.0.1", id)), "ready");
  crash();
  for (const char* id : ids) EXPECT_EQ(wait(play(id, "nil")), "show");
  EXPECT_EQ(info_from("10.0.0.1"), kIsBusy);
  EXPECT_EQ(start_from("10.0.0.1", "four")->text, "busy");
  EXPECT_TRUE(logged("--peer-matches")) << log.str();
  EXPECT_EQ(wait(start_from("10.0.0.2", "five")), "ready");
}

TEST_F(PlayerPeers, SoDoTheirThreadsThatDoNotEnd) {
  options.matches = options.peer_matches = 6;
  make_player();  // with a thread for its journal
  const auto other_threads = threads_of_process();
  const auto ids = {"one", "two", "three", "four"};
  for (const char* id : ids) EXPECT_EQ(wait(start_from("10.0.0.1", id)), "ready");
  crash();
  script->play(deaf(*script));
  int running = 0;
  for (const char* id : ids) {
    play(id, "nil");
    ASSERT_TRUE(until([&] { return script->running > running; }));
    ++running;
  }
  for (const char* id : ids) EXPECT_EQ(wait(abort(id)), "aborted");
  ASSERT_TRUE(until([&] { return threads_of_process() <= other_threads + 4; }));
  time.advance(RetiredThreads::kEnding);
  EXPECT_EQ(info_from("10.0.0.1"), kIsBusy);
  EXPECT_EQ(info_from("10.0.0.2"), kAvailable);
}

/// Threads of matches that have just ended are on their way out, and no reason to play without a
/// strategy.
TEST_F(PlayerPeers, ManyMatchesThatEndAtOnceLeaveTheNextItsStrategy) {
  script->play(deaf(*script));
  for (int i = 0; i < 12; ++i) {
    start("m", "a", kHands);
    ASSERT_TRUE(until([&] { return script->running == i + 1; }));
    EXPECT_EQ(wait(abort("m")), "aborted");
  }
  script->play(quick());
  EXPECT_EQ(wait(start("next", "a", kHands)), "ready");
  EXPECT_FALSE(logged("no strategy")) << log.str();
}

}  // namespace
}  // namespace ludens::agent
