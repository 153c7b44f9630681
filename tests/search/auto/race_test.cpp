// SPDX-License-Identifier: MIT
#include "search/auto/race.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/registry/registry.h"
#include "tests/search/native_machine.h"
#include "tests/search/strategy/odd_machines.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

constexpr double kLength = 8;  // of tic-tac-toe

Deadline in(std::chrono::milliseconds time) {
  return Deadline(std::chrono::steady_clock::now() + time);
}

/// Takes the time that it needs for a move, so that a busy machine makes no strategy weaker.
class Patient final : public Strategy {
 public:
  explicit Patient(std::unique_ptr<Strategy> strategy) : strategy_(std::move(strategy)) {}
  [[nodiscard]] std::string_view name() const override { return strategy_->name(); }
  [[nodiscard]] std::string explanation() const override { return strategy_->explanation(); }
  void think(const Position& position, const Deadline& /*deadline*/,
             Incumbent& incumbent) override {
    strategy_->think(position, Deadline(), incumbent);
  }

 private:
  std::unique_ptr<Strategy> strategy_;
};

/// The strategies' searches must end by themselves.
std::unique_ptr<Strategy> make_patient(std::string_view name, const OptionTexts& options,
                                       const Resources& resources) {
  return std::make_unique<Patient>(make_known_strategy(name, options, resources));
}

RaceResult race_of(const std::vector<Racer>& racers, const Deadline& end) {
  return race(racers, initial_position(tic_tac_toe()), kLength, end, make_patient, {}, 1);
}

TEST(Race, FindsTheBetterOfTwo) {
  const RaceResult ahead = race_of({{"random"}, {"alphabeta"}}, in(std::chrono::seconds(10)));
  EXPECT_EQ(ahead.winner, 1U) << ahead.explanation;
  EXPECT_NE(ahead.explanation.find("alphabeta"), std::string::npos);
  EXPECT_NE(ahead.explanation.find("against random"), std::string::npos);
  const RaceResult behind = race_of({{"alphabeta"}, {"random"}}, in(std::chrono::seconds(10)));
  EXPECT_EQ(behind.winner, 0U) << behind.explanation;
}

TEST(Race, TakesOneThatMustBeSureOnlyIfItIs) {
  const Racer unsure{.name = "alphabeta", .errors = 1e6};
  const RaceResult result = race_of({{"random"}, unsure}, in(std::chrono::seconds(10)));
  EXPECT_GT(result.scores[1].mean(), 0.5);
  EXPECT_EQ(result.winner, 0U) << result.explanation;
}

TEST(Race, TakesOneWithAHighBarOnlyIfItIsAboveIt) {
  const Racer handicapped{.name = "alphabeta", .bar = 1};
  const RaceResult result = race_of({{"random"}, handicapped}, in(std::chrono::seconds(10)));
  EXPECT_GT(result.scores[1].mean(), 0.5);
  EXPECT_EQ(result.winner, 0U) << result.explanation;
}

TEST(Race, FindsTheBestOfSeveral) {
  const RaceResult result =
      race_of({{"random"}, {"legal"}, {"alphabeta"}, {"random"}}, in(std::chrono::seconds(20)));
  EXPECT_EQ(result.winner, 2U) << result.explanation;
  ASSERT_EQ(result.scores.size(), 4U);
  EXPECT_GE(result.scores[2].pairs, 3U);  // two may be won by luck
  EXPECT_GT(result.scores[2].mean(), 0.5);
}

TEST(Race, LetsThoseThatAreBetterThanTheFirstPlayEachOther) {
  const Racer weak{.name = "mcts", .options = {{"playouts", "10"}}, .title = "weak"};
  const Racer strong{
      .name = "mcts", .options = {{"playouts", "1000"}}, .title = "strong", .bar = 0.65};
  const RaceResult result = race_of({{"random"}, weak, strong}, in(std::chrono::seconds(20)));
  EXPECT_EQ(result.winner, 2U) << result.explanation;
  EXPECT_GE(result.scores[1].pairs, 2U);
  EXPECT_NE(result.explanation.find("against weak"), std::string::npos) << result.explanation;
}

