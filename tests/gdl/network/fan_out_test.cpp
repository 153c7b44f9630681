// SPDX-License-Identifier: MIT
#include "gdl/network/fan_out.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gdl/network/networks.h"

namespace ludens::gdl {
namespace {

/// Each reading found in the network is listed, in order, and nothing else is.
void expect_all(const Network& n, const FanOut& fan_out, const std::vector<bool>& among) {
  std::vector<std::vector<Edge>> readers(n.gates.size());
  for (NodeId gate = 0; gate < n.gates.size(); ++gate) {
    if (n.gates.kind(gate) != Gates::Kind::And || !among[gate]) continue;
    for (const Edge e : n.gates.inputs(gate)) {
      readers[node_of(e)].push_back(is_inverted(e) ? invert(gate * 2) : gate * 2);
    }
  }
  for (NodeId node = 0; node < n.gates.size(); ++node) {
    EXPECT_TRUE(std::ranges::equal(fan_out.gates(node), readers[node])) << node;
  }
}

TEST(FanOut, ListsTheGatesThatReadANode) {
  Rng rng(1);
  for (int i = 0; i < 10; ++i) {
    const Network n = tests::random_network(rng, 40, 8);
    const std::vector<bool> cone = n.cone(std::span(&n.terminal, 1));
    expect_all(n, FanOut(n), std::vector<bool>(n.gates.size(), true));
    expect_all(n, FanOut(n, nullptr, &cone), cone);
  }
}

TEST(FanOut, ListsTheOutputsThatANodeGives) {
  Network n;
  n.goals.resize(1);
  const Edge a = n.add_fluent(0, false), b = n.add_fluent(1, true), move = n.add_move(0, 0);
  const Edge back = n.add_feedback();
  n.fluents[0].next = invert(b);
  n.fluents[1].next = move;
  n.moves[0].legal = b;
  n.feedbacks[0].update = b;
  const FanOut fan_out(n);
  EXPECT_TRUE(fan_out.outputs(node_of(a)).empty());
  EXPECT_TRUE(fan_out.outputs(node_of(back)).empty());
  const auto of_b = fan_out.outputs(node_of(b));
  ASSERT_EQ(of_b.size(), 3U);
  EXPECT_EQ(of_b[0].kind, Gates::Kind::Fluent);
  EXPECT_EQ(of_b[0].index, 0U);
  EXPECT_EQ(of_b[1].kind, Gates::Kind::Move);
  EXPECT_EQ(of_b[2].kind, Gates::Kind::Feedback);
  const auto of_move = fan_out.outputs(node_of(move));
  ASSERT_EQ(of_move.size(), 1U);
  EXPECT_EQ(of_move[0].index, 1U);
}

}  // namespace
}  // namespace ludens::gdl
