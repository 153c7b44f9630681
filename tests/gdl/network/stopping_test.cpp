// SPDX-License-Identifier: MIT
// Every stage of building looks at the stop signal in proportion to its work.
#include <gtest/gtest.h>

#include <string>

#include "gdl/native/generate.h"
#include "gdl/network/build.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/structure.h"
#include "gdl/program/program.h"
#include "gdl/scalar/event_network.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/jumps.h"

namespace ludens::gdl {
namespace {

/// Stops at a question of choice; never, to begin with.
struct Counting final : StopSignal {
  mutable std::uint64_t questions = 0;
  std::uint64_t enough = ~std::uint64_t{0};
  [[nodiscard]] bool stop_requested() const noexcept override { return ++questions > enough; }
};

class Stages : public testing::Test {
 protected:
  Stages() {
    limits_.limits.stop = &signal_;
    auto grounded = ground(rules_, limits_);
    program_ = *std::move(grounded);
    network_ = build_network(program_, vocabulary_, {}).value();
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      if (network_.gates.kind(n) == Gates::Kind::And) edges_ += network_.gates.inputs(n).size();
    }
  }

  /// Runs it, and expects a question at least every `StopPoll::kWorkBetween` of so much work.
  template <typename F>
  void expect_questions(const char* stage, std::uint64_t work, F run) {
    signal_.questions = 0;
    run();
    EXPECT_GE(signal_.questions, work / StopPoll::kWorkBetween) << stage;
  }

  const std::shared_ptr<const Rules> rules_ = tests::rules_of(tests::jumps());
  Vocabulary vocabulary_{rules_};
  Counting signal_;
  GroundingLimits limits_;
  GroundProgram program_;
  Network network_;
  std::uint64_t edges_ = 0;
};

TEST_F(Stages, AskInProportionToTheirWork) {
  ASSERT_GT(edges_, 4 * StopPoll::kWorkBetween);
  expect_questions("ground", program_.atoms, [&] { (void)ground(rules_, limits_); });
  expect_questions("build", edges_, [&] { (void)build_network(program_, vocabulary_, limits_); });
  PassBudget budget;
  budget.stop = &signal_;
  const std::vector<Structure::Exclusion> some{
      {{network_.fluents[0].id, network_.fluents[1].id}, false}};
  budget.exclusions = some;
  for (const Pass& pass : passes()) {
    expect_questions(pass.name.data(), edges_, [&] { (void)pass.run(network_, budget); });
  }
  expect_questions("structure", edges_,
                   [&] { (void)find_structure(network_, vocabulary_, &signal_); });
  expect_questions("compile", edges_, [&] { (void)compile(network_, 0, &signal_); });
  const auto program = compile(network_).value();
  expect_questions("events", edges_,
                   [&] { (void)scalar::make_event_network(network_, program, &signal_); });
  expect_questions("code", edges_, [&] {
    (void)native::generate(program, 256, {.stop = &signal_, .memory = nullptr});
  });
}

TEST_F(Stages, EndSoonOnceTheyAreToldTo) {
  signal_.enough = 0;
  const auto few = [&](const char* stage, auto run) {
    signal_.questions = 0;
    run();
    EXPECT_LE(signal_.questions, 20u) << stage;
  };
  few("ground", [&] { EXPECT_TRUE(ground(rules_, limits_).has_error()); });
  few("build", [&] { EXPECT_TRUE(build_network(program_, vocabulary_, limits_).has_error()); });
  few("structure", [&] { (void)find_structure(network_, vocabulary_, &signal_); });
  few("compile", [&] { EXPECT_TRUE(compile(network_, 0, &signal_).has_error()); });
}

/// The work depends on the number of moves, not on how many roles share them.
TEST(Building, TakesNoMoreWorkIfMovesBelongToManyRoles) {
  const auto work = [](int roles, int moves) {
    std::string text =
        "(init s) (<= (legal ?r (go ?r ?n)) (role ?r) (num ?n)) (<= terminal (true s))";
    for (int r = 0; r < roles; ++r) text += "(role r" + std::to_string(r) + ")";
    for (int n = 0; n < moves; ++n) text += "(num " + std::to_string(n) + ")";
    const auto rules = tests::rules_of(text);
    GroundProgram program = ground(rules, {}).value();
    Vocabulary vocabulary(rules);
    Counting signal;
    GroundingLimits limits;
    limits.limits.stop = &signal;
    EXPECT_EQ(build_network(program, vocabulary, limits).value().moves.size(), roles * moves);
    return signal.questions;
  };
  EXPECT_LT(work(1000, 4), 2 * work(4, 1000));
}

}  // namespace
}  // namespace ludens::gdl
