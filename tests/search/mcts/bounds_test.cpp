// SPDX-License-Identifier: MIT
#include "search/mcts/bounds.h"

#include <gtest/gtest.h>

namespace ludens::search::mcts {
namespace {

/// A root whose roles have `counts` moves, and children that are ends or open positions; bounds go
/// up as they are made.
class BoundsGraph {
 public:
  explicit BoundsGraph(const std::vector<std::uint32_t>& counts) : roles_(counts.size()) {
    fill(counts);
    EXPECT_TRUE(graph.plant({{}, false, {}, moves_, begins_}, 0, 0));
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      const bool has_edges = root().has_decider() ? r == root().decider() : root().decides(r);
      while (has_edges && graph.untried(root(), r) > 0) graph.open(root(), r, 0);
    }
  }
  Node& root() { return graph[graph.root()]; }
  std::span<const Edge> edges(gdl::RoleIndex role) { return graph.edges(root(), role); }
  void end(JointCode code, std::vector<std::uint8_t> goals) {
    const std::vector<std::uint32_t> nothing(roles_ + 1, 0);
    graph.add(graph.root(), code, {next_state(), true, goals, {}, nothing}, 0, hash());
    update(code);
  }
  void open(JointCode code, std::vector<Bounds> bounds) {
    fill(std::vector<std::uint32_t>(roles_, 1));
    const NodeId id =
        graph.add(graph.root(), code, {next_state(), false, {}, moves_, begins_}, 0, hash());
    for (gdl::RoleIndex r = 0; r < roles_; ++r) graph[id].set_bounds(r, bounds[r]);
    update(code);
  }
  /// Whether that changed anything.
  bool update(JointCode code) {
    changed = update_bounds(graph, graph.root(), code, policy);
    return changed;
  }
  Bounds bounds(gdl::RoleIndex role) { return root().bounds(role); }
  Graph graph{nullptr, std::size_t{1} << 20};
  SelectionPolicy policy;
  bool changed = false;  // by the last child

 private:
  const gdl::State& next_state() {
    state_.words() = {++states_};
    return state_;
  }
  [[nodiscard]] std::uint32_t hash() const { return static_cast<std::uint32_t>(states_); }
  void fill(const std::vector<std::uint32_t>& counts) {
    begins_ = {0};
    moves_.clear();
    for (const std::uint32_t n : counts) {
      for (std::uint32_t i = 0; i < n; ++i) moves_.push_back(i);
      begins_.push_back(static_cast<std::uint32_t>(moves_.size()));
    }
  }
  std::size_t roles_;
  std::vector<gdl::MoveId> moves_;
  std::vector<std::uint32_t> begins_;
  std::uint64_t states_ = 0;
  gdl::State state_;
};

TEST(Bounds, WhoMovesTakesItsBestAndTheOtherGetsItsWorst) {
  BoundsGraph tree({3, 1});
  tree.end(0, {30, 70});
  EXPECT_EQ(tree.bounds(0), (Bounds{30, 100}));
  EXPECT_EQ(tree.bounds(1), (Bounds{0, 70}));
  tree.open(1, {{20, 60}, {40, 80}});
  tree.end(2, {10, 90});
  EXPECT_EQ(tree.bounds(0), (Bounds{30, 60}));
  EXPECT_EQ(tree.bounds(1), (Bounds{40, 70}));
  EXPECT_EQ(tree.edges(0)[1].bounds, (Bounds{20, 60}));
}

TEST(Bounds, WhatIsProvedStaysWhenItsChildWasPruned) {
  BoundsGraph tree({3, 1});
  tree.end(0, {60, 40});
  tree.end(1, {30, 70});
  tree.open(2, {{0, 50}, {45, 100}});
  EXPECT_EQ(tree.bounds(0), (Bounds{60, 60}));
  EXPECT_EQ(tree.bounds(1), (Bounds{40, 40}));
  tree.graph.edges(tree.root(), 0)[0].link = kNoRef;
  tree.update(1);
  EXPECT_EQ(tree.bounds(1), (Bounds{40, 40}));
  tree.open(0, {{0, 100}, {0, 100}});  // made again
  EXPECT_EQ(tree.edges(0)[0].bounds, (Bounds{60, 60}));
  EXPECT_EQ(tree.bounds(0), (Bounds{60, 60}));
  EXPECT_EQ(tree.bounds(1), (Bounds{40, 40}));
}

TEST(Bounds, OneWinningMoveProvesTheNode) {
  BoundsGraph tree({5, 1});
  tree.end(3, {100, 0});
  EXPECT_TRUE(tree.changed);
  EXPECT_TRUE(tree.bounds(0).closed());
  EXPECT_EQ(tree.bounds(1), (Bounds{0, 0}));
  EXPECT_FALSE(tree.update(3));  // nothing new
}

TEST(Bounds, ChanceIsTheMeanRoundedOutwards) {
  BoundsGraph tree({1, 3});
  tree.policy.random = 1;
  tree.end(0, {50, 0});
  tree.end(1, {25, 0});
  EXPECT_EQ(tree.bounds(0), (Bounds{25, 59}));  // 75/3, 175/3
  tree.end(2, {0, 0});
  EXPECT_EQ(tree.bounds(0), (Bounds{25, 25}));
}

TEST(Bounds, AForcedMovePassesThemOn) {
  BoundsGraph tree({1, 1});
  tree.open(0, {{10, 40}, {60, 90}});
  EXPECT_EQ(tree.bounds(0), (Bounds{10, 40}));
  EXPECT_EQ(tree.bounds(1), (Bounds{60, 90}));
}

TEST(Bounds, SimultaneousMovesAreWorthTheirWorstOutcome) {
  BoundsGraph tree({2, 2});
  tree.end(0, {100, 0});  // (0, 0)
  EXPECT_EQ(tree.bounds(0), (Bounds{0, 100}));
  tree.end(2, {60, 40});  // (0, 1)
  EXPECT_EQ(tree.bounds(0), (Bounds{60, 100}));
  tree.end(1, {0, 100});  // (1, 0)
  tree.end(3, {70, 30});  // (1, 1)
  EXPECT_EQ(tree.bounds(0), (Bounds{60, 100}));
  EXPECT_EQ(tree.edges(0)[1].bounds, (Bounds{0, 70}));
  EXPECT_EQ(tree.bounds(1), (Bounds{30, 100}));
}

TEST(Bounds, MatchingPenniesAreNeverDecided) {
  BoundsGraph tree({2, 2});
  for (JointCode code = 0; code < 4; ++code) {
    const bool same = code == 0 || code == 3;
    tree.end(code, same ? std::vector<std::uint8_t>{100, 0} : std::vector<std::uint8_t>{0, 100});
  }
  EXPECT_EQ(tree.bounds(0), (Bounds{0, 100}));
  EXPECT_EQ(tree.bounds(1), (Bounds{0, 100}));
}

TEST(Bounds, ChanceBesideAChoiceCountsAsAnything) {
  BoundsGraph tree({2, 2});
  tree.policy.random = 1;
  tree.end(0, {80, 0});
  tree.end(2, {40, 0});
  EXPECT_EQ(tree.bounds(0), (Bounds{40, 100}));
}

}  // namespace
}  // namespace ludens::search::mcts
