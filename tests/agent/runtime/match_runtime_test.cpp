// SPDX-License-Identifier: MIT
// One player in one match: its phases, its answers, and what it does beside the search.
#include "agent/runtime/match_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "agent/message/message.h"
#include "search/registry/registry.h"
#include "tests/agent/hands_game.h"
#include "tests/agent/hidden_games.h"
#include "tests/agent/machine_doubles.h"
#include "tests/agent/manual_time.h"
#include "tests/agent/strategy_doubles.h"

namespace ludens::agent {
namespace {

using std::chrono::seconds;

/// The first role chooses, then the second; all goals are 50 unless that errs, which it can only
/// after `right`.
constexpr const char* kDrawn = R"((
  (role a) (role b) (init begun)
  (reply left keep) (reply middle keep)
  (reply right keep) (reply right slip) (reply right err) (mistake slip) (mistake err)
  (<= (legal a ?m) (true begun) (reply ?m keep)) (<= (legal b wait) (true begun))
  (<= (legal a wait) (true (chosen ?m))) (<= (legal b ?r) (true (chosen ?m)) (reply ?m ?r))
  (<= (next (chosen ?m)) (true begun) (does a ?m))
  (<= (next (over ?r)) (true (chosen ?m)) (does b ?r))
  (<= terminal (true (over ?r)))
  (<= (goal a 100) (true (over ?r)) (mistake ?r)) (<= (goal b 0) (true (over ?r)) (mistake ?r))
  (<= (goal ?p 50) (role ?p) (true (over ?r)) (not (mistake ?r)))))";

/// The first role alone has a choice, from other moves in each step.
constexpr const char* kAlone = R"((
  (role a) (role b) (init (round odd)) (hand odd hold) (hand odd show) (hand even rise) (hand even fall)
  (<= (legal a ?h) (true (round ?r)) (hand ?r ?h)) (legal b wait)
  (<= (next (round even)) (true (round odd)))
  (<= (next (round odd)) (true (round even)))
  (<= terminal (true never)) (goal a 0) (goal b 0)))";

class MatchRuntimeTest : public testing::Test, public RuntimeListener {
 protected:
  void SetUp() override {
    script->play(quick());
    options.make_strategy = [script = script](const search::StrategySpec&,
                                              const search::Resources&) {
      return std::make_unique<Double>(script);
    };
    options.make_machine = [faults = faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
      return make_faulty_machine(std::move(vocabulary), faults);
    };
  }
  void TearDown() override {
    script->release = true;
    faults->release = true;
    if (runtime->phase() != Phase::Over) runtime->end();
    runtime = nullptr;
    environment.line->close();
    environment.retired.leave(TimePoint::max());
  }

  /// START has come, and its answer is due after that.
  void begin(seconds clock = seconds(10), const char* rules = kHands, const char* role = "a") {
    runtime = std::make_shared<MatchRuntime>(environment, options, "test", *this);
    runtime->begin(MatchMemory(std::size_t{64} << 20), part_of(rules), role, {});
    runtime->ask(time.now() + clock);
    EXPECT_EQ(runtime->phase(), Phase::Deriving);
  }
  TurnAnswer wait() {
    EXPECT_TRUE(time.run_until([this] { return last.has_value(); }));
    const TurnAnswer answer = last.value_or(TurnAnswer{});
    last.reset();
    return answer;
  }
  TurnAnswer play(const std::string& moves, seconds clock = seconds(10)) {
    runtime->play(part_of(moves), time.now() + clock);
    return wait();
  }
  bool reaches(Phase phase) {
    return time.run_until([&] { return runtime->phase() == phase; });
  }

  void on_prepared(const std::optional<std::string>& refusal, gdl::NormalisedRules) override {
    refused = refusal.has_value();
  }
  void on_report(std::size_t, const LegalReport& report) override { problem = report.problem; }
  void on_answer(const TurnAnswer& answer) override {
    EXPECT_FALSE(last.has_value());
    last = answer;
  }
  void on_flaws(const std::vector<gdl::Flaw>&) override {}
  void on_trouble(const std::string& what) override { trouble = what; }

  std::string name(const TurnAnswer& answer) {
    return answer.move ? runtime->names()->move_name(*answer.move) : "none";
  }