TEST(Race, PlansForEveryChoiceOfItsMatches) {
  constexpr Seconds kTime{30};
  const std::vector<Racer> racers{{.name = "mcts", .warms_up = true},
                                  {.name = "value", .rematch = true},
                                  {.name = "alphabeta", .pairs = 3}};
  for (const double choices : {1.0, 20.0, 200.0, 1000.0}) {
    const auto a_move = time_of_a_move(racers, choices, kTime);
    ASSERT_TRUE(a_move.has_value()) << choices;
    EXPECT_LE(3 * 2 * choices * *a_move, kTime) << choices;  // a pair for each, and one more
    const auto first = time_in_rematch(1, *a_move, choices, kTime / 2);
    ASSERT_TRUE(first.has_value()) << choices;
    EXPECT_LE(choices * (*first + *a_move), kTime / 2) << choices;
  }
  EXPECT_FALSE(time_of_a_move(racers, 10'000, kTime).has_value());
}

TEST(Race, PlaysNoFinalInTheTimeOfARematch) {
  constexpr Seconds kMove{0.01};
  constexpr double kChoices = 49;
  constexpr Seconds kFinal = 2 * (kChoices + 1) * kMove;
  const auto first = time_in_rematch(1, kMove, kChoices, Seconds{1000});
  ASSERT_TRUE(first.has_value());
  const Seconds rematch = (kChoices + 1) * (*first + kMove);
  EXPECT_TRUE(leaves_a_rematch(1, kMove, kChoices, 1.01 * (rematch + kFinal)));
  EXPECT_FALSE(leaves_a_rematch(1, kMove, kChoices, 0.99 * (rematch + kFinal)));
  EXPECT_FALSE(leaves_a_rematch(1, kMove, kChoices, Seconds{0}));
  EXPECT_TRUE(leaves_a_rematch(1000, kMove, kChoices, Seconds{0})) << "none is due";
}

TEST(Race, LeavesItToTheFirstAmongEquals) {
  const RaceResult result = race_of({{"legal"}, {"legal"}}, in(std::chrono::seconds(10)));
  EXPECT_EQ(result.winner, 0U) << result.explanation;
  EXPECT_FALSE(result.explanation.empty());
}

/// Goals that do not add up to 100 say nothing of who plays better.
TEST(Race, LeavesItToTheFirstAmongEqualsWhereBothGetMuch) {
  auto parsed = TreeMachine::parse(
      "(roles a b) (a l (b l (a l (90 90) r (90 90)) r (a l (90 90) r (90 90)))"
      " r (b l (a l (90 90) r (90 90)) r (a l (90 90) r (90 90))))");
  const auto machine = *std::move(parsed);
  const std::vector<Racer> racers{{"legal"}, {"legal"}};
  const RaceResult result = race(racers, initial_position(machine, 0), 3,
                                 in(std::chrono::seconds(10)), make_patient, {}, 1);
  EXPECT_EQ(result.winner, 0U) << result.explanation;
  EXPECT_FALSE(result.explanation.empty());
  EXPECT_DOUBLE_EQ(result.scores.at(1).mean(), 0.5);
}

/// Matches of 300 joint moves with 4 ms each take five seconds for two racers, seven for three.
TEST(Race, LeavesOutTheLastIfTimeIsShort) {
  const std::vector<Racer> racers{{"random"}, {"alphabeta"}, {"legal"}};
  const RaceResult result = race(racers, initial_position(tic_tac_toe()), 300,
                                 in(std::chrono::seconds(6)), make_known_strategy, {}, 1);
  EXPECT_NE(result.explanation, "");
  ASSERT_EQ(result.scores.size(), 3U);
  EXPECT_EQ(result.scores[2].pairs, 0U);
}

TEST(Race, HasLessTimeForAMoveWhereMorePairsAreAskedFor) {
  const RaceResult few = race_of({{"random"}, {"alphabeta"}}, in(std::chrono::seconds(10)));
  EXPECT_THAT(few.explanation, ::testing::HasSubstr("at 100 ms a move"));
  const std::vector<Racer> racers{{"random"}, {.name = "alphabeta", .pairs = 100}};
  const RaceResult many = race_of(racers, in(std::chrono::seconds(10)));
  EXPECT_THAT(many.explanation, ::testing::HasSubstr("at 4 ms a move"));
}

/// Plays at random with less than a quarter of a second for a move, and as another strategy
/// otherwise.
class Growing final : public Strategy {
 public:
  /// `options`: the iterations that it claims to make for a move, and the other strategy.
  explicit Growing(const OptionTexts& options)
      : iterations_(std::stoull(options.at("iterations"))),
        random_(make_patient("random", {{"seed", "1"}}, {})),
        other_(make_patient(options.at("other"), {{"seed", "1"}}, {})) {}
  [[nodiscard]] std::string_view name() const override { return "growing"; }
  [[nodiscard]] std::string explanation() const override { return {}; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    Incumbent inner;
    (time_left(deadline) > Seconds{0.25} ? other_ : random_)->think(position, deadline, inner);
    Choice choice = inner.get().value();
    choice.iterations = iterations_;
    choice.nodes = 1;
    choice.root.resize(10);
    incumbent.publish(std::move(choice));
  }

 private:
  std::uint64_t iterations_;
  std::unique_ptr<Strategy> random_, other_;
};

std::unique_ptr<Strategy> make_growing(std::string_view name, const OptionTexts& options,
                                       const Resources& resources) {
  if (name == "growing") return std::make_unique<Growing>(options);
  return make_patient(name, options, resources);
}

/// `alphabeta`, perhaps with a rematch, against `Growing`.
RaceResult race_against_growing(bool rematch, const char* iterations, const char* other) {
  const std::vector<Racer> racers{
      {.name = "growing", .options = {{"iterations", iterations}, {"other", other}}},
      {.name = "alphabeta", .rematch = rematch}};
  return race(racers, initial_position(tic_tac_toe()), kLength, in(std::chrono::seconds(20)),
              make_growing, {}, 1);
}

TEST(Race, AsksForARematchWhereTheFirstHasNoTree) {
  EXPECT_EQ(race_against_growing(false, "50", "alphabeta").winner, 1U);
  const RaceResult lost = race_against_growing(true, "50", "alphabeta");
  EXPECT_EQ(lost.winner, 0U) << lost.explanation;
  EXPECT_LE(lost.scores[1].mean(), 0.5);
  EXPECT_THAT(lost.explanation, ::testing::HasSubstr("against 800 ms of it"));
  const RaceResult won = race_against_growing(true, "50", "random");
  EXPECT_EQ(won.winner, 1U) << won.explanation;
  EXPECT_THAT(won.explanation, ::testing::HasSubstr("against 800 ms of it"));
}

TEST(Race, NeedsNoRematchWhereTheFirstHasATree) {
  const RaceResult result = race_against_growing(true, "1000", "alphabeta");
  EXPECT_EQ(result.winner, 1U) << result.explanation;
  EXPECT_THAT(result.explanation, ::testing::Not(::testing::HasSubstr("of it")));
}

/// `alphabeta` twice against `Growing`: with a rematch, which it loses, and without one.
RaceResult race_of_growing_and_two(bool depth_first) {
  const std::vector<Racer> racers{
      {.name = "growing", .options = {{"iterations", "50"}, {"other", "alphabeta"}}},
      {.name = "alphabeta", .rematch = true},
      {.name = "alphabeta", .title = "the other", .depth_first = depth_first}};
  return race(racers, initial_position(tic_tac_toe()), kLength, in(std::chrono::seconds(20)),
              make_growing, {}, 1);
}

TEST(Race, NeedsNoRematchAgainstOneThatWillNotPlay) {
  const RaceResult equal = race_of_growing_and_two(true);
  EXPECT_EQ(equal.winner, 1U) << equal.explanation;
  EXPECT_THAT(equal.explanation, ::testing::Not(::testing::HasSubstr("of it")));
  const RaceResult lost = race_of_growing_and_two(false);
  EXPECT_EQ(lost.winner, 2U) << lost.explanation;
  EXPECT_THAT(lost.explanation, ::testing::HasSubstr("of it"));
}

/// No rules are derived once the first has the time of a rematch, as if that were over.
class ClosedInRematch final : public WrappedMachine {
 public:
  ClosedInRematch() : WrappedMachine(tic_tac_toe()) {}
  mutable bool closed = false;

 private:
  gdl::Status before(Question, Context&) const override {
    return closed ? gdl::Status::OverBudget : gdl::Status::Ok;
  }
};

const ClosedInRematch* closed_in_rematch = nullptr;

/// Closes its machine when it has more than a quarter of a second for a move.
class Closing final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "closing"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    Choice choice;
    choice.move = legal_moves(position, position.role).front();
    choice.iterations = 50;
    choice.nodes = 1;
    choice.root.resize(10);
    closed_in_rematch->closed |= time_left(deadline) > Seconds{0.25};
    incumbent.publish(std::move(choice));
  }
};

