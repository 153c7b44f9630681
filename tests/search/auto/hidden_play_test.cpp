// SPDX-License-Identifier: MIT
// What `auto` does in games of hidden information.
#include "search/auto/hidden_play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>

#include "search/auto/auto.h"
#include "search/registry/registry.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/strategy/odd_machines.h"

namespace ludens::search {
namespace {

using hidden::tests::HiddenMatch;
using testing::HasSubstr;

struct Answer {
  Choice choice;
  std::string why;
};

Answer ask(Strategy& strategy, const Position& position) {
  Incumbent incumbent;
  strategy.think(position, Deadline(), incumbent);
  EXPECT_TRUE(incumbent.get().has_value());
  return {incumbent.get().value_or(Choice{}), strategy.explanation()};
}

std::unique_ptr<Strategy> make_auto_of(const std::string& options, gdl::MemoryBudget* memory) {
  Resources resources;
  resources.memory = memory;
  return make_strategy(parse_strategy("auto:" + options).value(), resources).value();
}

std::shared_ptr<const gdl::Machine> machine_of(const std::string& game) {
  return hidden::tests::machine_of(hidden::tests::vocabulary_of(game), "sliced");
}

TEST(HiddenPlay, PlaysASmallGameByItsEquilibrium) {
  const auto machine = machine_of("kuhn_poker");
  const auto strategy = make_auto_of("playouts=2000,seed=3", nullptr);
  HiddenMatch match(machine);
  EXPECT_THAT(ask(*strategy, match.position(1)).why, HasSubstr("CFR+ over 55 histories"));
  match.play({"noop", "noop", "( deal king jack )"});
  match.play({"pass", "noop", "noop"});
  int bluffs = 0;
  for (int n = 0; n < 90; ++n) {
    const Answer answer = ask(*strategy, match.position(1));
    EXPECT_THAT(answer.why, HasSubstr("CFR+ over 55 histories"));
    bluffs += answer.choice.move == match.move("bet") ? 1 : 0;
  }
  EXPECT_NEAR(bluffs, 30, 16);
}

TEST(HiddenPlay, SearchesWhatIsTooLarge) {
  const auto machine = machine_of("phantom_tic_tac_toe");
  const auto strategy = make_auto_of("playouts=100,seed=3", nullptr);
  HiddenMatch match(machine);
  const Answer answer = ask(*strategy, match.position(0));
  EXPECT_THAT(answer.why, HasSubstr("there are more than 10000 histories"));
  EXPECT_THAT(answer.why, HasSubstr("ismcts"));
  match.play({"( try 2 2 )", "noop"});
  const Answer next = ask(*strategy, match.position(1));
  EXPECT_THAT(next.why, HasSubstr("all 9 histories that fit"));
  EXPECT_NE(std::ranges::find(match.legal[1], next.choice.move), match.legal[1].end());
}

bool says(const Strategy& strategy, const std::string& text) {
  return strategy.explanation().find(text) != std::string::npos;
}

TEST(HiddenPlay, CountsTheChoicesOfBothWhereTheyMoveAtOnce) {
  const std::string rounds =
      "(role a) (role b) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n)) (<= terminal (true (round 3)))"
      "(<= (sees ?r (round ?n)) (role ?r) (true (round ?n))) (legal a left) (legal a right)"
      "(legal b left) (<= (goal ?r 50) (role ?r))";
  for (const bool at_once : {false, true}) {
    const auto machine = hidden::tests::machine_of_text(
        rounds + (at_once ? "(legal b right)" : "(<= (legal b right) (true (round 4)))"), "sliced");
    const HiddenMatch match(machine);
    gdl::Rng rng(1);
    EXPECT_DOUBLE_EQ(choices_in_match(match.position(0), Deadline(), nullptr, rng),
                     at_once ? 6 : 3);
  }
}

/// The searches play trial matches while nothing is known yet; what wins them plays on.
TEST(HiddenPlay, LetsSearchesPlayEachOtherInTheStartClock) {
  const auto machine = machine_of("phantom_tic_tac_toe");
  gdl::MemoryBudget memory(std::size_t{64} << 20);  // too little for the whole game
  std::unique_ptr<Strategy> strategy;
  HiddenMatch match(machine);
  Incumbent incumbent;
  // However slow the processor is, there is a time that is enough for a race.
  for (double time = 3; time < 400 && !(strategy && says(*strategy, "against pimc at "));
       time *= 2) {
    strategy = make_auto_of("seed=3", &memory);
    strategy->think(match.position(0), Deadline::in(time), incumbent);
  }
  EXPECT_THAT(strategy->explanation(), HasSubstr("against pimc at "));
  EXPECT_THAT(strategy->explanation(), HasSubstr(" plays"));
  match.play({"( try 2 2 )", "noop"});
  for (double time = 0.2; time < 100; time *= 2) {
    strategy->think(match.position(1), Deadline::in(time), incumbent);
    if (says(*strategy, "histories that fit")) break;
  }
  EXPECT_THAT(strategy->explanation(), HasSubstr("histories that fit"));
  EXPECT_THAT(strategy->explanation(), HasSubstr("against pimc at ")) << "what it goes by";
}

/// As in a match, where the machine is replaced by faster ones in the first thinking time.
TEST(HiddenPlay, LetsThemPlayAfterAnInterruption) {
  gdl::MemoryBudget memory(std::size_t{64} << 20);
  HiddenMatch match(machine_of("phantom_tic_tac_toe"));
  std::unique_ptr<Strategy> strategy;
  for (double time = 3; time < 400 && !(strategy && says(*strategy, "against pimc at "));
       time *= 2) {
    strategy = make_auto_of("seed=3", &memory);
    std::stop_source stop;
    Incumbent interrupted([&](bool) { stop.request_stop(); }), incumbent;
    strategy->think(match.position(0), Deadline::in(60, stop.get_token()), interrupted);
    EXPECT_FALSE(says(*strategy, "against pimc at ")) << "it was interrupted before a race";
    strategy->think(match.position(0), Deadline::in(time), incumbent);
  }
  EXPECT_THAT(strategy->explanation(), HasSubstr("against pimc at "));
}

/// Another match, another game; and back in one that is played by its equilibrium.
TEST(HiddenPlay, BeginsAnewWithAnotherMatch) {
  const auto strategy = make_auto_of("playouts=500,seed=3", nullptr);
  for (const char* game : {"kuhn_poker", "monty_hall", "kuhn_poker", "tic_tac_toe"}) {
    const auto machine = machine_of(game);
    const HiddenMatch match(machine);
    Position position = match.position(0);
    const bool hidden = machine->vocabulary()->rules().has_rule(gdl::kSees);
    if (!hidden) position.known.reset();
    const Answer answer = ask(*strategy, position);
    EXPECT_EQ(answer.why.find("hidden information") != std::string::npos, hidden) << game;
    EXPECT_NE(std::ranges::find(match.legal[0], answer.choice.move), match.legal[0].end());
  }
}

TEST(HiddenPlay, KeepsWithinItsMemoryAndGivesItBack) {
  const auto machine = machine_of("leduc_poker");
  for (const std::size_t mib : {1, 4, 64}) {
    gdl::MemoryBudget memory(mib << 20);
    {
      const auto strategy = make_auto_of("playouts=200,seed=3", &memory);
      gdl::Rng rng(2);
      HiddenMatch match(machine);
      while (!match.over) {
        auto joint = match.random_moves(rng);
        if (match.legal[0].size() > 1) joint[0] = ask(*strategy, match.position(0)).choice.move;
        EXPECT_LE(memory.used(), memory.limit());
        match.make(joint);
      }
    }
    EXPECT_EQ(memory.used(), 0u);
  }
}

/// Requests a stop as soon as legal moves are known.
class StoppedAtLegal final : public WrappedMachine {
 public:
  StoppedAtLegal(std::shared_ptr<const gdl::Machine> inner, std::stop_source& stop)
      : WrappedMachine(std::move(inner)), stop_(stop) {}
  gdl::Status legal(Context& context, gdl::StateView state, gdl::RoleIndex role,
                    std::vector<gdl::MoveId>& out) const override {
    const gdl::Status status = WrappedMachine::legal(context, state, role, out);
    stop_.request_stop();
    return status;
  }

