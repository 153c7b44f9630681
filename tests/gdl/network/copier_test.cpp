// SPDX-License-Identifier: MIT
#include "gdl/network/copier.h"

#include <gtest/gtest.h>

#include "gdl/network/simulation.h"
#include "tests/gdl/network/networks.h"

namespace ludens::gdl {
namespace {

/// Three fluents a, b, c with (a AND b) OR (a AND c) as the end.
struct Example {
  Example() {
    n.goals.resize(1);
    for (FluentId f = 0; f < 3; ++f) fluents.push_back(n.add_fluent(f, false));
    std::vector<Edge> either{n.gates.conjunction(fluents[0], fluents[1]),
                             n.gates.conjunction(fluents[0], fluents[2])};
    n.terminal = n.gates.disjunction(either);
  }
  Network n;
  std::vector<Edge> fluents;
};

TEST(Copier, FoldsConstantsThatAreSubstituted) {
  const Example old;
  for (const Edge b : {kFalse, kTrueEdge}) {
    Copier copier(old.n);
    Network to;
    SameGates maker(old.n, to);
    copier.substitute(node_of(old.fluents[1]), b);
    copier.substitute(node_of(old.fluents[2]), kTrueEdge);
    copier.add_fluents(to);
    copier.copy_step(to, maker);
    ASSERT_EQ(to.fluents.size(), 1U) << "the others are constants";
    EXPECT_EQ(to.fluents[0].id, 0U);
    EXPECT_EQ(to.terminal, to.fluents[0].node * 2);
    EXPECT_EQ(to.gates.size(), 2U) << "the constant and the fluent: no gate is left";
  }
}

TEST(Copier, SharesGatesThatBecomeEqual) {
  const Example old;
  Copier copier(old.n);
  Network to;
  SameGates maker(old.n, to);
  copier.add_fluents(to);
  copier.substitute(node_of(old.fluents[2]), copier[old.fluents[1]]);
  copier.copy_step(to, maker);
  EXPECT_EQ(to.terminal, to.gates.conjunction(to.fluents[0].node * 2, to.fluents[1].node * 2));
  EXPECT_EQ(to.gates.size(), 5U) << "the constant, three fluents, one gate";
}

TEST(Copier, KeepsWhatANetworkSays) {
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const Network old = tests::random_network(rng, 40, 8);
    Copier copier(old);
    Network to;
    SameGates maker(old, to);
    copier.add_fluents(to);
    copier.add_moves(to);
    copier.copy_step(to, maker);
    copier.copy_goals(to, maker);
    copier.copy_percepts(to, maker);
    EXPECT_EQ(to.roles(), old.roles());
    EXPECT_EQ(find_difference(old, to, 10, rng), std::nullopt);
  }
}

TEST(Copier, MakesTheGatesOfAConeInTheirOrder) {
  const Network old = tests::network_of_bundled_game("tic_tac_toe");
  Copier copier(old);
  Network to;
  SameGates maker(old, to);
  copier.add_fluents(to);
  copier.add_moves(to);
  const std::vector<bool> cone = old.cone(old.outputs());
  copier.copy_gates(cone, maker);
  Edge last = kFalse;
  for (NodeId n = 0; n < cone.size(); ++n) {
    if (!cone[n] || old.gates.kind(n) != Gates::Kind::And) continue;
    EXPECT_GT(copier[n * 2], last);
    last = copier[n * 2];
  }
  const std::size_t gates = to.gates.size();
  copier.copy_step(to, maker);
  copier.copy_goals(to, maker);
  EXPECT_EQ(to.gates.size(), gates) << "what is made is not made again";
}

TEST(Copier, TakesFeedbacksAlong) {
  Network old;
  old.goals.resize(1);
  const Edge a = old.add_fluent(0, true), back = old.add_feedback(), unused = old.add_feedback();
  std::vector<Edge> either{a, back};
  old.feedbacks[0].update = old.gates.disjunction(either);
  old.feedbacks[1].update = unused;
  old.terminal = back;
  Copier copier(old);
  Network to;
  SameGates maker(old, to);
  copier.add_fluents(to);
  copier.copy_step(to, maker);
  copier.copy_updates(to, maker);
  ASSERT_EQ(to.feedbacks.size(), 1U) << "the other is not needed";
  EXPECT_EQ(to.terminal, to.feedbacks[0].node * 2);
  std::vector<Edge> copied{to.fluents[0].node * 2, to.terminal};
  EXPECT_EQ(to.feedbacks[0].update, to.gates.disjunction(copied));
}

/// One gate stands for another expression: NOT a AND NOT (a new gate of b and c).
class Replacing final : public SameGates {
 public:
  Replacing(const Example& old, Network& to)
      : SameGates(old.n, to),
        replaced_(node_of(old.n.terminal)),
        added_(static_cast<NodeId>(old.n.gates.size())),
        gate_{invert(old.fluents[0]), invert(added_ * 2)},
        new_gate_{old.fluents[1], old.fluents[2]} {}
  std::span<const Edge> inputs(NodeId gate, std::span<const Edge> inputs) override {
    if (gate == replaced_) return gate_;
    return gate == added_ ? new_gate_ : inputs;
  }
  [[nodiscard]] std::size_t nodes() const { return added_ + 1; }

 private:
  NodeId replaced_, added_;
  std::vector<Edge> gate_, new_gate_;
};

TEST(Copier, CopiesWhatAGateIsReplacedBy) {
  const Example old;
  Network to;
  Replacing maker(old, to);
  Copier copier(old.n, nullptr, maker.nodes());
  copier.add_fluents(to);
  copier.copy_step(to, maker);
  const auto fluent = [&](std::size_t f) { return to.fluents[f].node * 2; };
  std::vector<Edge> either{fluent(0), to.gates.conjunction(fluent(1), fluent(2))};
  EXPECT_EQ(to.terminal, to.gates.disjunction(either));
}

TEST(Copier, GoesIntoNetworksOfAnyDepth) {
  Network old;
  old.goals.resize(1);
  const Edge a = old.add_fluent(0, false), b = old.add_fluent(1, false);
  Edge e = a;
  for (int i = 0; i < 300'000; ++i) e = invert(old.gates.conjunction(e, i % 2 == 0 ? b : a));
  old.terminal = e;
  Copier copier(old);
  Network to;
  SameGates maker(old, to);
  copier.add_fluents(to);
  copier.copy_step(to, maker);
  EXPECT_EQ(measure(to).gates, measure(old).gates);
}

struct Now final : StopSignal {
  [[nodiscard]] bool stop_requested() const noexcept override { return true; }
};

TEST(Copier, StopsWhenTheSignalSaysSo) {
  Network old;
  old.goals.resize(1);
  const Edge a = old.add_fluent(0, false), b = old.add_fluent(1, false);
  Edge e = a;
  for (int i = 0; i < 20'000; ++i) e = invert(old.gates.conjunction(e, i % 2 == 0 ? b : a));
  const Now now;
  for (const bool by_cone : {false, true}) {
    StopPoll poll(&now);
    Copier copier(old, &poll);
    Network to;
    SameGates maker(old, to);
    copier.add_fluents(to);
    if (by_cone) copier.copy_gates(std::vector<bool>(old.gates.size(), true), maker);
    EXPECT_EQ(copier.copy(e, maker), kFalse);
    EXPECT_TRUE(poll.stopped());
    EXPECT_LT(to.gates.size(), old.gates.size());
  }
}

}  // namespace
}  // namespace ludens::gdl