std::unique_ptr<Strategy> make_closing(std::string_view name, const OptionTexts& options,
                                       const Resources& resources) {
  if (name == "closing") return std::make_unique<Closing>();
  return make_patient(name, options, resources);
}

TEST(Race, TakesARematchThatWasNotFinishedForLost) {
  const auto machine = std::make_shared<ClosedInRematch>();
  closed_in_rematch = machine.get();
  const std::vector<Racer> racers{{"closing"}, {.name = "alphabeta", .rematch = true}};
  const RaceResult result = race(racers, initial_position(machine), kLength,
                                 in(std::chrono::seconds(20)), make_closing, {}, 1);
  EXPECT_TRUE(machine->closed) << result.explanation;
  EXPECT_GT(result.scores.at(1).mean(), 0.5) << "in matches against the first";
  EXPECT_EQ(result.winner, 0U) << result.explanation;
}

/// A depth-first search has no tree at any time.
TEST(Race, NeedsNoRematchAgainstASearchWithoutIterations) {
  const RaceResult result = race_against_growing(true, "0", "alphabeta");
  EXPECT_EQ(result.winner, 1U) << result.explanation;
  EXPECT_THAT(result.explanation, ::testing::Not(::testing::HasSubstr("of it")));
}

/// A game of that many joint moves, won by the role that made the better last one: the last.
std::string last_move_counts(int moves) {
  if (moves == 0) return {};
  const std::string next = last_move_counts(moves - 1);
  std::string text = "(*";
  for (const char* end : {"(l l) 50", "(l r) 0", "(r l) 100", "(r r) 50"}) {
    const std::string move(end, 5);
    text += ' ' + (next.empty() ? std::string(end) : move + ' ' + next);
  }
  return text + ')';
}

