// SPDX-License-Identifier: MIT
#include "gdl/network/loops.h"

#include <gtest/gtest.h>

#include "gdl/network/build.h"
#include "gdl/network/simulation.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/network/graph_game.h"

namespace ludens::gdl {
namespace {

Result<Network, GroundingFailure> network_of(std::string text) {
  auto grounded = tests::ground_text(std::move(text));
  auto& program = *grounded;
  Vocabulary vocabulary(program.flat.rules);
  return build_network(program, vocabulary, {});
}

/// Fluents a and b; feedbacks x and y.
struct Circle {
  Circle() {
    n.goals.resize(1);
    for (std::uint32_t f = 0; f < 2; ++f) {
      const Edge e = n.gates.add_input(Gates::Kind::Fluent, f);
      n.fluents.push_back({f, node_of(e), e, false});
    }
    for (std::uint32_t f = 0; f < 2; ++f) {
      n.feedbacks.push_back({node_of(n.gates.add_input(Gates::Kind::Feedback, f)), kFalse});
    }
  }
  [[nodiscard]] Edge fluent(std::size_t f) const { return n.fluents[f].node * 2; }
  [[nodiscard]] Edge feedback(std::size_t f) const { return n.feedbacks[f].node * 2; }
  Edge either(Edge a, Edge b) { return invert(n.gates.conjunction(invert(a), invert(b))); }

  Network n;
};

TEST(Loops, FeedbacksThatDependOnEachOtherAreOneLoop) {
  Circle c;
  c.n.feedbacks[0].update = c.either(c.fluent(0), c.feedback(1));
  c.n.feedbacks[1].update = c.either(c.fluent(1), c.feedback(0));
  const Loops loops = find_loops(c.n);
  ASSERT_EQ(loops.loops.size(), 1u);
  EXPECT_EQ(loops.loops[0].gates.size(), 2u);
  EXPECT_EQ(loops.loops[0].feedbacks.size(), 2u);
  EXPECT_TRUE(loops.loops[0].monotone);
  EXPECT_EQ(loops.of[node_of(c.fluent(0))], Loops::kNone);
}

TEST(Loops, StandInTheOrderInWhichTheyNeedEachOther) {
  Circle c;
  c.n.feedbacks[0].update = c.either(c.feedback(0), invert(c.feedback(1)));
  c.n.feedbacks[1].update = c.either(c.feedback(1), c.fluent(1));
  const Loops loops = find_loops(c.n);
  ASSERT_EQ(loops.loops.size(), 2u);
  EXPECT_EQ(loops.loops[0].feedbacks, std::vector<std::uint32_t>{1});
  EXPECT_EQ(loops.loops[1].feedbacks, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(loops.loops[1].monotone) << "the complement is of another loop";
}

TEST(Loops, ACircleThroughAComplementIsNotMonotone) {
  Circle c;
  c.n.feedbacks[0].update = c.n.gates.conjunction(c.fluent(0), invert(c.feedback(1)));
  c.n.feedbacks[1].update = c.either(c.fluent(1), c.feedback(0));
  const Loops loops = find_loops(c.n);
  ASSERT_EQ(loops.loops.size(), 1u);
  EXPECT_FALSE(loops.loops[0].monotone);
}

TEST(Loops, AreSimulatedInOrderToTheLeastFixpoint) {
  Circle c;  // y = y or b; x = x and a, or not y: x must not see y before y is right
  const Edge held = c.n.gates.conjunction(c.feedback(0), c.fluent(0));
  c.n.feedbacks[0].update = c.either(held, invert(c.feedback(1)));
  c.n.feedbacks[1].update = c.either(c.feedback(1), c.fluent(1));
  Simulation simulation(c.n);
  simulation.fluents = {0b1010, 0b1100};
  simulation.evaluate();
  EXPECT_EQ(simulation.value(c.feedback(1)) & 0xf, 0b1100u);
  EXPECT_EQ(simulation.value(c.feedback(0)) & 0xf, 0b0011u);
}

TEST(Loops, GroundRulesInACircleBecomeFeedbacks) {
  const auto network = network_of(tests::kGraphGame);
  ASSERT_TRUE(network.has_value());
  EXPECT_FALSE(network->feedbacks.empty());
}

TEST(Loops, NegationInACircleOfGroundRulesIsRefusedWithTheRelation) {
  const auto network = network_of(R"((role a) (init (p 1)) (init (p 2)) (legal a go) (next (p 1))
    (<= (win ?x) (edge ?x ?y) (true (p ?y)) (not (win ?y))) (edge 1 2) (edge 2 1)
    (<= (next (p 2)) (win 1)) (<= terminal (win 2)) (goal a 0))");
  ASSERT_TRUE(network.has_error());
  EXPECT_EQ(network.error().text, "win/1 depends on its own negation");
}

}  // namespace
}  // namespace ludens::gdl
