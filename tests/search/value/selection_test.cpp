// SPDX-License-Identifier: MIT
// The way down a small tree made by hand, and what it leaves on the way up.
#include "search/value/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "search/value/report.h"
#include "search/value/worker.h"

namespace ludens::search::value::test {
namespace {

using Values = std::array<float, 2>;

class SelectionTest : public testing::Test {
 protected:
  /// A position in which the first role chooses; each child's worth for it, priors alike.
  NodeId turn(const std::vector<float>& worth) {
    const NodeId id = tree.make({.children = static_cast<std::uint32_t>(worth.size()), .roles = 2});
    Node& node = tree[id];
    for (std::uint32_t child = 0; child < worth.size(); ++child) {
      node.values(0)[child] = node.means()[child] = worth[child];
      node.values(1)[child] = 1 - worth[child];
      node.priors()[child] = 1.0F / static_cast<float>(worth.size());
      node.moves()[child] = 10 + child;
    }
    return id;
  }
  Selection::End descend(Selection& selection) {
    return selection.descend(tree, path, values, census);
  }
  void back_up(NodeId made, Values brought) { Selection::back_up(tree, path, made, brought, game); }
  /// The child that is chosen, and a whole descent that brings what the child is worth.
  std::uint32_t visit(Selection& selection, NodeId made = kNoNode) {
    descend(selection);
    const std::uint32_t chosen = path.front().child;
    back_up(made, values);
    if (made == kNoNode) tree[tree.root()].children()[chosen] = kNoNode;
    return chosen;
  }

