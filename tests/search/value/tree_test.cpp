// SPDX-License-Identifier: MIT
// Positions that several edges lead to: found once, freed when the last edge is gone.
#include "search/value/tree.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "gdl/machine/rng.h"

namespace ludens::search::value::test {
namespace {

class TreeTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kChildren = 3;

  /// A new node of the position with this number.
  NodeId make(std::uint64_t number, std::uint16_t ply) {
    const NodeId id = tree.make({.children = kChildren, .words = 1, .roles = 2});
    if (id == kNoNode) return id;
    Node& node = tree[id];
    node.state()[0] = number;
    node.ply = ply;
    node.hash = mcts::position_hash(gdl::StateView(node.state()));
    return id;
  }
  NodeId find(std::uint64_t number, std::uint16_t ply) {
    const std::array state{number};
    return tree.find(gdl::StateView(state), ply, mcts::position_hash(gdl::StateView(state)));
  }
  NodeId grow(NodeId parent, std::uint32_t child, std::uint64_t number) {
    const NodeId id = tree.enter(make(number, tree[parent].ply + 1), census);
    tree[parent].children()[child] = id;
    return id;
  }
  void free_all_dead() { tree.collect(1000); }

  Tree tree{nullptr, std::size_t{1} << 20, 1};
  Tree::Census census{};
};

TEST_F(TreeTest, FindsAPositionAfterAsManyJointMoves) {
  tree.plant(make(1, 0));
  const NodeId a = grow(tree.root(), 0, 7);
  EXPECT_EQ(find(7, 1), a);
  EXPECT_EQ(find(7, 2), kNoNode);
  EXPECT_EQ(find(8, 1), kNoNode);
}

TEST_F(TreeTest, ASecondNodeOfAPositionIsDropped) {
  tree.plant(make(1, 0));
  const NodeId a = grow(tree.root(), 0, 7);
  EXPECT_EQ(grow(tree.root(), 1, 7), a);
  EXPECT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[a].links, 2U);
}

TEST_F(TreeTest, WithoutSharingEachPathHasItsOwn) {
  tree.share_positions(false);
  tree.plant(make(1, 0));
  const NodeId a = grow(tree.root(), 0, 7);
  EXPECT_NE(grow(tree.root(), 1, 7), a);
  EXPECT_EQ(find(7, 1), kNoNode);
  tree.advance(tree.root(), 0);
  free_all_dead();
  EXPECT_EQ(tree.size(), 1U);
}

TEST_F(TreeTest, AnEmptyTreeHasNoPosition) {
  EXPECT_EQ(find(1, 0), kNoNode);
  tree.plant(make(1, 0));
  tree.clear();
  for (std::uint64_t number = 1; number <= 1000; ++number) EXPECT_EQ(find(number, 0), kNoNode);
}

/// The root moves on to 2; 5 can still be reached from there, 3 and 6 can't.
TEST_F(TreeTest, KeepsWhatTheNewRootReaches) {
  tree.plant(make(1, 0));
  const NodeId two = grow(tree.root(), 0, 2), three = grow(tree.root(), 1, 3);
  const NodeId five = grow(three, 0, 5);
  grow(three, 1, 6);
  EXPECT_EQ(grow(two, 2, 5), five);
  tree.advance(tree.root(), 0);
  EXPECT_EQ(tree.root(), two);
  free_all_dead();
  EXPECT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[five].links, 1U);
  EXPECT_EQ(find(6, 2), kNoNode);
}

TEST_F(TreeTest, WhatIsFoundBeforeItIsFreedStays) {
  tree.plant(make(1, 0));
  const NodeId two = grow(tree.root(), 0, 2), three = grow(tree.root(), 1, 3);
  const NodeId five = grow(three, 0, 5);
  tree.advance(tree.root(), 0);
  tree.collect(1);  // the old root, but not what is below it
  tree[two].children()[0] = find(5, 2);
  free_all_dead();
  EXPECT_EQ(tree[two].children()[0], five);
  EXPECT_EQ(find(5, 2), five);
  tree.let_go(five);
  EXPECT_EQ(tree.size(), 2U);
}

TEST_F(TreeTest, ANodeThatIsFoundAndLetGoAgainIsFreedOnce) {
  tree.plant(make(1, 0));
  const NodeId two = grow(tree.root(), 0, 2), three = grow(tree.root(), 1, 3);
  tree.advance(tree.root(), 0);
  tree.collect(1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(find(3, 1), three);
    tree.let_go(three);
  }
  free_all_dead();
  EXPECT_EQ(tree.root(), two);
  EXPECT_EQ(tree.size(), 1U);
  EXPECT_EQ(find(3, 1), kNoNode);
}

/// Three threads look for few positions, enter those that are missing, and let go of all.
TEST_F(TreeTest, ThreadsAgreeOnTheNodeOfAPosition) {
  constexpr std::uint64_t kPositions = 50;
  tree.serve_threads(true);
  tree.plant(make(1, 0));
  const auto work = [this](std::uint64_t seed) {
    Tree::Census own{};
    gdl::Rng rng(seed);
    std::vector<NodeId> held;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t number = 100 + rng.below(kPositions);
      NodeId id = find(number, 1);
      if (id == kNoNode) id = tree.enter(make(number, 1), own);
      EXPECT_EQ(tree[id].state()[0], number);
      held.push_back(id);
      if (held.size() == 8) {
        for (const NodeId one : held) tree.let_go(one);
        held.clear();
      }
      tree.collect(2);
    }
    for (const NodeId one : held) tree.let_go(one);
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) threads.emplace_back(work, seed);
  }
  free_all_dead();
  EXPECT_EQ(tree.size(), 1U);
}

}  // namespace
}  // namespace ludens::search::value::test
