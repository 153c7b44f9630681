// SPDX-License-Identifier: MIT
// Strategies and machines that misbehave: they cost strength, never the move.
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>

#include "agent/thread/retired_threads.h"
#include "tests/agent/machine_doubles.h"
#include "tests/agent/player/player_test.h"

namespace ludens::agent {
namespace {

class PlayerStrategy : public PlayerTest {
 protected:
  /// Plays turns of kHands; every answer must leave in time and be one of the two moves.
  void play_hands(int turns) {
    for (int turn = 0; turn < turns; ++turn) {
      const TimePoint begin = time.now();
      const auto got = play("m", turn == 0 ? "nil" : turn % 2 == 1 ? "(hold show)" : "(show hold)");
      until([&] { return got->replies > 0 || status().legal; });
      for (int step = 0; step < 100 && got->replies == 0; ++step) {
        time.advance(ms(150));
        std::this_thread::sleep_for(ms(1));
      }
      ASSERT_EQ(got->replies, 1) << "turn " << turn << '\n' << log.str();
      EXPECT_TRUE(got->text == "hold" || got->text == "show") << got->text;
      EXPECT_LE(got->at - begin, s(14));
    }
  }
};

TEST_F(PlayerStrategy, OneThatPublishesNothingCostsStrengthOnly) {
  script->play([](const auto&, const auto&, auto&) {});
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "hold");
}

TEST_F(PlayerStrategy, AnIllegalChoiceIsNotSent) {
  script->play([](const auto&, const auto&, auto& incumbent) {
    search::Choice choice;
    choice.move = 12'345;
    incumbent.publish(choice);
  });
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "hold");
  EXPECT_TRUE(logged("chose an illegal move")) << log.str();
}

TEST_F(PlayerStrategy, OneThatThrowsIsReplacedAndThenGivenUp) {
  script->play([](const auto&, const auto&, auto&) { throw std::runtime_error("no idea"); });
  begin_match("m", "a", kHands);
  play_hands(50);
  EXPECT_TRUE(logged("the strategy failed: no idea")) << log.str();
  EXPECT_EQ(script->made, 3);
  EXPECT_EQ(times_logged("going on without strategy"), 1) << log.str();
}

TEST_F(PlayerStrategy, WhatItPublishedBeforeItThrewStands) {
  begin_match("m", "a", kHands);
  script->play([](const auto& position, const auto&, auto& incumbent) {
    publish_last(position, incumbent);
    throw std::bad_alloc();
  });
  EXPECT_EQ(wait(play("m", "nil")), "show");
}

TEST_F(PlayerStrategy, AnythingMayBeThrown) {
  script->play([](const auto&, const auto&, auto&) { throw 42; });
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "hold");
  EXPECT_TRUE(logged("unknown type")) << log.str();
}

TEST_F(PlayerStrategy, OneThatCantBeMadeIsDoneWithout) {
  options.make_strategy = [](const search::StrategySpec&, const search::Resources&) {
    return std::unique_ptr<search::Strategy>();
  };
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "hold");
}

TEST_F(PlayerStrategy, EveryRoleOfEveryMatchHasASeedOfItsOwn) {
  struct Seeds {
    std::mutex mutex;
    std::set<std::string> all;
  };
  const auto play_all = [this] {
    const auto seeds = std::make_shared<Seeds>();
    options.make_strategy = [script = script, seeds](const search::StrategySpec& spec,
                                                     const search::Resources&) {
      const std::lock_guard lock(seeds->mutex);
      seeds->all.insert(spec.options.at("seed"));
      return std::make_unique<Double>(script);
    };
    make_player();
    for (const auto& [id, role] : {std::pair("m", "a"), {"m", "b"}, {"n", "a"}}) {
      begin_match(id, role, kHands);
      abort(id);
    }
    const std::lock_guard lock(seeds->mutex);
    return seeds->all;
  };
  options.seed = 5;
  const auto once = play_all();
  EXPECT_EQ(once.size(), 3u);
  EXPECT_EQ(play_all(), once);
  options.seed = 6;
  EXPECT_NE(play_all(), once);
  options.strategy.options["seed"] = "7";
  EXPECT_EQ(play_all(), std::set<std::string>{"7"});
}

TEST_F(PlayerStrategy, ABadOptionIsLogged) {
  options.make_strategy = nullptr;
  options.strategy = {"random", {{"seed", "fish"}}};
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  EXPECT_TRUE(logged("the strategy failed: ")) << log.str();
  EXPECT_TRUE(logged("seed")) << log.str();
}

TEST_F(PlayerStrategy, TheRegistrysStrategiesPlay) {
  options.make_strategy = nullptr;
  options.strategy = {"random", {}};
  begin_match("m", "a", kHands);
  play_hands(3);
}

TEST_F(PlayerStrategy, OneThatDoesNotStopIsAbandonedAndReplaced) {
  begin_match("m", "a", kHands);
  script->play(deaf(*script));
  const auto first = thinking_play("m", "nil");
  ASSERT_TRUE(until([&] { return script->running > 0; }));
  time.advance(s(14));  // not longer: what begins now is deaf, too
  EXPECT_EQ(wait(first), "show");
  script->play(quick());
  const TimePoint begin = time.now();
  const auto second = play("m", "(hold hold)");
  ASSERT_TRUE(until([&] {
    time.advance(ms(10));
    return logged("abandoned");
  })) << log.str();
  // From here on time stands still: the thread of the new strategy may begin as late as it likes.
  EXPECT_EQ(wait(second), "show");  // chosen by a strategy, not the first legal move
  EXPECT_LE(second->at - begin, s(5));
  EXPECT_TRUE(until([&] { return script->running == 1; }));  // the deaf one; pondering is short
}

