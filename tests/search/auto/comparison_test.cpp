// SPDX-License-Identifier: MIT
#include "search/auto/comparison.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "search/auto/auto.h"
#include "search/strategy/first_choice.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two roles keep or drop in turn, three times each. It is won by the one that kept last.
constexpr const char* kKeep = R"((role first) (role second) (init (step 0)) (init (control first))
  (other first second) (other second first)
  (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
  (<= (legal ?r drop) (true (control ?r)))
  (<= (legal ?r keep) (true (control ?r)))
  (<= (legal ?r noop) (true (control ?o)) (other ?r ?o))
  (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
  (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
  (<= (next (has ?r)) (does ?r keep))
  (<= (next (has ?r)) (does ?r noop) (true (has ?r)))
  (<= terminal (true (step 6)))
  (<= (better ?r ?o) (true (has ?r)) (other ?r ?o) (not (true (has ?o))))
  (<= (goal ?r 100) (better ?r ?o))
  (<= (goal ?r 0) (better ?o ?r))
  (<= (goal first 50) (not (better first second)) (not (better second first)))
  (<= (goal second 50) (not (better first second)) (not (better second first))))";

/// The same game; each role may also light lamps that the other one can't.
std::string keep_and_light() {
  return std::string(kKeep) + R"(
  (of first a) (of first b) (of second c) (of second d)
  (<= (legal ?r (light ?l)) (true (control ?r)) (of ?r ?l) (not (true (lit ?l))))
  (<= (next (lit ?l)) (does ?r (light ?l)))
  (<= (next (lit ?l)) (true (lit ?l)))
  (<= (next (has ?r)) (does ?r (light ?l)) (true (has ?r))))";
}

/// Makes a move of this name where it is legal.
class Always final : public Strategy {
 public:
  explicit Always(std::string move) : move_(std::move(move)) {}
  [[nodiscard]] std::string_view name() const override { return "always"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    for (const gdl::MoveId move : publish_first(position, deadline, incumbent)) {
      if (position.machine->vocabulary()->move_name(move) == move_) {
        Choice choice;
        choice.move = move;
        incumbent.publish(std::move(choice));
      }
    }
  }

 private:
  std::string move_;
};

/// All play alike.
std::unique_ptr<Strategy> make_equals(std::string_view, const OptionTexts&, const Resources&) {
  return std::make_unique<Always>("keep");
}

/// Searches with values win.
std::unique_ptr<Strategy> make_good_values(std::string_view name, const OptionTexts& options,
                                           const Resources&) {
  const bool values = name == "value" || options.contains("values");
  return std::make_unique<Always>(values ? "keep" : "drop");
}

/// Keeps in three pairs of matches out of four, from the second on.
class MostlyKeeps final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return keep_.name(); }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    if (position.history.size() <= made_) ++matches_;
    made_ = position.history.size();
    const std::uint32_t pair = matches_ / 2;
    (pair % 4 == 0 ? drop_ : keep_).think(position, deadline, incumbent);
  }

 private:
  Always keep_{"keep"}, drop_{"drop"};
  std::size_t made_ = 0;
  std::uint32_t matches_ = 0;
};

/// `value` is ahead by so little that it never surely wins; `mcts` with values loses.
std::unique_ptr<Strategy> make_value_ahead(std::string_view name, const OptionTexts& options,
                                           const Resources&) {
  if (name == "mcts" && !options.contains("values")) return std::make_unique<MostlyKeeps>();
  return std::make_unique<Always>(name == "value" ? "keep" : "drop");
}

/// Whether there was time for a race after the first learning, of as many matches as doubts need.
bool looked(const std::string& said) {
  const auto learned = said.find("values of");
  if (learned == std::string::npos) return false;
  const std::string first = said.substr(learned, said.find("values of", learned + 1) - learned);
  static const std::regex kMatches("% of ([0-9]+)");
  int matches = 0;
  for (std::sregex_iterator at(first.begin(), first.end(), kMatches); at != std::sregex_iterator();
       ++at) {
    matches += std::stoi((*at)[1]);
  }
  return matches >= 6;
}

