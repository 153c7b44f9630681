// SPDX-License-Identifier: MIT
#include "gdl/network/passes/passes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gdl/network/build.h"
#include "gdl/network/simulation.h"
#include "gdl/pipeline/pipeline.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/project_folder.h"

namespace ludens::gdl {
namespace {

Network built_of(std::string text) {
  auto grounded = tests::ground_text(std::move(text));
  auto& program = *grounded;
  Vocabulary vocabulary(program.flat.rules);
  return build_network(program, vocabulary, {}).value();
}

std::string bundled(const std::string& name) {
  std::ifstream file(std::filesystem::path(project_folder()) / "config" / "games" /
                     (name + ".kif"));
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_equivalent(const Network& before, const Network& after, std::string_view pass) {
  Rng rng(5);
  EXPECT_EQ(find_difference(before, after, 40, rng), std::nullopt) << pass;
}

class PassesOnBundledGames : public testing::TestWithParam<const char*> {};

TEST_P(PassesOnBundledGames, KeepWhatTheNetworkSays) {
  PipelineOptions options;
  std::vector<std::string_view> seen;
  options.inspect = [&](std::string_view pass, const Network& before, const Network& after) {
    seen.push_back(pass);
    expect_equivalent(before, after, pass);
  };
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(bundled(GetParam())));
  const auto made = make_network(vocabulary, options);
  ASSERT_TRUE(made.has_value());
  ASSERT_FALSE((*made)->network.moves.empty());
  EXPECT_EQ(seen.size(), passes().size());
}

INSTANTIATE_TEST_SUITE_P(Games, PassesOnBundledGames,
                         testing::Values("tic_tac_toe", "connect_four_small", "nim", "tron", "pig",
                                         "eight_puzzle", "breakthrough_small",
                                         "bidding_tic_tac_toe"));

TEST(DeadFluents, AreRemoved) {
  const Network before = built_of(tests::kHeap);
  EXPECT_EQ(before.fluents.size(), 10u);
  EXPECT_EQ(remove_dead_fluents(before, {}).fluents.size(), 8u);  // without parity
}

TEST(Constants, MovesThatNeverBecomeLegalAreRemoved) {
  // The relaxed program can't see that on and off exclude each other.
  const Network before = built_of(R"((role a) (init on) (<= (next on) (true on)) (legal a go)
    (<= (next off) (does a go) (true on) (true off)) (<= (next off) (true off))
    (<= (legal a hide) (true on) (not (true on))) (<= terminal (not (true on))) (goal a 0))");
  const Network after = propagate_constants(before, {});
  EXPECT_LT(after.fluents.size(), 2u);
}

TEST(Sharing, CommonSubsetsBecomeGates) {
  Network n;
  n.goals.resize(1);
  std::vector<Edge> inputs;
  for (std::uint32_t f = 0; f < 12; ++f) {
    const Edge e = n.gates.add_input(Gates::Kind::Fluent, f);
    n.fluents.push_back({f, node_of(e), kFalse, false});
    inputs.push_back(e);
  }
  for (std::uint32_t k = 0; k < 4; ++k) {  // eight common inputs and one of its own
    std::vector<Edge> gate(inputs.begin(), inputs.begin() + 8);
    gate.push_back(inputs[8 + k]);
    n.fluents[k].next = n.gates.conjunction(gate);
  }
  const Network after = share_wide_gates(n, {});
  EXPECT_EQ(measure(n).two_input, 32u);
  EXPECT_EQ(measure(after).two_input, 7u + 4);
  expect_equivalent(n, after, "share");
}

TEST(Passes, AreStoppedAndLeaveTheNetworkOfTheLastWholePass) {
  struct Later final : StopSignal {
    mutable int questions = 0;
    [[nodiscard]] bool stop_requested() const noexcept override { return ++questions > 1; }
  } later;
  const Network before = built_of(tests::kHeap);
  PassOptions options;
  options.stop = &later;
  const Network after = optimise(before, options);
  EXPECT_FALSE(after.fluents.empty());
  expect_equivalent(before, after, "stopped");
}

TEST(Passes, CanBeSkippedByName) {
  std::vector<std::string> run;
  PassOptions options;
  options.skipped = {"share"};
  options.report = [&](const PassReport& r) { run.emplace_back(r.name); };
  optimise(built_of(tests::kHeap), options);
  EXPECT_EQ(run, (std::vector<std::string>{"dead-fluents", "constants", "exclusion", "one-hot",
                                           "control"}));
}

}  // namespace
}  // namespace ludens::gdl