  std::ostringstream log;  // of a test that makes it the log
  ManualTime time;
  Environment environment{time, time, std::make_shared<Line>(time), silent_log()};
  ThinkingOptions options;
  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::shared_ptr<Faults> faults = std::make_shared<Faults>();
  std::shared_ptr<MatchRuntime> runtime;
  std::optional<TurnAnswer> last;
  bool refused = false;
  std::string problem, trouble;
};

TEST_F(MatchRuntimeTest, GoesThroughItsPhases) {
  script->play(patient());
  begin();
  EXPECT_TRUE(reaches(Phase::Thinking));
  time.advance(seconds(10));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Ready);
  EXPECT_EQ(runtime->phase(), Phase::Pondering);
  runtime->play(part_of("nil"), time.now() + seconds(10));
  EXPECT_TRUE(reaches(Phase::Thinking));
  time.advance(seconds(10));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Move);
  EXPECT_EQ(runtime->phase(), Phase::Pondering);
  runtime->rest();
  EXPECT_EQ(runtime->phase(), Phase::Resting);
  runtime->end();
  EXPECT_EQ(runtime->phase(), Phase::Over);
}

TEST_F(MatchRuntimeTest, KeepsItsAnswerWhileItPondersWhatFollows) {
  begin(seconds(10), kAlone);
  wait();
  const TurnAnswer answer = play("nil");
  EXPECT_EQ(name(answer), "show");
  wait_for([&] {
    time.run_posted();
    return script->seen().back().size() == 2;  // the position after its answer
  });
  EXPECT_EQ(runtime->best_move(), answer.move);
  ASSERT_TRUE(runtime->choice().has_value());
  EXPECT_EQ(runtime->choice()->move, *answer.move);
}

TEST_F(MatchRuntimeTest, RestsWhereItIsNotToPonder) {
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  begin();
  EXPECT_EQ(wait().why, "prepared");
  EXPECT_TRUE(reaches(Phase::Resting));
  EXPECT_EQ(name(play("nil")), "show");
  EXPECT_EQ(runtime->phase(), Phase::Resting);
  EXPECT_EQ(script->calls, 1);
}

TEST_F(MatchRuntimeTest, TellsAStrategyWhetherAMoveIsAskedFor) {
  options.ponder_at_start = options.ponder = false;
  std::vector<bool> at_start;
  script->play(
      [&](const search::Position& position, const search::Deadline&, search::Incumbent& incumbent) {
        at_start.push_back(position.at_start);
        publish_last(position, incumbent);
      });
  for (const bool think_at_start : {true, false}) {
    options.think_at_start = think_at_start;
    at_start.clear();
    begin();
    wait();
    play("nil");
    play("( hold show )");
    EXPECT_EQ(at_start, think_at_start ? (std::vector<bool>{true, false, false})
                                       : (std::vector<bool>{false, false}));
    runtime->end();
  }
}

TEST_F(MatchRuntimeTest, FollowsWhatOthersChooseWithoutThinking) {
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  begin();
  wait();
  runtime->follow(GroundMoves{}, time.now() + seconds(10));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Followed);
  EXPECT_EQ(script->calls, 0);
  EXPECT_EQ(play("( hold show )").kind, TurnAnswer::Kind::Move);
  EXPECT_EQ(runtime->position()->history.size(), 2u);
}

TEST_F(MatchRuntimeTest, TakesMovesAsTermsToo) {
  begin();
  wait();
  const TurnAnswer first = play("nil");
  const auto term = runtime->names()->move_term(*first.move);
  runtime->play(GroundMoves{term, term}, time.now() + seconds(10));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Move);
  EXPECT_EQ(runtime->position()->history, (std::vector<gdl::MoveId>(2, *first.move)));
}

/// There is no room for all moves, and no need to know them.
TEST_F(MatchRuntimeTest, GivesALegalMoveWhereTheyAreTooManyToFind) {
  options.make_machine = {};
  std::string many = "((role a) (init p) (next p) (<= terminal (true over)) (goal a 0)";
  for (int i = 0; i < 40; ++i) many += "(d " + std::to_string(i) + ")";
  many += "(<= (legal a (m ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e)))";
  begin(seconds(10), many.c_str());
  wait();
  for (const char* moves : {"nil", "( ( m 1 2 3 4 5 ) )"}) {
    const TurnAnswer answer = play(moves);
    EXPECT_EQ(answer.kind, TurnAnswer::Kind::Move) << moves;
    EXPECT_EQ(name(answer).substr(0, 4), "( m ") << moves;
  }
}