/// Learns until there are values, however slow the processor is.
void learn_something(Comparison& comparison, const Position& position) {
  for (double time = 0.05; comparison.learning().values() == nullptr && time < 300; time *= 2) {
    (void)comparison.learning().learn_until(position, Deadline::in(time));
  }
  ASSERT_NE(comparison.learning().values(), nullptr) << comparison.learning().explanation();
}

/// What is said of a comparison in a start clock of `shortest` or, if there is no race in it, twice
/// or more times as much, up to `longest`.
std::string compared(std::shared_ptr<const gdl::Machine> machine, StrategyFactory make,
                     Seconds shortest, Seconds longest) {
  const Position position = initial_position(std::move(machine));
  const auto options = Options::read("auto", kAutoOptions, {{"learn", "20"}, {"race", "40"}});
  AutoPlan plan;
  plan.usual_length = 20;
  std::string said;
  Seconds time = shortest;
  for (int tries = 0; tries < 6 && !looked(said); ++tries) {
    gdl::Rng rng(1);
    Comparison comparison(*options, {}, make, false, rng);
    learn_something(comparison, position);
    comparison.compare(position, plan, time, Deadline::in(time.count()));
    EXPECT_TRUE(comparison.compared());
    said = comparison.take_explanation();
    time = std::min(2 * time, longest);
  }
  EXPECT_TRUE(looked(said)) << said;
  return said;
}

std::string compared_in_a_long_time(std::shared_ptr<const gdl::Machine> machine,
                                    StrategyFactory make = make_equals) {
  return compared(std::move(machine), make, Seconds(20), Seconds(320));
}

std::string compared_in_a_short_time(StrategyFactory make) {
  return compared(machine_of(kKeep, "sliced"), make, Seconds(8), Seconds(16));
}

std::size_t times_learned(const std::string& said) {
  std::size_t times = 0;
  for (auto at = said.find("values of"); at != std::string::npos; ++times) {
    at = said.find("values of", at + 1);
  }
  return times;
}

TEST(Comparison, LearnsNoMoreWhereValuesDoNotWinAndAllRolesReachTheSame) {
  const std::string said = compared_in_a_long_time(bundled("tic_tac_toe", "sliced"));
  EXPECT_THAT(said, HasSubstr("all roles reach the same places"));
  EXPECT_EQ(times_learned(said), 1) << said;
}

TEST(Comparison, LearnsNoMoreInAShortTimeWhereValuesDoNotWin) {
  const std::string said = compared_in_a_short_time(make_equals);
  EXPECT_EQ(times_learned(said), 1) << said;
}

TEST(Comparison, LearnsOnInAShortTimeWhereValuesWin) {
  const std::string said = compared_in_a_short_time(make_good_values);
  EXPECT_GE(times_learned(said), 2) << said;
}

TEST(Comparison, SaysNothingOfValuesWhereTheShareOfLearningIsNone) {
  const Position position = initial_position(machine_of(kKeep, "sliced"));
  const auto options = Options::read("auto", kAutoOptions, {{"learn", "0"}});
  gdl::Rng rng(1);
  Comparison comparison(*options, {}, make_equals, false, rng);
  comparison.compare(position, AutoPlan{}, Seconds(10), Deadline::in(10));
  EXPECT_THAT(comparison.take_explanation(), Not(HasSubstr("values")));
}

/// Races are for two roles, and without a race nothing uses values.
TEST(Comparison, LearnsNothingWhereNoRaceCouldUseIt) {
  constexpr const char* kDice = R"((role first) (role random) (init (step 0))
    (after 0 1) (after 1 2) (legal first keep) (legal first drop) (legal random low)
    (legal random high) (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next (has ?m)) (does first ?m)) (<= terminal (true (step 2)))
    (<= (goal first 100) (true (has keep))) (<= (goal first 0) (not (true (has keep))))
    (goal random 0))";
  for (const auto& machine : {bundled("three_player", "sliced"), machine_of(kDice, "sliced")}) {
    const Position position = initial_position(machine);
    const auto options = Options::read("auto", kAutoOptions, {});
    gdl::Rng rng(1);
    Comparison comparison(*options, {}, make_equals, false, rng);
    EXPECT_FALSE(comparison.learns(position, Seconds(4)));
    comparison.compare(position, AutoPlan{}, Seconds(4), Deadline::in(4));
    EXPECT_TRUE(comparison.compared());
    EXPECT_THAT(comparison.take_explanation(), Not(HasSubstr("values of")));
  }
}

