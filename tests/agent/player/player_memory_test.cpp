// SPDX-License-Identifier: MIT
// Rules whose derivation explodes: fifty moves on time, within the memory limit.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "tests/agent/player/player_test.h"

namespace ludens::agent {
namespace {

/// Ever deeper terms: a query for one of them that does not exist never ends.
constexpr const char* kExplosion = R"(
  (grown zero)
  (<= (grown (s ?x ?y)) (grown ?x) (grown ?y))
  (<= explodes (grown ?x) (not (grown ?x))))";

std::string game(const std::string& legal, const std::string& next, const std::string& end) {
  return "((role a) (role b) (init (round odd)) (hand hold) (hand show)" + std::string(kExplosion) +
         "(<= (legal ?r ?h) (role ?r) (hand ?h) " + legal + ")" +
         "(<= (next (round even)) (true (round odd)) " + next + ")" +
         "(<= (next (round odd)) (true (round even)) " + next + ")" +
         "(<= terminal (true never)) (<= terminal " + end + ") (goal a 0) (goal b 0))";
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class PlayerMemory : public PlayerTest {
 protected:
  void SetUp() override {
    PlayerTest::SetUp();
    options.memory_bytes = std::size_t{4} << 20;
  }
  /// Plays on, whatever the answers are; each must leave by its time. In the first turns time waits
  /// for the legal moves; they may come too late in the others.
  void play_turns(int turns, int unhurried) {
    for (int turn = 0; turn < turns; ++turn) {
      const TimePoint begin = time.now();
      const auto got = play("m", turn == 0 ? "nil" : turn % 2 == 0 ? "(hold show)" : "(show hold)");
      if (turn < unhurried) until([&] { return got->replies > 0 || status().legal; });
      for (int step = 0; step < 40 && got->replies == 0; ++step) {
        std::this_thread::sleep_for(ms(1));
        time.advance(ms(500));
      }
      ASSERT_EQ(got->replies, 1) << "turn " << turn << '\n' << log.str();
      EXPECT_LE(got->at - begin, s(14));
      answers.push_back(got->text);
    }
  }
  void begin(const std::string& rules) {
    const auto got = start("m", "a", rules);
    ASSERT_TRUE(until([&] {
      time.advance(ms(100));
      return got->replies > 0;
    }));
    ASSERT_EQ(got->text, "ready") << log.str();
    before = resident_bytes();
  }
  void expect_little_growth() const {
    EXPECT_LT(resident_bytes(), before + (std::size_t{200} << 20));
  }
  bool all_legal() const {
    return std::all_of(answers.begin(), answers.end(),
                       [](const auto& text) { return text == "hold" || text == "show"; });
  }

  std::vector<std::string> answers;
  std::size_t before = 0;
};

TEST_F(PlayerMemory, AnEndThatExplodesCostsNoMove) {
  begin(game("", "", "explodes"));
  play_turns(50, 50);
  EXPECT_TRUE(all_legal());
  expect_little_growth();
}

TEST_F(PlayerMemory, NorDoesItWithAStrategyThatNeverReturns) {
  script->play(deaf(*script));
  begin(game("", "", "explodes"));
  play_turns(50, 50);
  EXPECT_TRUE(all_legal());
  expect_little_growth();
}

TEST_F(PlayerMemory, NorWithOneThatThrows) {
  script->play([](const auto&, const auto&, auto&) { throw std::bad_alloc(); });
  begin(game("", "", "explodes"));
  play_turns(50, 50);
  EXPECT_TRUE(all_legal());
  expect_little_growth();
}

TEST_F(PlayerMemory, NorWithOneThatDerivesWithoutLimit) {
  // The strategies share the script, not the test's own variables: they may outlive the test.
  script->play([own = script.get()](const auto& position, const auto& deadline, auto& incumbent) {
    publish_last(position, incumbent);
    const auto context = position.machine->make_context({&deadline, own->memory.load()});
    bool over = false;
    gdl::Status status = gdl::Status::Ok;
    while (status == gdl::Status::Ok) {
      status = position.machine->terminal(*context, position.state, over);
    }
    own->over_budget += status == gdl::Status::OverBudget;
  });
  const auto got = start("m", "a", game("", "", "explodes"));
  ASSERT_TRUE(until([&] { return script->over_budget > 0; }));
  EXPECT_EQ(wait(got), "ready");
  before = resident_bytes();
  play_turns(50, 50);
  EXPECT_TRUE(all_legal());
  expect_little_growth();
}

TEST_F(PlayerMemory, RulesThatChangeNothingArePlayed) {
  begin_match("m", "r", "((role r) (init (s 0)) (legal r go) (next (s 0)) (goal r 50))");
  EXPECT_EQ(wait(play("m", "nil")), "go");
  EXPECT_EQ(stop("m", "(go)")->text, "done");
}

/// A match whose strategy has taken all memory that it can get, and keeps it until it is released.
class GreedyMatch : public PlayerMemory {
 protected:
  void SetUp() override {
    PlayerMemory::SetUp();
    script->play([own = script.get()](const auto& position, const auto&, auto& incumbent) {
      gdl::MemoryBudget& memory = *own->memory.load();
      publish_last(position, incumbent);
      std::size_t taken = 0;
      while (memory.reserve(1024)) taken += 1024;
      own->over_budget += 1;
      wait_for([&] { return own->release.load(); });
      memory.release(taken);
    });
    begin(rules);
    ASSERT_TRUE(until([&] { return script->over_budget > 0; }));
    EXPECT_EQ(abort("m")->text, "aborted");
  }
  void release() {
    script->play(quick());
    script->release = true;
    ASSERT_TRUE(until([&] { return script->running == 0; }));
  }

  const std::string rules = game("", "", "(true never)");
};

TEST_F(GreedyMatch, KeepsItsShareIfItDoesNotEnd) {
  const auto two = start("two", "a", rules);
  time.advance(s(4));
  EXPECT_EQ(wait(two), "busy");
  EXPECT_TRUE(logged("abandoned threads still hold the memory")) << log.str();
  release();
}

TEST_F(GreedyMatch, IsWaitedForByTheNextMatchWhileItEnds) {
  const auto two = start("two", "a", rules);
  const auto repeated = start("two", "a", rules);
  EXPECT_EQ(two->replies, 0);
  time.advance(ms(500));
  EXPECT_EQ(two->replies, 0);
  release();
  time.advance(s(30));
  EXPECT_EQ(wait(two), "ready") << log.str();
  EXPECT_EQ(wait(repeated), "ready") << log.str();
}

TEST_F(GreedyMatch, IsFollowedByAMatchThatIsKnownWhileItWaits) {
  const auto two = start("two", "b", rules);
  EXPECT_EQ(two->replies, 0);
  EXPECT_EQ(status().match_id, "two") << "its host has it for itself, if hosts are pinned";
  EXPECT_EQ(status().role, "b");
  EXPECT_TRUE(player->view("two").move.empty());
  abort("two");
  EXPECT_TRUE(player->matches().empty());
  release();
}

TEST_F(GreedyMatch, IsWaitedForForAQuarterOfAShortClock) {
  const auto two = start("two", "a", rules, 2, 2);
  time.advance(ms(400));
  EXPECT_EQ(two->replies, 0);
  time.advance(ms(200));
  EXPECT_EQ(wait(two), "busy");
  release();
}

TEST_F(GreedyMatch, IsNotFollowedByAMatchThatWasAbortedWhileItWaited) {
  const auto two = start("two", "a", rules);
  abort("two");
  release();
  time.advance(s(1));
  EXPECT_EQ(wait(two), "busy");
  EXPECT_EQ(info(), kAvailable);
}

TEST_F(GreedyMatch, IsWaitedForWhateverElseComesMeanwhile) {
  const auto two = start("two", "a", rules);
  for (const char* id : {"three", "four", "five", "six", "seven"}) {
    EXPECT_EQ(start(id, "a", rules)->text, "busy");
  }
  EXPECT_TRUE(logged("no capacity")) << log.str();
  EXPECT_EQ(info(), kIsBusy);
  EXPECT_EQ(two->replies, 0);
  release();
  time.advance(s(30));
  EXPECT_EQ(wait(two), "ready") << log.str();
}

TEST_F(GreedyMatch, LeavesNoStartUnansweredIfThePlayerEnds) {
  const auto two = start("two", "a", rules);
  player.reset();
  EXPECT_EQ(two->text, "busy");
}

TEST_F(GreedyMatch, IsFollowedByARefusedMatchWhenItHasEnded) {
  const auto two = start("two", "a", rules);
  time.advance(s(4));
  EXPECT_EQ(wait(two), "busy");
  release();
  EXPECT_THAT(wait(play("two", "nil")), testing::AnyOf("hold", "show"));
}

/// A strategy that keeps the memory that it has taken until it is freed.
class Hoarder final : public search::Strategy {
 public:
  explicit Hoarder(gdl::MemoryBudget& memory) : memory_(memory) {}
  ~Hoarder() override { memory_.release(taken_); }
  [[nodiscard]] std::string_view name() const override { return "hoarder"; }
  void think(const search::Position& position, const search::Deadline&,
             search::Incumbent& incumbent) override {
    publish_last(position, incumbent);
    while (memory_.reserve(1024)) taken_ += 1024;
  }

 private:
  gdl::MemoryBudget& memory_;
  std::size_t taken_ = 0;
};

class HoardingMatch : public PlayerMemory {
 protected:
  void SetUp() override {
    PlayerMemory::SetUp();
    options.make_strategy = [own = script](const search::StrategySpec&,
                                           const search::Resources& resources) {
      own->memory = resources.memory;
      return std::make_unique<Hoarder>(*resources.memory);
    };
    begin(kHands);
    EXPECT_EQ(wait(play("m", "nil")), "show");
    share = script->memory.load()->limit();
  }
  /// The memory of the match that has last begun to think.
  std::size_t used() const { return script->memory.load()->used(); }

  std::size_t share = 0;
};

TEST_F(HoardingMatch, ReturnsItsMemoryWhenItIsDead) {
  EXPECT_EQ(start("two", "a", kHands)->text, "busy");
  EXPECT_GT(used(), share / 2);
  time.advance(s(75));
  ASSERT_TRUE(until([&] { return used() < share / 16; })) << used();
  EXPECT_EQ(wait(play("two", "nil")), "show") << log.str();
  EXPECT_GT(script->memory.load()->limit(), share / 16 * 15);
}

TEST_F(HoardingMatch, GoesOnIfItsHostComesBack) {
  time.advance(s(1000));
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show") << log.str();
  EXPECT_GT(used(), share / 2);
}

TEST_F(HoardingMatch, LeavesItsMemoryToTheSameMatchThatBeginsAgain) {
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_EQ(start("m", "a", kHands)->text, "ready");
  ASSERT_TRUE(until([&] { return used() < share / 16; })) << used();
  EXPECT_EQ(wait(play("m", "nil")), "show") << log.str();
  EXPECT_GT(script->memory.load()->limit(), share / 16 * 15);
}

TEST_F(PlayerMemory, NextStatesThatExplodeAreAnsweredByGuesses) {
  begin(game("", "(not explodes)", "(true never)"));
  play_turns(20, 1);
  EXPECT_TRUE(logged("no legal move known")) << log.str();
  EXPECT_TRUE(all_legal());
  expect_little_growth();
}

TEST_F(PlayerMemory, LegalMovesThatExplodeAreAnsweredByNil) {
  begin(game("(not explodes)", "", "(true never)"));
  play_turns(20, 0);
  EXPECT_TRUE(logged("no legal move known")) << log.str();
  expect_little_growth();
}

}  // namespace
}  // namespace ludens::agent
