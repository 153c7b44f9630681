// SPDX-License-Identifier: MIT
#include "search/evaluation/learned_evaluation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <thread>

#include "tests/search/games/bundled.h"
#include "tests/search/games/rulesheets.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Ten switches, of which some hold in each row; the first makes the goal likelier.
class PlantedRows {
 public:
  PlantedRows() : machine_(interpret(rulesheet())), features_(vocabulary()), samples_(1) {
    gdl::Rng rng(7);
    for (std::uint32_t row = 0; row < 2000; ++row) {
      std::vector<gdl::FluentId> fluents;
      for (gdl::FluentId f = 0; f < 10; ++f) {
        if (rng.below(2) == 0) fluents.push_back(f);
      }
      const bool first = !fluents.empty() && fluents.front() == 0;
      double won = 0;
      for (int i = 0; i < 4; ++i) won += rng.uniform() < (first ? 0.8 : 0.3) ? 0.25 : 0;
      samples_.add(fluents, std::vector{won}, row);
    }
  }
  [[nodiscard]] const FluentFeatures& features() const { return features_; }
  [[nodiscard]] const Samples& samples() const { return samples_; }
  void add(double goal, std::uint32_t walk) { samples_.add({}, std::vector{goal}, walk); }
  [[nodiscard]] RoleWeights fitted(double ridge = 1, const gdl::StopSignal* stop = nullptr) const {
    RoleWeights weights;
    LogisticFit(features_, samples_, 0, ridge, stop).improve(weights);
    return weights;
  }
  /// By the weights: with the first switch and without, all others off.
  [[nodiscard]] std::pair<double, double> goals(const RoleWeights& weights) const {
    std::vector<double> fluents(features_.fluent_count());
    features_.fold(weights.features, fluents);
    const auto goal = [](double sum) { return 1 / (1 + std::exp(-sum)); };
    return {goal(weights.bias + fluents[0]), goal(weights.bias)};
  }

 private:
  static std::string rulesheet() {
    std::string sheet = "(role alone) (<= terminal (not (true nothing)))";
    for (int i = 0; i < 10; ++i) sheet += "(init (switch " + std::to_string(i) + "))";
    return sheet;
  }
  const gdl::Vocabulary& vocabulary() {
    gdl::State state;
    EXPECT_EQ(machine_->initial(*machine_->make_context(), state), gdl::Status::Ok);
    return *machine_->vocabulary();
  }

  std::shared_ptr<const gdl::Machine> machine_;
  FluentFeatures features_;
  Samples samples_;
};

TEST(LogisticFit, FindsWhatTheGoalsHangOn) {
  const PlantedRows planted;
  const auto [with, without] = planted.goals(planted.fitted());
  EXPECT_NEAR(with, 0.8, 0.05);
  EXPECT_NEAR(without, 0.3, 0.05);
}

TEST(LogisticFit, DoesNotSeeWhatIsHeldOut) {
  const PlantedRows planted;
  PlantedRows more;
  for (int i = 0; i < 1000; ++i) more.add(1, LogisticFit::kHoldOut * 3);
  EXPECT_EQ(planted.fitted().features, more.fitted().features);
}

TEST(LogisticFit, IsHeldBackByTheRidgeAndBeginsWithWhatThereIs) {
  const PlantedRows planted;
  const auto [with, without] = planted.goals(planted.fitted(1e6));
  EXPECT_NEAR(with, without, 0.05);
  const Deadline over(std::chrono::steady_clock::now());
  RoleWeights weights = planted.fitted();
  const auto before = weights.features;
  LogisticFit(planted.features(), planted.samples(), 0, 1, &over).improve(weights);
  EXPECT_EQ(weights.features, before);
}

TEST(Samples, AreStatesOfRandomPlayWithWhatPlayoutsBring) {
  const auto machine = bundled("breakthrough_small", "sliced");
  const Position position = initial_position(machine);
  const auto context = machine->make_context();
  gdl::Rng rng(1);
  Samples samples(2);
  SampleWalks walks(*machine, *context, position.state, rng, 0);
  bool walked = false;
  while (samples.size() < 500) {
    ASSERT_EQ(walks.gather(samples, walked), gdl::Status::Ok);
    ASSERT_TRUE(walked);
  }
  bool even = true;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    EXPECT_DOUBLE_EQ(samples.goal(row, 0) + samples.goal(row, 1), 1);
    even = even && samples.goal(row, 0) == 0.5;
    EXPECT_GT(samples.fluents(row).size(), 2U);
    EXPECT_LT(samples.walk(row), walks.next_walk());
  }
  EXPECT_FALSE(even);
  const std::vector last(samples.fluents(samples.size() - 1).begin(),
                         samples.fluents(samples.size() - 1).end());
  samples.forget_all_but(3);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_TRUE(std::ranges::equal(samples.fluents(2), last));
}

TEST(Samples, AreNotTakenWhereThereIsNowhereToGo) {
  const auto machine = interpret("(role alone) (init a) (<= terminal (not (true a)))");
  const Position position = initial_position(machine);
  const auto context = machine->make_context();
  gdl::Rng rng(1);
  Samples samples(1);
  bool walked = true;
  SampleWalks walks(*machine, *context, position.state, rng, 0);
  ASSERT_EQ(walks.gather(samples, walked), gdl::Status::Ok);
  EXPECT_FALSE(walked);
  EXPECT_EQ(samples.size(), 0U);
}