/// In 10^6 seconds, so that it does not matter how long the matches take.
TEST(Comparison, PlansRacesForTheChoicesOfBothWhereTheyMoveAtOnce) {
  const auto options =
      Options::read("auto", kAutoOptions, {{"learn", "0"}, {"race", "50"}, {"policy", "0"}});
  AutoPlan plan;
  plan.extends_trial = true;
  plan.usual_length = 1.75e6 / 0.75;
  for (const std::size_t choosers : {1, 2}) {
    gdl::Rng rng(1);
    Comparison comparison(*options, {}, make_equals, false, rng);
    plan.choosers = choosers;
    comparison.compare(initial_position(machine_of(kKeep, "sliced")), plan, Seconds(2e6),
                       Deadline::in(2e6));
    EXPECT_THAT(comparison.take_explanation(),
                HasSubstr(choosers == 1 ? "at 40 ms a move" : "at 20 ms a move"));
  }
}

/// Where a race is stopped, and what its searches got before.
struct StoppedRace {
  std::shared_ptr<const gdl::Machine> machine;
  std::stop_source stop;
  std::vector<LearnedValues> values;  // of each search
};
StoppedRace* stopped_race = nullptr;

/// Stops as soon as a search gets values that see far.
std::unique_ptr<Strategy> make_stopping(std::string_view name, const OptionTexts& options,
                                        const Resources& resources) {
  stopped_race->values.push_back(resources.values(*stopped_race->machine));
  if (stopped_race->values.back().machine != nullptr) stopped_race->stop.request_stop();
  return make_equals(name, options, resources);
}

StoppedRace race_until_far(Comparison& comparison, std::shared_ptr<const gdl::Machine> machine,
                           Seconds time) {
  AutoPlan plan;
  plan.usual_length = 20;
  StoppedRace here{.machine = machine, .stop = {}, .values = {}};
  stopped_race = &here;
  comparison.compare(initial_position(std::move(machine)), plan, time,
                     Deadline::in(time.count(), here.stop.get_token()));
  return here;
}

TEST(Comparison, MovesNearValuesToANewMachineForTheirRaceAgainstThoseThatSeeFar) {
  const auto first = bundled("breakthrough_small", "sliced");
  const auto better = gdl::make_machine("sliced", first->vocabulary()).value();
  const auto options =
      Options::read("auto", kAutoOptions, {{"learn", "10"}, {"race", "60"}, {"policy", "0"}});
  gdl::Rng rng(1);
  // However slow the processor is, there is a time that is enough to learn and race both kinds.
  bool stopped = false;
  for (Seconds time{20}; !stopped && time < Seconds(700); time *= 2) {
    Comparison comparison(*options, {}, make_stopping, false, rng);
    learn_something(comparison, initial_position(first));
    stopped = true;
    for (const auto& machine : {first, better}) {
      const StoppedRace race = race_until_far(comparison, machine, time);
      stopped = stopped && race.stop.stop_requested();
      if (!stopped) break;
      EXPECT_FALSE(comparison.compared());
      ASSERT_GE(race.values.size(), 2U);
      const LearnedValues& near = race.values.rbegin()[1];
      EXPECT_EQ(near.machine, nullptr);
      EXPECT_NE(near.function, nullptr);
    }
  }
  EXPECT_TRUE(stopped);
}

std::stop_source* pondering_stop = nullptr;  // requested by the searches of a race; null: not
int searches_made = 0;

std::unique_ptr<Strategy> make_counted(std::string_view name, const OptionTexts& options,
                                       const Resources& resources) {
  ++searches_made;
  if (pondering_stop != nullptr) pondering_stop->request_stop();
  return make_equals(name, options, resources);
}