TEST_F(MatchRuntimeTest, AnswersAProvedValueAtOnceUnlessTheMatchIsToBeRepeatable) {
  script->play(proving());
  options.ponder_at_start = options.ponder = false;
  begin();
  wait();
  EXPECT_EQ(play("nil").why, "search ended");
  runtime->end();
  options.repeatable = true;
  options.think_at_start = false;
  begin();
  wait();
  runtime->play(part_of("nil"), time.now() + seconds(10));
  wait_for([&] {
    time.run_posted();
    return runtime->choice().has_value();
  });
  time.run_posted();
  EXPECT_FALSE(last.has_value());
  time.advance(seconds(10));
  EXPECT_TRUE(wait().timed_out);
}

TEST_F(MatchRuntimeTest, AnswersAValueThatWasProvedBeforeWithoutThinkingAgain) {
  options.ponder_at_start = options.ponder = false;
  script->play([](const auto& position, const auto&, auto& incumbent) {
    publish_last(position, incumbent, true);
  });
  begin();
  wait();
  EXPECT_TRUE(time.run_until([&] { return !runtime->explanation().empty(); }));
  script->play({[](const auto& position, auto& incumbent) {
                  search::Choice choice;
                  choice.move = legal_moves(position).front();
                  incumbent.publish(std::move(choice));
                },
                until_stopped});
  const TurnAnswer answer = play("nil");
  EXPECT_EQ(name(answer), "show");
  EXPECT_EQ(answer.why, "search ended");
  EXPECT_EQ(runtime->explanation(), "as the test wants") << "that of the proof";
  EXPECT_EQ(script->calls, 1);
}

TEST_F(MatchRuntimeTest, WaitsForASearchThatLooksForAHardAnswerToAProvedDraw) {
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  for (const char* strategy : {"mcts:playouts=100000,seed=1", "auto:playouts=100000,seed=1"}) {
    options.make_strategy = [strategy](const search::StrategySpec&,
                                       const search::Resources& resources) {
      return *search::make_strategy(*search::parse_strategy(strategy), resources);
    };
    begin(seconds(10), kDrawn);
    wait();
    const TurnAnswer answer = play("nil");
    EXPECT_EQ(answer.why, "search ended") << strategy;
    EXPECT_EQ(name(answer), "right") << strategy;
    ASSERT_TRUE(answer.choice.has_value());
    EXPECT_TRUE(answer.choice->exact);
    EXPECT_GE(answer.choice->iterations, 30'000u) << strategy;
    runtime->end();
  }
}

/// Each role sees its own moves and nothing else.
constexpr const char* kUnseen = R"((
  (role a) (role b) (init begun) (legal a left) (legal a right) (legal b left) (legal b right)
  (<= (sees a (chose ?m)) (does a ?m)) (<= (next (chosen ?m)) (does b ?m))
  (<= terminal (true (chosen ?m))) (goal a 50) (goal b 50)))";

/// A strategy is told one history that fits, and proves what holds for that one.
TEST_F(MatchRuntimeTest, NothingCountsAsProvedWhereInformationIsHidden) {
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  script->play([](const auto& position, const auto&, auto& incumbent) {
    search::Choice choice;
    choice.move = legal_moves(position).back();
    choice.value = 75;
    choice.exact = true;
    choice.root = {{.move = choice.move, .value = 75, .visits = 1, .low = 75, .high = 75}};
    incumbent.publish(std::move(choice));
  });
  begin(seconds(10), kUnseen);
  wait();
  runtime->play(Perceived{.turn = 0}, time.now() + seconds(10));
  const TurnAnswer answer = wait();
  EXPECT_EQ(name(answer), "right");
  ASSERT_TRUE(answer.choice.has_value());
  EXPECT_EQ(answer.choice->value, 75);
  EXPECT_FALSE(answer.choice->exact);
  ASSERT_EQ(answer.choice->root.size(), 1U);
  EXPECT_EQ(answer.choice->root[0].low, 0);
  EXPECT_EQ(answer.choice->root[0].high, 100);
}