  Tree tree{nullptr, 0, 1};
  Tree::Census census{};
  Assumptions game;
  Path path;
  Values values{};
};

TEST_F(SelectionTest, TakesTheBestWhereNothingIsExplored) {
  tree.plant(turn({0.2F, 0.7F, 0.4F}));
  Selection selection({.exploration = 0}, gdl::Rng(1));
  EXPECT_EQ(descend(selection), Selection::End::New);
  ASSERT_EQ(path.size(), 1U);
  EXPECT_EQ(path[0].child, 1U);
  EXPECT_FLOAT_EQ(values[0], 0.7F);
  EXPECT_FLOAT_EQ(values[1], 0.3F);
}

TEST_F(SelectionTest, ADescentUnderWayCountsAsOneThatBroughtNothing) {
  tree.plant(turn({0.6F, 0.7F}));
  Node& root = tree[tree.root()];
  Selection selection({.exploration = 0}, gdl::Rng(1));
  descend(selection);
  EXPECT_EQ(root.in_flight, 1);
  EXPECT_EQ(root.child_visits()[1], 1U);
  EXPECT_FLOAT_EQ(root.means()[1], 0);
  Path first = path;
  descend(selection);
  EXPECT_EQ(path[0].child, 0U) << "half of nothing and half of 0.7 is less than 0.6";
  back_up(kNoNode, {0.5F, 0.5F});
  std::swap(path, first);
  back_up(kNoNode, {0.9F, 0.1F});
  EXPECT_EQ(root.in_flight, 0);
  EXPECT_EQ(root.visits, 2U);
  EXPECT_FLOAT_EQ(root.means()[0], 0.5F);
  EXPECT_FLOAT_EQ(root.means()[1], 0.9F);
}

TEST_F(SelectionTest, TakingADescentBackLeavesNoTrace) {
  tree.plant(turn({0.6F, 0.7F}));
  Node& root = tree[tree.root()];
  Selection selection({}, gdl::Rng(1));
  descend(selection);
  const std::uint32_t chosen = path[0].child;
  Selection::take_back(tree, path, census);
  EXPECT_EQ(root.visits, 0U);
  EXPECT_EQ(root.in_flight, 0);
  EXPECT_EQ(root.child_visits()[chosen], 0U);
  EXPECT_FLOAT_EQ(root.means()[chosen], root.values(0)[chosen]);
  EXPECT_EQ(std::accumulate(census.begin(), census.end(), std::ptrdiff_t{0}), 0);
}

/// A float has 24 bits: from about as many visits on, it can't hold what one of them changes.
TEST_F(SelectionTest, MeansStayRightAfterVeryManyVisits) {
  tree.plant(turn({0.7F}));
  Node& root = tree[tree.root()];
  Selection selection({}, gdl::Rng(1));
  gdl::Rng rng(2);
  for (const std::uint32_t visits : {1U << 20, 24'000'000U}) {
    root.visits = root.child_visits()[0] = visits;
    root.means()[0] = 0.7F;
    for (int i = 0; i < 2'000'000; ++i) {
      descend(selection);
      back_up(kNoNode, {rng.uniform() < 0.7 ? 1.0F : 0.0F, 0});
      root.children()[0] = kNoNode;
    }
    EXPECT_NEAR(root.means()[0], 0.7F, 0.01F) << visits;
    descend(selection);
    Selection::take_back(tree, path, census);
    EXPECT_NEAR(root.means()[0], 0.7F, 0.01F) << visits;
  }
}

TEST_F(SelectionTest, ASearchEndsBeforeThereAreMoreVisits) {
  SharedSearch search(nullptr, 0, 1);
  search.tree.plant(search.tree.make({.children = 2, .roles = 2}));
  for (const std::uint32_t visits : {0U, Node::kMostVisits - 1, Node::kMostVisits}) {
    search.tree[search.tree.root()].visits = visits;
    EXPECT_EQ(search.is_decided(), visits == Node::kMostVisits);
  }
}

TEST_F(SelectionTest, OnlyWhatCanBeForcedIsExactAfterAWrongAssumption) {
  for (const int goal : {50, 100}) {
    SharedSearch search(nullptr, 0, 1);
    const NodeId id = search.tree.make({.children = 2, .roles = 2});
    for (gdl::RoleIndex r = 0; r < 2; ++r) {
      const auto worth = static_cast<std::uint8_t>(r == 0 ? goal : 100 - goal);
      std::ranges::fill(search.tree[id].bounds(r), Bounds{worth, worth});
      search.tree[id].own_bounds()[r] = {worth, worth};
    }
    search.tree.plant(id);
    EXPECT_TRUE(report(search, {}).exact);
    search.misled = true;
    EXPECT_EQ(report(search, {}).exact, goal == 100);
  }
}

TEST_F(SelectionTest, MovesAreReportedWithTheirShareOfMinimax) {
  SharedSearch search(nullptr, 0, 1);
  const NodeId id = search.tree.make({.children = 2, .roles = 2});
  Node& node = search.tree[id];
  std::ranges::fill(node.values(0), 0.75F);
  std::ranges::fill(node.means(), 0.25F);
  node.child_visits()[1] = 8;
  search.tree.plant(id);
  for (const float share : {0.0F, 0.5F, 1.0F}) {
    const Choice choice = report(search, {.minimax_share = share});
    ASSERT_EQ(choice.root.size(), 2U);
    EXPECT_EQ(choice.root[0].value, 75) << "not visited yet";
    EXPECT_EQ(choice.root[1].value, 25 + 50 * share);
  }
}

TEST_F(SelectionTest, OfEqualMovesThatAreSettledTheRuleTakesOne) {
  SharedSearch search(nullptr, 0, 1);
  const NodeId id = search.tree.make({.children = 3, .roles = 2});
  Node& node = search.tree[id];
  std::ranges::fill(node.values(0), 0.5F);
  std::ranges::fill(node.means(), 0.5F);
  for (std::uint32_t child = 0; child < 3; ++child) node.moves()[child] = child;
  node.child_visits()[2] = 8;
  for (gdl::RoleIndex r = 0; r < 2; ++r) {
    for (const std::uint32_t child : {0, 1}) node.bounds(r)[child] = {50, 50};
  }
  search.tree.plant(id);
  EXPECT_EQ(report(search, {.first_ties = true}).move, 0U);
  std::array<int, 3> taken{};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) ++taken[report(search, {.seed = seed}).move];
  EXPECT_GT(taken[0], 0);
  EXPECT_GT(taken[1], 0);
  EXPECT_EQ(taken[2], 0) << "is not settled";
}

TEST_F(SelectionTest, TwoDescentsDoNotMakeTheSameChild) {
  tree.plant(turn({0.1F, 0.9F}));
  Selection selection({.exploration = 0, .minimax_share = 1}, gdl::Rng(1));
  EXPECT_EQ(descend(selection), Selection::End::New);
  EXPECT_EQ(descend(selection), Selection::End::Busy);
}

TEST_F(SelectionTest, PriorsLeadWhereValuesDoNot) {
  tree.plant(turn({0.5F, 0.5F, 0.5F}));
  std::ranges::copy(std::vector<float>{0.1F, 0.1F, 0.8F}, tree[tree.root()].priors().begin());
  Selection selection({.exploration = 1}, gdl::Rng(1));
  std::array<int, 3> chosen{};
  for (int i = 0; i < 100; ++i) ++chosen[visit(selection)];
  EXPECT_NEAR(chosen[2], 80, 3) << "visits go as priors do";
  EXPECT_NEAR(chosen[0], 10, 3);
}

TEST_F(SelectionTest, WhatCannotBeBetterIsLeftAlone) {
  tree.plant(turn({0.4F, 0.9F}));
  Node& root = tree[tree.root()];
  root.bounded = true;
  root.bounds(0)[0] = {50, 100};
  root.bounds(0)[1] = {0, 50};
  Selection selection({}, gdl::Rng(1));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(visit(selection), 0U);
}

TEST_F(SelectionTest, AnEndIsKnownAndADepthIsKept) {
  tree.plant(turn({0.9F, 0.1F}));
  Node& root = tree[tree.root()];
  root.bounded = true;
  for (gdl::RoleIndex r = 0; r < 2; ++r) {
    root.bounds(r)[0] = r == 0 ? Bounds{90, 90} : Bounds{10, 10};
    root.bounds(r)[1] = r == 0 ? Bounds{0, 80} : Bounds{20, 100};
  }
  Selection selection({.exploration = 0}, gdl::Rng(1));
  EXPECT_EQ(descend(selection), Selection::End::Known);
  Selection::take_back(tree, path, census);
  root.bounded = false;
  Selection shallow({.exploration = 0, .depth = 1}, gdl::Rng(1));
  EXPECT_EQ(descend(shallow), Selection::End::Known);
}

TEST_F(SelectionTest, WhatIsFoundBelowGoesUpAsAMinimaxValue) {
  tree.plant(turn({0.6F, 0.5F}));
  Node& root = tree[tree.root()];
  Selection selection({.exploration = 0}, gdl::Rng(1));
  ASSERT_EQ(descend(selection), Selection::End::New);
  const NodeId made = turn({0.3F, 0.2F});
  tree[made].own_values()[0] = 0.3F;
  tree[made].own_values()[1] = 0.7F;
  root.children()[path[0].child] = made;
  back_up(made, {0.3F, 0.7F});
  EXPECT_FLOAT_EQ(root.values(0)[0], 0.3F);
  EXPECT_FLOAT_EQ(root.own_values()[0], 0.5F) << "the other child is better now";
  EXPECT_FLOAT_EQ(root.own_values()[1], 0.5F);
}

TEST_F(SelectionTest, WhatIsProvedStaysWhenAPrunedNodeIsMadeAgain) {
  tree.plant(turn({0.6F, 0.5F}));
  Node& root = tree[tree.root()];
  root.bounded = true;
  root.bounds(0)[0] = {50, 100};
  root.bounds(1)[0] = {0, 50};
  Selection selection({.exploration = 0}, gdl::Rng(1));
  ASSERT_EQ(descend(selection), Selection::End::New);
  const NodeId made = turn({0.3F, 0.2F});
  tree[made].own_bounds()[0] = {0, 80};
  back_up(made, {0.3F, 0.7F});
  EXPECT_EQ(root.bounds(0)[0], (Bounds{50, 80}));
  EXPECT_EQ(root.bounds(1)[0], (Bounds{0, 50}));
  EXPECT_EQ(root.own_bounds()[0], (Bounds{50, 100}));
}

TEST_F(SelectionTest, WithLuckOnlyTheMeanIsBroughtWithinTheBounds) {
  for (const bool noisy_results : {false, true}) {
    game.noisy_results = noisy_results;
    tree.plant(turn({0.5F}));
    const NodeId below = tree[tree.root()].children()[0] = turn({0.5F});
    tree[below].bounded = true;
    tree[below].own_bounds()[0] = {50, 100};
    Selection selection({}, gdl::Rng(1));
    for (const float brought : {1.0F, 0.0F, 0.0F}) {
      descend(selection);
      ASSERT_EQ(path.size(), 2U);
      back_up(kNoNode, {brought, 1 - brought});
      tree[below].children()[0] = kNoNode;
    }
    EXPECT_FLOAT_EQ(tree[tree.root()].means()[0], noisy_results ? 0.5F : 2 / 3.0F);
    EXPECT_FLOAT_EQ(tree[below].own_means()[0], noisy_results ? 0.5F : 2 / 3.0F);
    tree.clear();
  }
}

TEST_F(SelectionTest, ChanceTakesAllOutcomesInTurns) {
  tree.plant(turn({0, 0, 1, 1}));
  tree[tree.root()].kind = Kind::Chance;
  Selection selection({}, gdl::Rng(1));
  std::array<int, 4> chosen{};
  for (int i = 0; i < 40; ++i) ++chosen[visit(selection)];
  for (const int times : chosen) EXPECT_EQ(times, 10);
}

TEST_F(SelectionTest, RolesChooseBesideChance) {
  const NodeId id = tree.make({.children = 6, .options = 5, .roles = 2});
  Node& node = tree[id];
  node.kind = Kind::AtOnce;
  std::ranges::copy(std::vector<std::uint32_t>{0, 3, 5}, node.option_begins().begin());
  std::ranges::copy(std::vector<float>{0.2F, 0.5F, 0.9F}, node.option_means().begin());
  std::ranges::fill(node.option_priors(), 1 / 3.0F);
  std::ranges::fill(node.priors(), 1 / 6.0F);
  for (std::uint32_t child = 0; child < 6; ++child) {
    node.place(child)[0] = child % 3;
    node.place(child)[1] = 3 + child / 3;
    node.values(0)[child] = node.option_means()[child % 3];
  }
  tree.plant(id);
  Selection selection({.exploration = 1}, gdl::Rng(1));
  selection.use(1);
  for (int i = 0; i < 600; ++i) visit(selection);
  const auto visits = node.option_visits();
  EXPECT_EQ(visits[3], 300U);
  EXPECT_EQ(visits[4], 300U);
  EXPECT_GT(visits[0], 0U);
  EXPECT_GT(visits[1], visits[0]);
  EXPECT_GT(visits[2], visits[1]);
}

/// What was found about a position by descents from another parent.
TEST_F(SelectionTest, LearnsWhatOthersFoundBelow) {
  tree.plant(turn({0.6F, 0.5F}));
  const NodeId below = turn({0.6F});
  tree[tree.root()].children()[0] = below;
  tree[below].own_values()[0] = 0.9F;
  tree[below].own_values()[1] = 0.1F;
  Selection selection({.exploration = 0}, gdl::Rng(1));
  descend(selection);
  ASSERT_EQ(path.size(), 2U);
  back_up(kNoNode, values);  // changes nothing below
  EXPECT_FLOAT_EQ(tree[tree.root()].values(0)[0], 0.9F);
  EXPECT_FLOAT_EQ(tree[tree.root()].own_values()[0], 0.9F);
}

TEST_F(SelectionTest, TheMainLineFollowsTheMostVisits) {
  tree.plant(turn({0.5F, 0.5F}));
  const NodeId below = turn({0.5F, 0.5F, 0.5F});
  tree[tree.root()].children()[1] = below;
  tree[tree.root()].child_visits()[1] = 3;
  tree[below].child_visits()[2] = 2;
  EXPECT_EQ(main_line(tree, 0, 11), (std::vector<gdl::MoveId>{11, 0, 12, 0}));
  EXPECT_EQ(main_line(tree, 0, 10), (std::vector<gdl::MoveId>{10, 0}));
}

}  // namespace
}  // namespace ludens::search::value::test