/// The opponent may have answered. Otherwise each race that is cut short would double what is to be
/// learned before the next one.
TEST(Comparison, HoldsARaceAgainThatWasInterruptedWhilePondering) {
  const Position position = initial_position(machine_of(kKeep, "sliced"));
  const auto options = Options::read(
      "auto", kAutoOptions, {{"learn", "10"}, {"race", "60"}, {"policy", "0"}, {"more", "1"}});
  gdl::Rng rng(1);
  Comparison comparison(*options, {}, make_counted, false, rng);
  AutoPlan plan;
  plan.usual_length = 6;
  pondering_stop = nullptr;
  learn_something(comparison, position);
  comparison.compare(position, plan, Seconds(4), Deadline::in(4));
  ASSERT_EQ(comparison.best(), "mcts");
  const auto ponder = [&](std::stop_source& stop) {
    searches_made = 0;
    comparison.compare_again(position, plan, Seconds(100), Deadline(stop.get_token()));
    return searches_made > 0;
  };
  for (int times = 0; times < 3; ++times) {
    std::stop_source stop;
    pondering_stop = &stop;
    for (int turn = 0; turn < 20 && !ponder(stop); ++turn) {
    }
    ASSERT_GT(searches_made, 0);
    stop = std::stop_source();
    stop.request_stop();
    EXPECT_FALSE(ponder(stop)) << "there is no time for a race";
    stop = std::stop_source();
    EXPECT_TRUE(ponder(stop)) << "as much was learned as before the race that was interrupted";
  }
}

bool values_are_good = false;
int moves_before_stop = 0;  // of all searches; then `pondering_stop`

/// Stops after some moves; with values it may be good.
class Interrupted final : public Strategy {
 public:
  explicit Interrupted(std::string move) : move_(std::move(move)) {}
  [[nodiscard]] std::string_view name() const override { return move_.name(); }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    move_.think(position, deadline, incumbent);
    if (--moves_before_stop == 0) pondering_stop->request_stop();
  }

 private:
  Always move_;
};

std::unique_ptr<Strategy> make_interrupted(std::string_view name, const OptionTexts& options,
                                           const Resources&) {
  const bool values = name == "value" || options.contains("values");
  return std::make_unique<Interrupted>(values || !values_are_good ? "keep" : "drop");
}

/// The opponent answers each time before a race could come to its end.
TEST(Comparison, GoesOnWithARaceThatWasInterruptedWhilePondering) {
  const Position position = initial_position(machine_of(kKeep, "sliced"));
  const auto options = Options::read(
      "auto", kAutoOptions, {{"learn", "10"}, {"race", "60"}, {"policy", "0"}, {"more", "1"}});
  gdl::Rng rng(1);
  Comparison comparison(*options, {}, make_interrupted, false, rng);
  AutoPlan plan;
  plan.usual_length = 6;
  values_are_good = false;
  moves_before_stop = 0;
  learn_something(comparison, position);
  comparison.compare(position, plan, Seconds(4), Deadline::in(4));
  ASSERT_EQ(comparison.best(), "mcts");
  values_are_good = true;
  for (int times = 0; times < 200 && !comparison.best_uses_values(); ++times) {
    std::stop_source stop;
    pondering_stop = &stop;
    moves_before_stop = 60;
    comparison.compare_again(position, plan, Seconds(100), Deadline(stop.get_token()));
  }
  EXPECT_TRUE(comparison.best_uses_values());
}

TEST(Comparison, LearnsFromWhatRolesReachWhereValuesDoNotSurelyWin) {
  const std::string said = compared_in_a_long_time(bundled("breakthrough_small", "sliced"));
  EXPECT_THAT(said, HasSubstr("that see 2 moves far"));
  EXPECT_THAT(said, Not(HasSubstr("all roles reach the same places")));
}

TEST(Comparison, LearnsOnWhereValueIsAhead) {
  const auto machine = machine_of(keep_and_light(), "sliced");
  EXPECT_THAT(compared_in_a_long_time(machine), HasSubstr("that see 2 moves far"));
  const std::string said = compared_in_a_long_time(machine, make_value_ahead);
  EXPECT_GE(times_learned(said), 2) << said;
  EXPECT_THAT(said, Not(HasSubstr("that see 2 moves far")));
}

}  // namespace
}  // namespace ludens::search::test
