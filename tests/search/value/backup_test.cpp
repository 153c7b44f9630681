// SPDX-License-Identifier: MIT
// Values and bounds of a position from those of its children, computed by hand.
#include "search/value/backup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ludens::search::value::test {
namespace {

/// A node of two roles in memory of its own.
class OwnNode {
 public:
  explicit OwnNode(Kind kind, const Shape& shape)
      : block_((Node::bytes_for(shape) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)),
        node_(Node::make(reinterpret_cast<std::byte*>(block_.data()), shape)) {
    node_.kind = kind;
  }
  Node* operator->() { return &node_; }
  Node& operator*() { return node_; }

  /// What the first role gets from each child; the other one has the rest.
  void set_values(const std::vector<float>& values) {
    for (std::size_t child = 0; child < values.size(); ++child) {
      node_.values(0)[child] = values[child];
      node_.values(1)[child] = 1 - values[child];
    }
  }
  void set_bounds(std::uint32_t child, Bounds first) {
    node_.bounded = true;
    node_.bounds(0)[child] = first;
    node_.bounds(1)[child] = Bounds{static_cast<std::uint8_t>(100 - first.high),
                                    static_cast<std::uint8_t>(100 - first.low)};
  }

 private:
  std::vector<std::uint64_t> block_;
  Node& node_;
};

OwnNode turn_of_first(std::uint32_t children) {
  return OwnNode(Kind::Turn, {.children = children, .roles = 2});
}

/// Two roles with two moves each: child 2 i + j is where they make their moves i and j.
OwnNode two_by_two() {
  OwnNode node(Kind::AtOnce, {.children = 4, .options = 4, .roles = 2});
  std::ranges::copy(std::vector<std::uint32_t>{0, 2, 4}, node->option_begins().begin());
  for (std::uint32_t child = 0; child < 4; ++child) {
    node->place(child)[0] = child / 2;
    node->place(child)[1] = 2 + child % 2;
  }
  return node;
}

TEST(Refresh, WhoChoosesTakesTheBestAndTheOthersGetWhatTheyHaveThere) {
  OwnNode node = turn_of_first(3);
  node.set_values({0.2F, 0.7F, 0.4F});
  refresh(*node, true);
  EXPECT_FLOAT_EQ(node->own_values()[0], 0.7F);
  EXPECT_FLOAT_EQ(node->own_values()[1], 0.3F);
}

TEST(Refresh, TheOtherRoleDecidesByItsOwnValues) {
  OwnNode node = turn_of_first(3);
  node->decider = 1;
  node.set_values({0.2F, 0.7F, 0.4F});
  refresh(*node, true);
  EXPECT_FLOAT_EQ(node->own_values()[0], 0.2F);
  EXPECT_FLOAT_EQ(node->own_values()[1], 0.8F);
}

TEST(Refresh, ChanceIsWorthItsMean) {
  OwnNode node(Kind::Chance, {.children = 4, .roles = 2});
  node.set_values({1, 0, 0.5F, 0.5F});
  for (std::uint32_t child = 0; child < 4; ++child) node.set_bounds(child, {20, 61});
  refresh(*node, true);
  EXPECT_FLOAT_EQ(node->own_values()[0], 0.5F);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{20, 61}));
}

TEST(Refresh, TheMeanOfBoundsIsRoundedOutwards) {
  OwnNode node(Kind::Chance, {.children = 2, .roles = 2});
  node.set_values({0.5F, 0.5F});
  node.set_bounds(0, {0, 50});
  node.set_bounds(1, {25, 75});
  refresh(*node, true);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{12, 63}));
}

TEST(Refresh, AWinProvesThePositionForBothAdversaries) {
  OwnNode node = turn_of_first(2);
  node.set_values({0.3F, 0.4F});
  node.set_bounds(1, {100, 100});
  refresh(*node, true);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{100, 100}));
  EXPECT_EQ(node->own_bounds()[1], (Bounds{0, 0}));
  EXPECT_FLOAT_EQ(node->own_values()[0], 1) << "an estimate never contradicts a proof";
  EXPECT_FLOAT_EQ(node->own_values()[1], 0);
}

TEST(Refresh, WithoutAdversariesTheOtherRoleKeepsItsWholeRange) {
  OwnNode node = turn_of_first(2);
  node.set_values({0.3F, 0.4F});
  node.set_bounds(0, {40, 60});
  node.set_bounds(1, {100, 100});
  refresh(*node, false);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{100, 100}));
  EXPECT_EQ(node->own_bounds()[1], (Bounds{0, 60}));
}

TEST(Refresh, WhatWasProvedStays) {
  OwnNode node = turn_of_first(2);
  node.set_values({0.5F, 0.5F});
  node.set_bounds(0, {60, 100});
  refresh(*node, true);
  node.set_bounds(0, {0, 100});
  refresh(*node, true);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{60, 100}));
}

TEST(Refresh, MovesAtOnceAreWorthTheMeanByVisitsAndPriors) {
  OwnNode node = two_by_two();
  node.set_values({1, 0, 0, 1});
  std::ranges::copy(std::vector<std::uint32_t>{2, 0, 1, 0}, node->child_visits().begin());
  std::ranges::fill(node->priors(), 0.25F);
  refresh(*node, true);
  EXPECT_FLOAT_EQ(node->own_values()[0], (2.25F + 0.25F) / 4);
}

TEST(Refresh, AMoveMadeAtOnceIsWorthAtLeastItsWorstOutcome) {
  OwnNode node = two_by_two();
  node.set_values({0.5F, 0.5F, 0.5F, 0.5F});
  node.set_bounds(0, {30, 100});  // the first role's first move brings 30 or 40 at least,
  node.set_bounds(1, {40, 90});
  node.set_bounds(2, {0, 50});  // its second one nothing for sure
  node.set_bounds(3, {70, 100});
  refresh(*node, true);
  EXPECT_EQ(node->own_bounds()[0], (Bounds{30, 100}));
  EXPECT_EQ(node->own_bounds()[1], (Bounds{0, 100}));
}

TEST(Refresh, NothingIsProvedOfMovesAtOnceThatWereNotAllLookedAt) {
  OwnNode node(Kind::AtOnce, {.children = 1, .options = 4, .roles = 2});
  std::ranges::copy(std::vector<std::uint32_t>{0, 2, 4}, node->option_begins().begin());
  node->place(0)[0] = 0;
  node->place(0)[1] = 2;
  node->priors()[0] = 1;
  node.set_values({0.9F});
  node.set_bounds(0, {100, 100});
  refresh(*node, true);
  EXPECT_EQ(node->own_bounds()[0], Bounds());
}

TEST(IsRefuted, IsAChildThatCannotBeBetter) {
  EXPECT_TRUE(is_refuted({0, 40}, {50, 100}));
  EXPECT_TRUE(is_refuted({0, 50}, {50, 50})) << "no better, and not even known";
  EXPECT_FALSE(is_refuted({50, 50}, {50, 50})) << "as good as the best";
  EXPECT_FALSE(is_refuted({0, 60}, {50, 100}));
  EXPECT_TRUE(is_refuted({0, 0}, {0, 100})) << "lost, where another may not be";
  EXPECT_FALSE(is_refuted({0, 0}, {0, 0})) << "all is lost";
}

}  // namespace
}  // namespace ludens::search::value::test