std::stop_source* second_pair_stop = nullptr;

/// Makes the last legal move until a race has one pair of matches, and stops it in the second.
class StoppingInSecondPair final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "stopping"; }
  void think(const Position& position, const Deadline& /*deadline*/,
             Incumbent& incumbent) override {
    if (++matches_ > 2) second_pair_stop->request_stop();
    Choice choice;
    choice.move = legal_moves(position, position.role).back();
    incumbent.publish(std::move(choice));
  }

 private:
  int matches_ = 0;  // one move each, after two random ones
};

std::unique_ptr<Strategy> make_stopping_in_second_pair(std::string_view name,
                                                       const OptionTexts& options,
                                                       const Resources& resources) {
  if (name == "stopping") return std::make_unique<StoppingInSecondPair>();
  return make_patient(name, options, resources);
}

/// One pair of matches may be won by luck, and there was no time for the rematch.
TEST(Race, NamesNoWinnerWhereItIsInterrupted) {
  auto parsed = TreeMachine::parse("(roles a b) " + last_move_counts(3));
  const auto machine = *std::move(parsed);
  for (const bool rematch : {false, true}) {
    std::stop_source stop;
    second_pair_stop = &stop;
    const std::vector<Racer> racers{{"legal"}, {.name = "stopping", .rematch = rematch}};
    const RaceResult result =
        race(racers, initial_position(machine), 3, Deadline::in(20, stop.get_token()),
             make_stopping_in_second_pair, {}, 1);
    EXPECT_TRUE(stop.stop_requested());
    EXPECT_EQ(result.scores.at(1).pairs, 1U);
    EXPECT_EQ(result.scores.at(1).mean(), 1);
    EXPECT_EQ(result.winner, 0U) << result.explanation;
  }
}