TEST(LearnedEvaluation, PredictsWhereMaterialCountsAndIsRepeatable) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  EvaluationLearner one(5, true), other(5, true);
  for (EvaluationLearner* learner : {&one, &other}) learner->learn(position, Deadline(), nullptr);
  ASSERT_NE(one.model(), nullptr) << one.explanation();
  EXPECT_GT(one.model()->explained(), 0.03);
  EXPECT_EQ(one.explanation(), other.explanation());
  EXPECT_THAT(one.explanation(), HasSubstr("% of variance"));

  // The initial position but for one man of a side.
  const auto machine = position.machine;
  std::vector<gdl::FluentId> all;
  ASSERT_EQ(machine->fluents(*machine->make_context(), position.state, all), gdl::Status::Ok);
  const auto without = [&](const std::string& side) {
    std::vector<gdl::FluentId> fewer = all;
    const auto lost = std::ranges::find_if(fewer, [&](gdl::FluentId f) {
      return machine->vocabulary()->fluent_name(f).find(" " + side + " )") != std::string::npos &&
             machine->vocabulary()->fluent_name(f).starts_with("( cell");
    });
    EXPECT_NE(lost, fewer.end());
    if (lost != fewer.end()) fewer.erase(lost);
    std::vector<double> goals(2);
    one.model()->evaluate(fewer, goals);
    return goals[0];
  };
  EXPECT_LT(without("white"), without("black"));
}

TEST(LearnedEvaluation, IsDroppedWhereItSaysNothing) {
  // Chance alone decides, and nothing is known of it before the end.
  const auto machine = interpret(
      "(role player) (role random) (init (round 0)) (init (fog 0))"
      "(succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (legal player wait) (true (round ?n)))"
      "(<= (legal random (show ?x)) (true (round ?n)) (side ?x)) (side 0) (side 1)"
      "(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))"
      "(<= (next (fog ?x)) (does random (show ?x)))"
      "(<= terminal (true (round 3)))"
      "(<= (goal player 100) (true (fog 1))) (<= (goal player 0) (true (fog 0)))"
      "(goal random 0)");
  EvaluationLearner learner(1, true);
  learner.learn(initial_position(machine), Deadline(), nullptr);
  EXPECT_EQ(learner.model(), nullptr);
  EXPECT_THAT(learner.explanation(), HasSubstr("dropped"));
}

/// One first move of many loses, and so does a rare series of last ones.
std::string rare_losses() {
  std::string text = "(role a) (init (step 0)) (init fresh)";
  for (int i = 0; i < 70; ++i) text += "(pick " + std::to_string(i) + ")";
  for (int i = 0; i < 12; ++i) text += "(face " + std::to_string(i) + ")";
  for (int i = 0; i < 24; ++i) {
    text += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return text +
         "(<= (legal a (go ?x)) (true fresh) (pick ?x))"
         "(<= (legal a (coin ?m)) (not (true fresh)) (face ?m))"
         "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
         "(<= (next bad) (does a (go 0))) (<= (next bad) (true bad))"
         "(<= (next one) (does a (coin 0)) (true (step 21)))"
         "(<= (next two) (does a (coin 0)) (true one))"
         "(<= (next three) (does a (coin 0)) (true two))"
         "(<= terminal (true (step 24)))"
         "(<= lose (true bad)) (<= lose (true three))"
         "(<= (goal a 0) lose) (<= (goal a 100) (not lose))";
}

TEST(LearnedEvaluation, KeepsTheFirstFitHoweverBad) {
  const auto machine = interpret(rare_losses());
  for (const std::uint64_t seed : {1, 2}) {
    EvaluationLearner learner(seed, true);
    learner.learn(initial_position(machine), Deadline(), nullptr);
    double percent = -1e9;
    std::sscanf(learner.explanation().c_str(), "learned from %*u states, explains %lf", &percent);
    EXPECT_GT(percent, -100) << learner.explanation();
  }
}

TEST(LearnedEvaluation, KeepsToItsShareOfTheTimeAndNeedsAnEnd) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  EvaluationLearner learner(1, false);
  learner.learn(position, Deadline(), nullptr);  // may be stopped at any time
  EXPECT_EQ(learner.explanation(), "");
  learner.learn(position, Deadline(std::chrono::steady_clock::now()), nullptr);
  EXPECT_EQ(learner.model(), nullptr);
  // However slow the processor is, there is a time whose share is enough for a model.
  for (auto time = 8s; learner.model() == nullptr && time < 300s; time *= 2) {
    const auto begin = std::chrono::steady_clock::now();
    learner.learn(position, Deadline(begin + time), nullptr);
    EXPECT_LT(std::chrono::steady_clock::now(), begin + time * 7 / 8);
  }
  EXPECT_NE(learner.model(), nullptr) << learner.explanation();
}

TEST(LearnedEvaluation, ForgetsAnotherMatch) {
  EvaluationLearner learner(1, true);
  learner.learn(initial_position(bundled("breakthrough_small", "sliced")), Deadline(), nullptr);
  ASSERT_NE(learner.model(), nullptr);
  learner.learn(initial_position(tic_tac_toe()), Deadline(), nullptr);
  EXPECT_EQ(learner.model(), nullptr);
}

}  // namespace
}  // namespace ludens::search::test