 private:
  gdl::Status before(Question, Context&) const override { return gdl::Status::Ok; }
  std::stop_source& stop_;
};

TEST(HiddenPlay, ComputesNoAnswerAfterItWasStopped) {
  HiddenMatch match(machine_of("kuhn_poker"));
  match.play({"noop", "noop", "( deal king jack )"});
  const auto options = Options::read("auto", kAutoOptions, {{"playouts", "2000"}});
  HiddenPlay play(*options, {}, make_known_strategy, 3);
  int published = 0;
  Incumbent incumbent([&](bool) { ++published; });
  Position position = match.position(0);
  play.think(position, Deadline(), incumbent);
  EXPECT_GT(published, 0);
  EXPECT_THAT(play.explanation(), HasSubstr("CFR+"));
  published = 0;
  std::stop_source stop;
  position.machine = std::make_shared<StoppedAtLegal>(position.machine, stop);
  play.think(position, Deadline(stop.get_token()), incumbent);
  EXPECT_TRUE(stop.stop_requested());
  EXPECT_EQ(published, 0);
}

TEST(HiddenPlay, PondersUntilItIsTold) {
  const auto machine = machine_of("kuhn_poker");
  const auto strategy = make_auto_of("seed=3", nullptr);
  HiddenMatch match(machine);
  match.play({"noop", "noop", "( deal king jack )"});
  std::stop_source stop;
  Incumbent incumbent([&](bool) { stop.request_stop(); });
  strategy->think(match.position(0), Deadline(stop.get_token()), incumbent);
  ASSERT_TRUE(incumbent.get().has_value());
  EXPECT_NE(std::ranges::find(match.legal[0], incumbent.get()->move), match.legal[0].end());
}

}  // namespace
}  // namespace ludens::search