TEST_F(PlayerStrategy, FiftyTurnsOnTimeWithOneThatNeverReturns) {
  script->play(deaf(*script));
  begin_match("m", "a", kHands);
  play_hands(50);
  EXPECT_LE(script->running, 3);
  EXPECT_TRUE(logged("too many abandoned threads")) << log.str();
}

TEST_F(PlayerStrategy, StuckThreadsOfManyMatchesAreBounded) {
  script->play(deaf(*script));
  for (int match = 0; match < 6; ++match) {
    begin_match("m", "a", kHands);
    play_hands(6);
    EXPECT_EQ(abort("m")->text, "aborted");
  }
  EXPECT_LE(script->running, 9);
}

TEST_F(PlayerStrategy, AThreadThatReturnsAfterAllMakesRoomForAnother) {
  script->play(deaf(*script));
  begin_match("m", "a", kHands);
  play_hands(6);
  script->release = true;
  ASSERT_TRUE(until([&] { return script->running == 0; }));
  script->play(quick());
  const auto got = play("m", "(hold show)");
  EXPECT_EQ(wait(got), "show") << log.str();
}

TEST_F(PlayerStrategy, DestructionLetsGoOfWhatDoesNotEnd) {
  script->play(deaf(*script));
  begin_match("m", "a", kHands);
  player.reset();
  EXPECT_TRUE(logged("threads did not end")) << log.str();
  EXPECT_GE(script->running, 1);
}

TEST_F(PlayerStrategy, ThreadsAndMemoryAreSharedOutOverMatches) {
  options.matches = 2;
  options.threads = 8;
  options.memory_bytes = std::size_t{64} << 20;
  begin_match("m", "a", kHands);
  EXPECT_EQ(script->threads, 4u);
  ASSERT_NE(script->memory, nullptr);
  EXPECT_EQ(script->memory.load()->limit(), std::size_t{24} << 20);
}

TEST_F(PlayerStrategy, ASearchThatTakesAllItsMemoryLeavesTheRefereeItsOwn) {
  options.memory_bytes = std::size_t{16} << 20;
  script->play([own = script.get()](const auto& position, const auto&, auto& incumbent) {
    while (own->memory.load()->reserve(1024)) {
    }
    publish_last(position, incumbent);
  });
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "show");
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
}

class PlayerMachine : public PlayerStrategy {
 protected:
  void SetUp() override {
    PlayerStrategy::SetUp();
    options.make_machine = [machine = faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
      return make_faulty_machine(std::move(vocabulary), machine);
    };
  }
  void TearDown() override {
    faults->release = true;
    PlayerStrategy::TearDown();
  }
  std::shared_ptr<Faults> faults = std::make_shared<Faults>();
};

TEST_F(PlayerMachine, LegalMovesThatCantBeDerivedInTimeAreGuessed) {
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "show");
  faults->legal = Faults::Kind::Hangs;
  const TimePoint begin = time.now();
  const auto got = play("m", "(show hold)");
  time.advance(s(15));
  EXPECT_EQ(wait(got), "show");
  EXPECT_EQ(got->at - begin, s(14));
  EXPECT_TRUE(logged("no legal move known")) << log.str();
  faults->legal = Faults::Kind::None;
  faults->release = true;
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
}

TEST_F(PlayerMachine, StuckGameThreadsOfManyMatchesAreBounded) {
  faults->legal = Faults::Kind::Deaf;
  int taken = 0;
  for (; taken < 30; ++taken) {
    const auto got = start("m", "a", kHands);
    if (got->replies > 0) break;  // refused at once
    ASSERT_TRUE(until([&] { return faults->stuck == taken + 1; }));
    EXPECT_EQ(abort("m")->text, "aborted");
    if (taken % 8 == 7) time.advance(RetiredThreads::kEnding);  // their time to end is over
  }
  EXPECT_EQ(taken, 8);
  EXPECT_TRUE(logged("too many abandoned threads")) << log.str();
  faults->release = true;
  ASSERT_TRUE(until([&] { return start("m", "a", kHands)->text != "busy"; }));
}

TEST_F(PlayerMachine, ReadyIsSentAlthoughNothingCouldBeDerived) {
  faults->legal = Faults::Kind::Hangs;
  const auto got = start("m", "a", kHands);
  time.advance(s(30));
  EXPECT_EQ(wait(got), "ready");
  const auto first = play("m", "nil");
  time.advance(s(15));
  EXPECT_EQ(wait(first), "nil");
}

TEST_F(PlayerMachine, AStateThatTakesTooMuchMemoryIsTriedAgainLater) {
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  faults->next = Faults::Kind::OverBudget;
  EXPECT_EQ(wait(play("m", "(show hold)")), "show");
  EXPECT_TRUE(logged("could not be derived")) << log.str();
  faults->next = Faults::Kind::None;
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
}

TEST_F(PlayerMachine, AnExceptionIsSurvived) {
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  faults->legal = Faults::Kind::Throws;
  EXPECT_EQ(wait(play("m", "(show hold)")), "show");
  EXPECT_TRUE(until_logged("could not be followed: broken")) << log.str();
}

}  // namespace
}  // namespace ludens::agent