TEST_F(MatchRuntimeTest, HasALegalMoveInTimeWhereNothingIsFoundThatFits) {
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  options.repeatable = true;
  begin(seconds(10), kHiding, "seeker");
  wait();
  runtime->play(Perceived{.turn = 0}, time.now() + seconds(1));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Move);
  faults->legal = Faults::Kind::HangsOnce;
  // The clock that the answer is due by stands still: only a part of its time passes.
  runtime->play(Perceived{.turn = 1, .own = part_of("( look c )")}, time.now() + seconds(1));
  EXPECT_EQ(wait().kind, TurnAnswer::Kind::Move);
  EXPECT_EQ(faults->legal, Faults::Kind::None) << "otherwise this tests nothing";
}

TEST_F(MatchRuntimeTest, SaysWhyItKnowsNoMove) {
  options.think_at_start = false;
  begin();
  wait();
  faults->next = Faults::Kind::OverBudget;
  EXPECT_EQ(play("( hold show )").kind, TurnAnswer::Kind::Unknown);
  EXPECT_EQ(problem, "the state could not be derived within the memory limit");
  faults->next = Faults::Kind::Hangs;
  runtime->play(part_of("( hold show )"), time.now() + seconds(10));
  time.advance(seconds(10));
  EXPECT_TRUE(wait().timed_out);
  faults->next = Faults::Kind::None;
  faults->release = true;
  EXPECT_EQ(play("( hold show )").kind, TurnAnswer::Kind::Move);
  EXPECT_EQ(runtime->position()->history.size(), 6u);
}

TEST_F(MatchRuntimeTest, CapsThinkingAboutMovesApartFromThinkingAtStart) {
  script->play(patient());
  options.think_at_most = std::chrono::nanoseconds(0);
  options.ponder_at_start = options.ponder = false;
  begin(seconds(3600));
  EXPECT_TRUE(reaches(Phase::Thinking));
  time.advance(seconds(3600));
  EXPECT_TRUE(wait().timed_out);
  EXPECT_EQ(play("nil", seconds(3600)).why, "search ended");
}

TEST_F(MatchRuntimeTest, AnswersForAStrategyThatDoesNotReturn) {
  script->play(deaf(*script));
  options.think_at_start = options.ponder_at_start = options.ponder = false;
  begin();
  wait();
  for (const char* moves : {"nil", "( hold show )", "( hold hold )", "( show hold )"}) {
    runtime->play(part_of(moves), time.now() + seconds(10));
    EXPECT_TRUE(time.run_until([&] { return runtime->position().has_value(); }));
    time.advance(seconds(10));
    EXPECT_EQ(wait().kind, TurnAnswer::Kind::Move) << moves;
  }
}

/// A strategy that does not return is abandoned at any time, but another one is only made when it
/// has something to do.
TEST_F(MatchRuntimeTest, BeginsNoSearchAfterOneThatWasStoppedForGood) {
  environment.log = std::make_shared<spdlog::logger>(
      "log", std::make_shared<spdlog::sinks::ostream_sink_mt>(log));
  script->play(deaf(*script));
  options.think_at_start = options.ponder = false;
  begin();
  wait();
  EXPECT_TRUE(reaches(Phase::Pondering));
  wait_for([&] { return script->running == 1; });
  runtime->rest();
  time.advance(seconds(1));
  runtime->play(part_of("nil"), time.now() + seconds(10));
  EXPECT_TRUE(time.run_until([&] { return runtime->position().has_value(); }));
  wait_for([&] { return script->running == 2; });
  time.advance(seconds(10));
  EXPECT_EQ(name(wait()), "show");
  EXPECT_EQ(runtime->phase(), Phase::Resting);
  time.advance(seconds(1));
  EXPECT_THAT(log.str(), testing::HasSubstr("did not stop when told to: abandoned"));
  EXPECT_THAT(log.str(), testing::Not(testing::HasSubstr("too many abandoned threads")))
      << "a third search was to begin";
}

}  // namespace
}  // namespace ludens::agent
