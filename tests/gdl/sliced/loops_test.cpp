// SPDX-License-Identifier: MIT
// Circles of gates on the machines: laid out in order, iterated to the least fixpoint in all lanes.
#include <gtest/gtest.h>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "gdl/network/build.h"
#include "gdl/network/passes/passes.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/program/program.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/network_machines.h"
#include "tests/gdl/network/graph_game.h"

namespace ludens::gdl {
namespace {

Network graph_network() {
  auto grounded = tests::ground_text(tests::kGraphGame);
  auto& program = *grounded;
  Vocabulary vocabulary(program.flat.rules);
  return optimise(build_network(program, vocabulary, {}).value(), {});
}

TEST(ProgramLoops, WhatDependsOnALoopStandsBehindIt) {
  const auto compiled = compile(graph_network());
  ASSERT_TRUE(compiled.has_value());
  const auto& program = *compiled;
  const auto status = static_cast<std::size_t>(Phase::Status);
  const auto& loops = program.loops[status];
  ASSERT_GE(loops.size(), 2U) << "what is reached, and then what signals";
  std::uint32_t run = 0;
  for (const kernel::Loop& l : loops) {
    EXPECT_LE(run, l.first_run);
    EXPECT_LT(l.first_feedback, l.end_feedback);
    run = l.end_run;
  }
  EXPECT_LT(run, program.runs[status].size()) << "the end is decided behind the last loop";
}

TEST(ProgramLoops, ACircleThroughAComplementIsRefused) {
  Network n;
  n.goals.resize(1);
  const Edge fluent = n.gates.add_input(Gates::Kind::Fluent, 0);
  n.fluents.push_back({0, node_of(fluent), fluent, false});
  const Edge back = n.gates.add_input(Gates::Kind::Feedback, 0);
  n.feedbacks.push_back({node_of(back), n.gates.conjunction(fluent, invert(back))});
  n.terminal = back;
  const auto compiled = compile(n);
  ASSERT_TRUE(compiled.has_error());
  EXPECT_EQ(compiled.error().text, "ground rules depend on their own negation in a cycle");
}

TEST(ProgramLoops, EveryWidthAgreesWithTheInterpreter) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(tests::kGraphGame));
  const auto interpreter = make_interpreter(vocabulary);
  std::vector<std::shared_ptr<const Machine>> machines;
  std::vector<const Machine*> others;
  for (const std::size_t lanes : {1, 64, 128, 256, 512}) {
    if (lanes > 1 && kernel::find(lanes) == nullptr) continue;
    NetworkMachineOptions options;
    options.lanes = lanes;
    auto made = make_network_machine(vocabulary, options);
    ASSERT_TRUE(made.has_value()) << lanes;
    machines.push_back(*std::move(made));
    others.push_back(machines.back().get());
  }
  Rng rng(4);
  const Agreement result = compare_machines(*interpreter, others, {.playouts = 30}, rng);
  EXPECT_EQ(result.differences, std::vector<std::string>{});
  EXPECT_EQ(result.playouts, 30U);
}

/// `val` depends on no state, and on its own negation by name, but not on that of any ground atom.
TEST(ProgramLoops, NegationByNameAgreesWithTheInterpreter) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"(
    (role r) (init (step 0)) (cell a) (cell b) (special b)
    (<= (val ?x 0) (cell ?x) (not (val ?x 1)))
    (<= (val ?x 1) (special ?x))
    (<= (legal r (pick ?x)) (val ?x 0))
    (<= (next (step 1)) (does r (pick ?x)))
    (<= terminal (true (step 1))) (goal r 100))"));
  const tests::NetworkMachines machines = tests::network_machines(vocabulary);
  ASSERT_EQ(machines.refused, "");
  Rng rng(4);
  const Agreement result =
      compare_machines(*make_interpreter(vocabulary), machines.all, {.playouts = 3}, rng);
  EXPECT_EQ(result.differences, std::vector<std::string>{});
}

}  // namespace
}  // namespace ludens::gdl
