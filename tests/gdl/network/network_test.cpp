// SPDX-License-Identifier: MIT
#include "gdl/network/network.h"

#include <gtest/gtest.h>

namespace ludens::gdl {
namespace {

TEST(Gates, SimplifyConstantsDuplicatesAndContradictions) {
  Gates gates;
  const Edge a = gates.add_input(Gates::Kind::Fluent, 0),
             b = gates.add_input(Gates::Kind::Fluent, 1);
  EXPECT_EQ(gates.conjunction(a, kTrueEdge), a);
  EXPECT_EQ(gates.conjunction(a, kFalse), kFalse);
  EXPECT_EQ(gates.conjunction(a, a), a);
  EXPECT_EQ(gates.conjunction(a, invert(a)), kFalse);
  EXPECT_EQ(gates.conjunction(a, b), gates.conjunction(b, a));
  std::vector<Edge> none;
  EXPECT_EQ(gates.conjunction(none), kTrueEdge);
  EXPECT_EQ(gates.disjunction(none), kFalse);
}

TEST(Gates, EqualGatesAreOneNode) {
  Gates gates;
  const Edge a = gates.add_input(Gates::Kind::Fluent, 0),
             b = gates.add_input(Gates::Kind::Fluent, 1);
  std::vector<Edge> or_inputs{a, b};
  const Edge either = gates.disjunction(or_inputs);
  EXPECT_EQ(invert(either), gates.conjunction(invert(a), invert(b)));
  EXPECT_EQ(gates.size(), 4u);  // the constant, two inputs, one gate
}

TEST(Network, TheConeFollowsFeedbacks) {
  Network n;
  n.goals.resize(1);
  const Edge a = n.gates.add_input(Gates::Kind::Fluent, 0);
  const Edge back = n.gates.add_input(Gates::Kind::Feedback, 0);
  std::vector<Edge> inputs{a, back};
  n.feedbacks.push_back({node_of(back), n.gates.disjunction(inputs)});
  const Edge root[] = {back};
  EXPECT_TRUE(n.cone(root)[node_of(a)]);
}

TEST(NetworkSize, CountsTwoInputGatesAndDepth) {
  Network n;
  n.goals.resize(1);
  std::vector<Edge> inputs;
  for (std::uint32_t i = 0; i < 5; ++i) inputs.push_back(n.gates.add_input(Gates::Kind::Fluent, i));
  n.terminal = n.gates.conjunction(inputs);
  const NetworkSize size = measure(n);
  EXPECT_EQ(size.gates, 1u);
  EXPECT_EQ(size.two_input, 4u);
  EXPECT_EQ(size.depth, 3u);
}

}  // namespace
}  // namespace ludens::gdl