/// The race above again and again: each time, it goes on for one pair of matches.
TEST(Race, GoesOnFromWhereItWasInterrupted) {
  auto parsed = TreeMachine::parse("(roles a b) " + last_move_counts(3));
  const auto machine = *std::move(parsed);
  const std::vector<Racer> racers{{"legal"}, {"stopping"}};
  RaceResult result;
  for (std::uint32_t times = 1; times <= 12 && result.winner == 0; ++times) {
    std::stop_source stop;
    second_pair_stop = &stop;
    result = race(racers, initial_position(machine), 3, Deadline::in(20, stop.get_token()),
                  make_stopping_in_second_pair, {}, times, result);
    EXPECT_LE(result.scores.at(1).pairs, times);
  }
  EXPECT_EQ(result.winner, 1U);
  EXPECT_GE(result.scores.at(1).pairs, 3U);
}

TEST(Race, HasTheRematchThatWasDueWhenItWasInterrupted) {
  RaceResult before;
  before.scores.resize(2);
  for (int pair = 0; pair < 3; ++pair) before.scores[1].add(1);
  before.iterations = 5;
  const std::vector<Racer> racers{
      {.name = "growing", .options = {{"iterations", "50"}, {"other", "alphabeta"}}},
      {.name = "alphabeta", .rematch = true}};
  const RaceResult result = race(racers, initial_position(tic_tac_toe()), kLength,
                                 in(std::chrono::seconds(20)), make_growing, {}, 1, before);
  EXPECT_EQ(result.winner, 0U) << result.explanation;
  EXPECT_THAT(result.explanation, ::testing::HasSubstr("against 800 ms of it"));
}

/// Makes a strategy that asks for values first.
std::unique_ptr<Strategy> make_asking(std::string_view name, const OptionTexts& options,
                                      const Resources& resources) {
  (void)resources.values(*tic_tac_toe());
  return make_known_strategy(name, options, resources);
}

TEST(Race, GivesARacerItsOwnValues) {
  std::string asked;  // a letter for each question
  Resources resources;
  resources.values = [&](const gdl::Machine&) {
    asked += 's';
    return LearnedValues{};
  };
  const std::vector<Racer> racers{{"random"},
                                  {.name = "alphabeta", .values = [&](const gdl::Machine&) {
                                     asked += 'o';
                                     return LearnedValues{};
                                   }}};
  race(racers, initial_position(tic_tac_toe()), kLength, in(std::chrono::seconds(10)), make_asking,
       resources, 1);
  EXPECT_EQ(asked, "so");
}

TEST(Race, SaysNothingWithoutTime) {
  const RaceResult result = race_of({{"random"}, {"alphabeta"}}, in(std::chrono::milliseconds(20)));
  EXPECT_EQ(result.winner, 0U);
  EXPECT_EQ(result.explanation, "");
  ASSERT_EQ(result.scores.size(), 2U);
  EXPECT_EQ(result.scores[1].pairs, 0U);
}

TEST(Race, LeavesGamesOfMoreRolesAlone) {
  auto parsed = TreeMachine::parse(
      "(roles a b c) (a left (c (10 20 60) (40 20 30)) right (b (30 50 0) (90 10 80)))");
  const auto machine = *std::move(parsed);
  const std::vector<Racer> racers{{"random"}, {"alphabeta"}};
  const RaceResult result = race(racers, initial_position(machine, 0), 2,
                                 in(std::chrono::seconds(10)), make_known_strategy, {}, 1);
  EXPECT_EQ(result.winner, 0U);
  EXPECT_EQ(result.explanation, "");
  EXPECT_TRUE(result.scores.empty());
}

}  // namespace
}  // namespace ludens::search::test
