// SPDX-License-Identifier: MIT
// When replies leave: clocks, margins, forced moves, dead matches, the end.
#include "tests/agent/machine_doubles.h"
#include "tests/agent/player/player_test.h"

namespace ludens::agent {
namespace {

class PlayerTime : public PlayerTest {};

TEST_F(PlayerTime, ReadyLeavesAtStartClockMinusMargin) {
  script->play(patient());
  const TimePoint begin = time.now();
  const auto got = start("m", "a", kTurns, 30, 15);
  ASSERT_TRUE(until([&] { return script->running > 0; }));
  time.advance(s(100));
  ASSERT_EQ(wait(got), "ready");
  EXPECT_EQ(got->at - begin, s(29));
}

TEST_F(PlayerTime, ReadyLeavesAtOnceWhenNothingIsGainedByThinkingOn) {
  const TimePoint begin = time.now();
  const auto got = start("m", "a", kTurns);
  wait(got);
  EXPECT_EQ(got->at, begin);
}

TEST_F(PlayerTime, ThinkingGoesOnBetweenReadyAndTheFirstPlay) {
  options.ponder = false;
  script->play(patient());
  begin_match("m", "a", kTurns);
  EXPECT_TRUE(until([&] { return script->calls == 2 && script->running == 1; }));
}

TEST_F(PlayerTime, PlayLeavesAtPlayClockMinusMargin) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const TimePoint begin = time.now();
  const auto got = thinking_play("m", "nil");
  time.advance(ms(13'999));
  EXPECT_EQ(got->replies, 0);
  time.advance(ms(1));
  ASSERT_EQ(got->replies, 1);
  EXPECT_EQ(got->text, "( Take 3 )");
  EXPECT_EQ(got->at - begin, s(14));
}

TEST_F(PlayerTime, AClockOfZeroLeavesTheTimeToFindALegalMove) {
  const auto faults = std::make_shared<Faults>();
  options.make_machine = [faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
    return make_faulty_machine(std::move(vocabulary), faults);
  };
  begin_match("m", "b", kTurns, 0, 0);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  faults->legal = Faults::Kind::Deaf;
  const auto got = play("m", "((take 3) noop)");
  ASSERT_TRUE(until([&] { return faults->stuck > 0; }));
  time.advance(ms(100));
  EXPECT_EQ(got->replies, 0);
  faults->legal = Faults::Kind::None;
  faults->release = true;
  EXPECT_EQ(wait(got), "( Take 3 )");
}

TEST_F(PlayerTime, TheClockBeginsWithTheFirstByte) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const TimePoint first_byte = time.now();
  time.advance(s(5));  // a slow request
  auto got = std::make_shared<Got>();
  player->handle(Play{"m", part("nil")}, first_byte, [got, this](std::string text) {
    ++got->replies;
    got->text = std::move(text);
    got->at = time.now();
  });
  ASSERT_TRUE(until([&] { return script->running > 0; }));
  time.advance(s(100));
  EXPECT_EQ(got->at - first_byte, s(14));
}

TEST_F(PlayerTime, TheMarginGrowsByTheLatenessOfTimers) {
  begin_match("m", "b", kHands);
  script->play(patient());
  time.lateness = ms(300);
  TimePoint begin = time.now();
  auto got = thinking_play("m", "nil");
  time.advance(s(60));
  EXPECT_EQ(got->at - begin, ms(14'300));
  begin = time.now();
  got = thinking_play("m", "(hold hold)");
  time.advance(s(60));
  EXPECT_EQ(got->at - begin, ms(14'000));  // a margin of 1,300 ms, and 300 ms late
  EXPECT_TRUE(logged("margin_ms=1300")) << log.str();
}

TEST_F(PlayerTime, AndOfTheEndsOfSearches) {
  options.ponder = false;
  begin_match("m", "b", kHands);
  script->play(deaf(*script));
  const auto late = thinking_play("m", "nil");
  time.lateness = s(1);  // of the timer, so that it leaves the answer to the search
  time.advance(ms(14'300));
  EXPECT_EQ(late->replies, 0);
  script->release = true;
  EXPECT_EQ(wait(late), "show");
  time.lateness = ms(0);
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_TRUE(logged("margin_ms=1300 why=\"search ended\"")) << log.str();
  EXPECT_EQ(wait(play("m", "(show hold)")), "show");
  EXPECT_TRUE(logged("margin_ms=1262")) << "it fades with every answer in time: " << log.str();
}

TEST_F(PlayerTime, AMarginOfHalfTheClockIsWarnedOfOnce) {
  begin_match("m", "b", kHands, 30, 1);
  script->play(patient());
  TimePoint begin = time.now();
  auto got = thinking_play("m", "nil");
  time.advance(s(2));
  EXPECT_EQ(got->at - begin, ms(500));
  got = thinking_play("m", "(hold hold)");
  time.advance(s(2));
  EXPECT_EQ(got->replies, 1);
  EXPECT_EQ(times_logged("the clock of 1 s leaves no more"), 1) << log.str();
}

TEST_F(PlayerTime, AForcedMoveIsAnsweredAtOnce) {
  begin_match("m", "b", kTurns);
  script->play(patient());
  const TimePoint begin = time.now();
  const auto got = play("m", "nil");
  EXPECT_EQ(wait(got), "noop");
  EXPECT_EQ(got->at, begin);
}

TEST_F(PlayerTime, AForcedMoveWaitsIfToldTo) {
  options.answer_forced_at_once = false;
  begin_match("m", "b", kTurns);
  script->play(patient());
  const TimePoint begin = time.now();
  const auto got = thinking_play("m", "nil");
  time.advance(s(20));
  EXPECT_EQ(wait(got), "noop");
  EXPECT_EQ(got->at - begin, s(14));
}

TEST_F(PlayerTime, AnExactValueIsAnsweredAtOnce) {
  begin_match("m", "a", kTurns);
  script->play(proving());
  const TimePoint begin = time.now();
  const auto got = play("m", "nil");
  EXPECT_EQ(wait(got), "( Take 3 )");
  EXPECT_EQ(got->at, begin);
}

TEST_F(PlayerTime, WhatPonderingHasProvedIsAnsweredAtOnce) {
  std::atomic<bool> proved{false};
  script->play({[&](const auto& position, auto& incumbent) {
                  const bool ponders = script->calls > 0;  // START is the first call
                  publish_last(position, incumbent, ponders);
                  if (ponders) proved = true;
                },
                until_stopped});
  begin_match("m", "a", kTurns);
  ASSERT_TRUE(until([&] { return proved.load(); }));
  script->play(until_stopped);
  const TimePoint begin = time.now();
  const auto got = play("m", "nil");
  EXPECT_EQ(wait(got), "( Take 3 )");
  EXPECT_EQ(got->at, begin);
}

TEST_F(PlayerTime, SecondsOfTheStrategyCapThinking) {
  options.strategy = {"double", {{"seconds", "0.05"}}};
  begin_match("m", "a", kTurns);
  script->play(patient());
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");  // time stands still: only the cap ends it
  time.run_posted();
  EXPECT_TRUE(until([&] { return script->running == 0; }));
  EXPECT_EQ(script->calls, 2);  // no pondering
}

TEST_F(PlayerTime, PonderingIsAboutThePositionThatMustFollow) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  ASSERT_TRUE(until([&] { return script->seen().back().size() == 2; }));  // one joint move on
  const auto names = script->seen().back();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  EXPECT_EQ(player->matches().at(0).step, 1u);
}

TEST_F(PlayerTime, PonderingIsAboutThePresentPositionWhereOthersChoose) {
  begin_match("m", "a", kHands);
  const int calls = script->calls;
  wait(play("m", "nil"));
  ASSERT_TRUE(until([&] { return script->calls == calls + 2; }));
  EXPECT_EQ(script->seen().back().size(), 0u);
}

TEST_F(PlayerTime, WithoutPonderingTheStrategyRestsBetweenTurns) {
  options.ponder = false;
  begin_match("m", "a", kHands);
  const int calls = script->calls;
  wait(play("m", "nil"));
  wait(play("m", "(hold hold)"));
  time.run_posted();
  EXPECT_EQ(script->calls, calls + 2);
}

TEST_F(PlayerTime, ACountOfZeroIsNoLimitAndPonderingGoesOn) {
  options.strategy.options["playouts"] = "0";
  begin_match("m", "a", kHands);
  const int calls = script->calls;
  wait(play("m", "nil"));
  EXPECT_TRUE(until([&] { return script->calls == calls + 2; }));
}

TEST_F(PlayerTime, ASilentMatchIsDeadAndMakesRoom) {
  begin_match("m", "a", kTurns, 30, 15);
  script->play(patient());
  thinking_play("m", "nil");
  time.advance(s(14));
  ASSERT_TRUE(until([&] { return script->calls == 4 && script->running > 0; }));
  time.advance(s(60));  // 74 s since the PLAY: less than 3 * 15 + 30
  EXPECT_EQ(send(Preview{part(kTurns), 10})->text, "busy");
  time.advance(s(1));
  EXPECT_EQ(info(), kAvailable);
  EXPECT_EQ(send(Preview{part(kTurns), 10})->text, "ready");
  EXPECT_TRUE(until([&] { return script->running == 0; }));  // no more pondering
  EXPECT_TRUE(player->matches().at(0).dead);
  script->play(quick());
  EXPECT_EQ(wait(start("n", "a", kTurns)), "ready");
  EXPECT_EQ(play("m", "nil")->text, "busy");
}

TEST_F(PlayerTime, ADeadMatchThatIsHeardOfAgainGoesOn) {
  begin_match("m", "a", kTurns, 30, 15);
  wait(play("m", "nil"));
  time.advance(s(1000));
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  EXPECT_EQ(info(), kIsBusy);
}

TEST_F(PlayerTime, BeforeItsFirstPlayAMatchMaySleepLonger) {
  begin_match("m", "a", kTurns, 100, 5);
  time.advance(s(159));
  EXPECT_EQ(info(), kIsBusy);
  time.advance(s(1));
  EXPECT_EQ(info(), kAvailable);
}

TEST_F(PlayerTime, TheMatchThatIsDeadForLongestGoesFirst) {
  options.matches = 2;
  begin_match("one", "a", kTurns);
  time.advance(s(10));
  begin_match("two", "a", kTurns);
  time.advance(s(1000));
  EXPECT_EQ(wait(start("three", "a", kTurns)), "ready");
  EXPECT_EQ(play("one", "nil")->text, "busy");
  EXPECT_EQ(wait(play("two", "nil")), "( Take 3 )");
}

TEST_F(PlayerTime, ShutDownWaitsForTheReplyUnderWay) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const auto got = thinking_play("m", "nil");
  bool done = false;
  player->shut_down([&] { done = true; });
  time.run_posted();
  EXPECT_FALSE(done);
  EXPECT_EQ(info(), kIsBusy);
  EXPECT_EQ(start("n", "a", kTurns)->text, "busy");
  time.advance(s(15));
  EXPECT_EQ(wait(got), "( Take 3 )");
  time.run_posted();
  EXPECT_TRUE(done);
}

TEST_F(PlayerTime, ShutDownWaitsForNoReplyLongerThanASecond) {
  begin_match("m", "a", kTurns, 30, 600);
  script->play(patient());
  const auto got = thinking_play("m", "nil");
  bool done = false;
  const TimePoint begin = time.now();
  player->shut_down([&] { done = true; });
  time.advance(s(1));
  EXPECT_EQ(wait(got), "( Take 3 )");
  EXPECT_LE(got->at - begin, s(1));
  time.run_posted();
  EXPECT_TRUE(done);
}

TEST_F(PlayerTime, ShutDownWaitsNoLongerForATurnThatWasInDoubt) {
  const auto faults = std::make_shared<Faults>();
  options.make_machine = [faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
    return make_faulty_machine(std::move(vocabulary), faults);
  };
  options.ponder = false;
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "show");
  faults->legal = Faults::Kind::Deaf;
  const auto guessed = play("m", "(hold hold)");
  ASSERT_TRUE(until([&] { return faults->stuck > 0; }));
  time.advance(s(14));
  EXPECT_EQ(wait(guessed), "show");
  script->play(patient());
  const auto doubtful = play("m", "(hold hold)");
  bool done = false;
  player->shut_down([&] { done = true; });
  faults->legal = Faults::Kind::None;
  faults->release = true;
  // It was another turn: the moves are legal again.
  ASSERT_TRUE(until([&] { return script->running > 0; })) << log.str();
  EXPECT_FALSE(done);
  time.advance(ms(600));
  EXPECT_EQ(doubtful->replies, 1) << "without the search, which would wait for its whole clock";
  EXPECT_EQ(doubtful->text, "show");
  time.run_posted();
  EXPECT_TRUE(done);
}

TEST_F(PlayerTime, ShutDownAnswersAStartAtOnce) {
  script->play(patient());
  const auto got = start("m", "a", kTurns);
  bool done = false;
  player->shut_down([&] { done = true; });
  EXPECT_EQ(got->text, "busy");
  time.run_posted();
  EXPECT_TRUE(done);
}

TEST_F(PlayerTime, DestructionDuringASearchAnswersAndEnds) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const auto got = thinking_play("m", "nil");
  player.reset();
  EXPECT_EQ(got->replies, 1);
  EXPECT_EQ(script->running, 0);
  time.advance(s(100));  // what was abandoned does nothing
  EXPECT_EQ(got->replies, 1);
}

}  // namespace
}  // namespace ludens::agent
