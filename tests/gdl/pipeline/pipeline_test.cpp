// SPDX-License-Identifier: MIT
#include "gdl/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/registry/machines.h"
#include "gdl/sliced/machine_network.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/gdl/machine/jumps.h"

namespace ludens::gdl {
namespace {

std::shared_ptr<const Machine> machine_of(const std::shared_ptr<Vocabulary>& vocabulary,
                                          std::string_view name = "sliced",
                                          const Limits& limits = {}) {
  return make_machine(name, vocabulary, limits).value();
}

std::size_t gates_of_plain_network(const Machine& machine) {
  return measure(plain_network(machine, {}).value()).gates;
}

TEST(Pipeline, ReportsItsStagesInOrder) {
  PipelineOptions options;
  std::vector<std::string> stages;
  std::uint64_t ground_rules = 0;
  options.report = [&](const StageReport& stage) {
    stages.emplace_back(stage.name);
    ground_rules += stage.ground_rules;
  };
  options.skipped_passes = {"share"};
  const auto made = make_network(tests::bundled_game("tic_tac_toe"), options);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(stages,
            (std::vector<std::string>{"ground", "build", "dead-fluents", "constants",
                                      "(exclusion proof)", "exclusion", "one-hot", "control"}));
  EXPECT_GT(ground_rules, 0U);
  EXPECT_FALSE((*made)->structure->exclusions.empty());
}

TEST(Pipeline, TellsOfTheNetworkBehindTheFirstPasses) {
  PipelineOptions options;
  std::vector<std::size_t> gates;
  options.early = [&](const std::shared_ptr<const GameNetwork>& first) {
    EXPECT_EQ(first->structure, nullptr);
    gates.push_back(measure(first->network).two_input);
  };
  const auto made = make_network(tests::bundled_game("connect_four"), options);
  ASSERT_EQ(gates.size(), 1U);
  EXPECT_LT(measure((*made)->network).two_input, gates[0]);
}

/// Stops as soon as the first passes are over.
struct BehindTheFirst final : StopSignal {
  bool over = false;
  [[nodiscard]] bool stop_requested() const noexcept override { return over; }
};

TEST(Pipeline, GivesWhatItHasWhenItIsStoppedOnlyIfAsked) {
  BehindTheFirst stop;
  PipelineOptions options;
  options.grounding.limits.stop = &stop;
  options.early = [&](const auto&) { stop.over = true; };
  const auto vocabulary = tests::bundled_game("tic_tac_toe");
  const auto stopped = make_network(vocabulary, options);
  ASSERT_TRUE(stopped.has_error());
  EXPECT_EQ(stopped.error().kind, GroundingFailure::Kind::Stopped);
  stop.over = false;
  options.unfinished = true;
  const auto unfinished = make_network(vocabulary, options);
  ASSERT_TRUE(unfinished.has_value());
  EXPECT_FALSE((*unfinished)->network.moves.empty());
  EXPECT_NE((*unfinished)->structure, nullptr);
}

TEST(Pipeline, MachinesOfAVocabularyShareTheirNetwork) {
  const auto vocabulary = tests::bundled_game("connect_four_small");
  const auto interpreter = make_interpreter(vocabulary);
  EXPECT_EQ(interpreter->network(), nullptr);
  const auto sliced = machine_of(vocabulary);
  const auto scalar = machine_of(vocabulary, "scalar");
  EXPECT_EQ(sliced->network()->game(), scalar->network()->game());
  EXPECT_EQ(&sliced->structure(), &scalar->structure());
  for (const auto& machine : {interpreter, sliced, scalar}) {
    const auto found = network_of(*machine, {});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, sliced->network()->game());
  }
  EXPECT_EQ(vocabulary->network().groundings(), 1U);
}

TEST(Pipeline, MakesANetworkForAMachineWithoutOne) {
  const auto interpreter = make_interpreter(tests::bundled_game("nim"));
  const auto found = network_of(*interpreter, {});
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE((*found)->network.moves.empty());
}

TEST(Pipeline, AnEarlyMachineKeepsNoNetworkAndFindsTheLast) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(tests::jumps()));
  std::shared_ptr<const Machine> early;
  const auto made = make_machine("sliced", vocabulary, {}, [&](auto m) { early = std::move(m); });
  ASSERT_NE(early, nullptr);
  EXPECT_EQ(early->network()->game(), nullptr);
  EXPECT_EQ(early->network()->form(), EvaluationForm::Early);
  EXPECT_EQ(network_of(*early, {}).value(), (*made)->network()->game());
}

TEST(Pipeline, BuildsThePlainNetworkOfTheGroundRulesThatWereKept) {
  const auto vocabulary = tests::bundled_game("breakthrough_small");
  const auto machine = machine_of(vocabulary);
  const std::size_t gates = gates_of_plain_network(*machine);
  EXPECT_EQ(vocabulary->network().groundings(), 1U);
  EXPECT_EQ(gates_of_plain_network(*machine), gates) << "as often as it is asked for";
  machine->network()->drop_ground_rules();
  EXPECT_EQ(gates_of_plain_network(*machine), gates);
  EXPECT_EQ(vocabulary->network().groundings(), 2U) << "the rules were dropped";
}

TEST(Pipeline, CountsTheGroundRulesUntilTheyAreDropped) {
  MemoryBudget memory(std::size_t{1} << 30);
  {
    const auto machine = machine_of(tests::bundled_game("othello"), "sliced", {nullptr, &memory});
    const std::size_t held = memory.used();
    const std::size_t rules = machine->network()->game()->ground_rules->bytes();
    EXPECT_GT(rules, 0U);
    machine->network()->drop_ground_rules();
    EXPECT_EQ(memory.used(), held - rules);
    EXPECT_EQ(machine->network()->game()->ground_rules->bytes(), 0U);
    machine->network()->drop_ground_rules();
    EXPECT_EQ(memory.used(), held - rules);
  }
  EXPECT_EQ(memory.used(), 0U);
}

TEST(Pipeline, DropsGroundRulesThatFindNoRoom) {
  const auto made = make_network(tests::bundled_game("tic_tac_toe"));
  const auto& rules = (*made)->ground_rules;
  ASSERT_GT(rules->bytes(), 0U);
  MemoryBudget memory(rules->bytes() - 1);
  MachineNetwork(*made, 64, EvaluationForm::Fastest).hold_ground_rules(&memory);
  EXPECT_EQ(rules->bytes(), 0U);
  EXPECT_EQ(memory.used(), 0U);
}

}  // namespace
}  // namespace ludens::gdl
