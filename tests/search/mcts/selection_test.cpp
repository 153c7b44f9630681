// SPDX-License-Identifier: MIT
#include "search/mcts/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "search/mcts/backpropagation.h"
#include "search/mcts/candidates.h"
#include "search/mcts/chance.h"
#include "search/mcts/rating.h"

namespace ludens::search::mcts {
namespace {

/// The tree by which Russell and Norvig (AIMA, 4th edition, section 5.4) explain one iteration.
/// White has just moved at the root; a node carries wins / trials of the role that moved into it:
///
///     root 37/100; black's moves 60/79, 1/10, 2/11; white's under the first 3/26, 16/53;
///     black's under the second 27/35, 10/18.
class TextbookTree : public testing::Test {
 protected:
  static constexpr gdl::RoleIndex kWhite = 0, kBlack = 1;

  TextbookTree() : tree(nullptr, std::size_t{1} << 20) {
    root = plant({1, 3});
    a = add(root, 0, {2, 1});
    add(root, 1, {1, 1});
    add(root, 2, {1, 1});
    add(a, 0, {1, 1});
    b = add(a, 1, {1, 2});
    c = add(b, 0, {1, 2});
    add(b, 1, {1, 1});
    count(root, kBlack, {{60, 79}, {1, 10}, {2, 11}});
    count(a, kWhite, {{3, 26}, {16, 53}});
    count(b, kBlack, {{27, 35}, {10, 18}});
    set(root, 100, 37);
    set(a, 79, 79 - 60);
    set(b, 53, 16);
    set(c, 35, 35 - 27);
    policy.first_ties = true;
  }

  Facts facts(const std::vector<std::uint32_t>& counts) {
    begins = {0};
    moves.clear();
    for (const std::uint32_t n : counts) {
      for (std::uint32_t i = 0; i < n; ++i) moves.push_back(i);
      begins.push_back(static_cast<std::uint32_t>(moves.size()));
    }
    state.words() = {++states};
    return {state, false, {}, moves, begins};
  }
  NodeId add_child(NodeId parent, JointCode code, const Facts& child) {
    return tree.add(parent, code, child, 0, position_hash(child.state));
  }
  void open_all(Node& node) {
    while (tree.untried(node, node.decider()) > 0) tree.open(node, node.decider(), 0);
  }
  NodeId plant(const std::vector<std::uint32_t>& counts) {
    EXPECT_TRUE(tree.plant(facts(counts), 0, 0));
    open_all(tree[tree.root()]);
    return tree.root();
  }
  NodeId add(NodeId parent, JointCode code, const std::vector<std::uint32_t>& counts) {
    const NodeId id = add_child(parent, code, facts(counts));
    open_all(tree[id]);
    return id;
  }
  void count(NodeId id, gdl::RoleIndex role, std::vector<std::pair<double, std::uint32_t>> stats) {
    for (std::size_t i = 0; i < stats.size(); ++i)
      set_edge(id, role, i, stats[i].first, stats[i].second);
  }
  std::span<Edge> edges(NodeId id, gdl::RoleIndex role) { return tree.edges(tree[id], role); }
  void set_edge(NodeId id, gdl::RoleIndex role, std::size_t i, double sum, std::uint32_t visits) {
    edges(id, role)[i].mean = visits == 0 ? 0 : static_cast<float>(sum / visits);
    edges(id, role)[i].visits = visits;
  }
  std::uint32_t choice(NodeId id, gdl::RoleIndex role) {
    return choose_move(tree, tree[id], role, policy, rng);
  }
  /// Where the only descent of a pass ends.
  const Descents::Group& descend() {
    Selection().descend(tree, policy, 1, rng, descents);
    return descents.groups.back();
  }
  void bring_back(std::vector<double> value) {
    std::ranges::copy(value, descents.value(0).begin());
    Backpropagation().run(tree, policy, descents);
  }
  void set(NodeId id, std::uint32_t visits, double white_wins) {
    tree[id].visits = visits;
    tree[id].sum(kWhite) = white_wins;
    tree[id].sum(kBlack) = visits - white_wins;
  }

  std::vector<gdl::MoveId> moves;
  std::vector<std::uint32_t> begins;
  Graph tree;
  NodeId root, a, b, c;
  std::uint64_t states = 0;
  gdl::State state;
  SelectionPolicy policy;
  gdl::Rng rng{1};
  Descents descents;
};

TEST_F(TextbookTree, ScoresDecideAtEachLevel) {
  policy.gamma = 1.4;
  // 1.0975, 1.0500, 1.0877
  EXPECT_EQ(choice(root, kBlack), 0U);
  // 3/26 + 1.4 * 0.40995 = 0.6893; 16/53 + 1.4 * 0.28713 = 0.7039
  EXPECT_EQ(choice(a, kWhite), 1U);
  // 27/35 + 1.4 * 0.33681 = 1.2430; 10/18 + 1.4 * 0.46965 = 1.2131
  EXPECT_EQ(choice(b, kBlack), 0U);
  policy.gamma = 1.5;  // 1.1217, 1.1179, 1.1524: exploration turns to the third
  EXPECT_EQ(choice(root, kBlack), 2U);
}

TEST_F(TextbookTree, ValuesThatLieCloseNeedLessExploration) {
  policy.gamma = 1.5;
  policy.spread = {1, 0.8F};  // black explores with 1.2: 1.0491, 0.9142, 0.9583
  EXPECT_EQ(choice(root, kBlack), 0U);
}

TEST_F(TextbookTree, AnEdgeGoesByItsOwnMeanUntilAPrunedChildKnowsAsMuch) {
  policy.gamma = 1.4;
  edges(root, kBlack)[0].link = kNoRef;
  ASSERT_EQ(descend().end, Descents::End::Edge);
  const NodeId again = add_child(root, 0, facts({2, 1}));
  descents.groups.back().node = again;
  bring_back({0, 1});  // black wins
  EXPECT_EQ(tree[again].visits, 1U);
  EXPECT_EQ(edges(root, kBlack)[0].visits, 80U);
  EXPECT_NEAR(edges(root, kBlack)[0].mean, 61 / 80.0, 1e-6);
  EXPECT_EQ(tree[root].visits, 101U);
}

TEST_F(TextbookTree, OneSimulatedWinIsAddedAlongThePath) {
  policy.gamma = 1.4;
  const Descents::Group last = descend();
  ASSERT_EQ(last.end, Descents::End::Edge);
  ASSERT_EQ(last.depth, 4U);
  EXPECT_EQ(descents.groups[1].node, a);
  EXPECT_EQ(descents.groups[2].node, b);
  EXPECT_EQ(descents.groups[3].node, c);
  EXPECT_EQ(tree[a].in_flight, 1U);
  EXPECT_EQ(edges(a, kWhite)[1].in_flight, 1U);
  bring_back({0, 1});  // black wins
  EXPECT_EQ(tree[root].visits, 101U);
  EXPECT_EQ(tree[root].sum(kWhite), 37);
  EXPECT_EQ(edges(root, kBlack)[0].visits, 80U);
  EXPECT_NEAR(edges(root, kBlack)[0].mean, 61 / 80.0, 1e-6);
  EXPECT_EQ(edges(root, kBlack)[1].visits, 10U);
  EXPECT_EQ(edges(a, kWhite)[1].visits, 54U);
  EXPECT_NEAR(edges(a, kWhite)[1].mean, 16 / 54.0, 1e-6);
  EXPECT_EQ(edges(b, kBlack)[0].visits, 36U);
  EXPECT_NEAR(edges(b, kBlack)[0].mean, 28 / 36.0, 1e-6);
  EXPECT_EQ(tree[c].visits, 36U);
  EXPECT_EQ(tree[a].in_flight, 0U);
  EXPECT_EQ(edges(a, kWhite)[1].in_flight, 0U);
}

TEST_F(TextbookTree, UnvisitedMovesComeFirst) {
  policy.gamma = 0;
  ASSERT_TRUE(tree.plant(facts({1, 3}), 0, 0));
  for (std::uint32_t place = 0; place < 3; ++place) {
    EXPECT_EQ(choice(tree.root(), kBlack), place);
    set_edge(tree.root(), kBlack, place, 1, 1);
  }
  EXPECT_EQ(tree.untried(tree[tree.root()], kBlack), 0U);
  set_edge(tree.root(), kBlack, 1, 2, 1);
  EXPECT_EQ(choice(tree.root(), kBlack), 1U);
}

TEST_F(TextbookTree, DescentsOnTheirWayCountAsLost) {
  policy.gamma = 0;
  EXPECT_EQ(choice(root, kBlack), 0U);
  edges(root, kBlack)[0].in_flight = 300;  // 60/379 < 2/11
  EXPECT_EQ(choice(root, kBlack), 2U);
}

TEST_F(TextbookTree, AMoveThatIsOnlyInFlightIsWorthItsNode) {
  policy.gamma = 0;
  set_edge(b, kBlack, 1, 0, 0);
  edges(b, kBlack)[1].in_flight = 1;  // the node is worth 37/53 to black, the first move 27/35
  EXPECT_EQ(choice(b, kBlack), 0U);
  set_edge(b, kBlack, 0, 20, 35);
  EXPECT_EQ(choice(b, kBlack), 1U);
}

TEST_F(TextbookTree, ACancelledDescentLeavesNoTrace) {
  descend();
  cancel(tree, descents);
  EXPECT_EQ(tree[root].visits, 100U);
  EXPECT_EQ(tree[root].in_flight, 0U);
  EXPECT_EQ(edges(root, kBlack)[0].in_flight, 0U);
}

TEST_F(TextbookTree, ProvedMovesAreTakenAndRefutedOnesLeft) {
  const auto all = edges(root, kBlack);
  tree[root].set_bounded();
  all[0].bounds = {0, 0};
  EXPECT_NE(choice(root, kBlack), 0U);
  all[1].bounds = {50, 50};
  all[2].bounds = {0, 40};
  EXPECT_EQ(choice(root, kBlack), 1U);
  all[2].bounds = {0, 60};  // the proved 50 need not be visited again
  EXPECT_EQ(choice(root, kBlack), 2U);
  all[0].bounds = {100, 100};
  EXPECT_EQ(choice(root, kBlack), 0U);
}

TEST_F(TextbookTree, WithEverythingLostAllMovesAreCandidates) {
  const auto all = edges(root, kBlack);
  for (Edge& edge : all) edge.bounds = {0, 0};
  for (const Edge& edge : all) EXPECT_TRUE(Candidates(all, 0).admits(edge.bounds));
  all[1].bounds = {0, 30};
  EXPECT_FALSE(Candidates(all, 0).admits(all[0].bounds));
  EXPECT_TRUE(Candidates(all, 0).admits(all[1].bounds));
}

TEST_F(TextbookTree, EqualMovesAreCandidatesUntilTheyAreProved) {
  const auto all = edges(root, kBlack);
  tree[root].set_bounded();
  all[0].bounds = {50, 50};
  all[1].bounds = {0, 50};
  all[2].bounds = {0, 40};
  EXPECT_EQ(choice(root, kBlack), 0U);
  policy.equals_at = &tree[root];
  EXPECT_EQ(choice(root, kBlack), 1U);
  all[1].bounds = {50, 50};
  EXPECT_NE(choice(root, kBlack), 2U);
  all[2].bounds = {0, 60};  // what may be worth more comes first
  EXPECT_EQ(choice(root, kBlack), 2U);
}

TEST_F(TextbookTree, ValuesAreBroughtWithinTheBoundsOnTheWayUp) {
  policy.gamma = 1.4;
  tree[b].set_bounds(kBlack, {50, 100});
  tree[b].set_bounds(kWhite, {0, 50});
  tree[b].set_bounded();
  descend();
  bring_back({1, 0});  // black threw away what it could force at b
  EXPECT_NEAR(edges(b, kBlack)[0].mean, 27 / 36.0, 1e-6);
  EXPECT_EQ(tree[b].sum(kBlack), 53 - 16 + 0.5);
  EXPECT_NEAR(edges(a, kWhite)[1].mean, 16.5 / 54, 1e-6);
  EXPECT_NEAR(edges(root, kBlack)[0].mean, 60.5 / 80, 1e-6);
}

TEST_F(TextbookTree, WithLuckAResultMayBeWorseThanWhatIsProved) {
  policy.gamma = 1.4;
  policy.noisy_results = true;
  tree[b].set_bounds(kBlack, {50, 100});
  tree[b].set_bounded();
  descend();
  bring_back({1, 0});
  EXPECT_EQ(tree[b].sum(kBlack), 37) << "the mean is still above the bound";
  EXPECT_NEAR(edges(root, kBlack)[0].mean, 60 / 80.0, 1e-6);
}

TEST_F(TextbookTree, WithLuckTheMeanIsBroughtWithinTheBounds) {
  policy.gamma = 1.4;
  policy.noisy_results = true;
  tree[b].set_bounds(kBlack, {80, 100});  // the mean is 37/53
  tree[b].set_bounded();
  descend();
  bring_back({1, 0});
  EXPECT_NEAR(tree[b].mean(kBlack), 0.8, 1e-6);
  EXPECT_NEAR(tree[a].sum(kBlack), 60 + 0.8, 1e-6);
  EXPECT_NEAR(edges(root, kBlack)[0].mean, 60.8 / 80, 1e-6);
}

TEST_F(TextbookTree, ChanceIsSampledUniformly) {
  policy.random = kBlack;
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) ++seen[choice(root, kBlack)];
  for (const int n : seen) EXPECT_NEAR(n, 1000, 150);
}

TEST_F(TextbookTree, OutcomesThatWereAllSeenWeighByTheirChances) {
  policy.random =
      kWhite;  // draws at a, which is worth 3/26 to white by one way, 16/53 by the other
  const NodeId first = tree.child(tree[a], 0);
  set(first, 26, 26);
  set(b, 53, 0);
  EXPECT_FLOAT_EQ(value_of(tree, tree[a], kWhite, policy.random), 0.5F);
  EXPECT_FLOAT_EQ(value_of(tree, tree[a], kWhite, std::nullopt), 19 / 79.0F);
  tree[first].visits = 0;
  EXPECT_FLOAT_EQ(value_of(tree, tree[a], kWhite, policy.random), 19 / 79.0F);
}

TEST_F(TextbookTree, DescentsThatChooseTogetherChooseAsOneAfterAnother) {
  for (const std::uint32_t count : {2U, 5U, 29U}) {
    const NodeId wide = plant({1, count});
    const auto fill = [&](std::uint64_t seed) {
      gdl::Rng drawn(seed);
      for (std::uint32_t i = 0; i < count; ++i) {
        set_edge(wide, kBlack, i, 0, 200 + drawn.below(200));
        edges(wide, kBlack)[i].mean = static_cast<float>(drawn.uniform());
        edges(wide, kBlack)[i].in_flight = 0;
      }
      set(wide, 300 * count, 0);
      tree[wide].in_flight = 0;
    };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      fill(seed);
      std::vector<int> difference(count, 0);
      for (int i = 0; i < 40; ++i) {
        const std::uint32_t place = choice(wide, kBlack);
        ++edges(wide, kBlack)[place].in_flight;
        ++tree[wide].in_flight;
        ++difference[place];
      }
      fill(seed);
      std::vector<std::uint32_t> together(40);
      tree[wide].in_flight = 40;
      Chooser().choose(tree, tree[wide], kBlack, policy, {}, rng, together);
      for (const std::uint32_t place : together) --difference[place];
      for (const int d : difference) EXPECT_LE(std::abs(d), 1);
    }
  }
}

TEST_F(TextbookTree, ManyMovesAreToldApartByTheirScores) {
  for (const std::uint32_t count : {2U, 3U, 4U, 5U, 8U, 29U}) {
    const NodeId wide = plant({1, count});
    gdl::Rng numbers(count);
    for (int trial = 0; trial < 50; ++trial) {
      std::uint32_t visits = 0;
      double best = -1;
      std::uint32_t expected = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        set_edge(wide, kBlack, i, 0, 1 + numbers.below(200));
        Edge& edge = edges(wide, kBlack)[i];
        edge.mean = static_cast<float>(numbers.uniform());
        visits += edge.visits;
      }
      set(wide, visits, 0);
      for (std::uint32_t i = 0; i < count; ++i) {
        const Edge& edge = edges(wide, kBlack)[i];
        const double share =
            rough_log(static_cast<float>(visits)) / static_cast<double>(edge.visits);
        const double score = edge.mean + 0.4 * std::sqrt(share);
        if (score > best + 1e-6) expected = i;
        best = std::max(best, score);
      }
      EXPECT_EQ(choice(wide, kBlack), expected);
    }
  }
}

TEST_F(TextbookTree, UnvisitedMovesAreTriedInADrawnOrder) {
  policy.first_ties = false;
  std::set<std::vector<gdl::MoveId>> orders;
  for (int i = 0; i < 100; ++i) {
    tree.plant(facts({1, 3}), 0, 0);
    const Node& node = tree[tree.root()];
    for (std::uint32_t place = 0; place < 3; ++place) ASSERT_EQ(choice(tree.root(), kBlack), place);
    orders.insert({node.move(kBlack, 0), node.move(kBlack, 1), node.move(kBlack, 2)});
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST_F(TextbookTree, SeveralDescentsSpread) {
  policy.gamma = 1.4;
  Selection().descend(tree, policy, 20, rng, descents);
  EXPECT_EQ(tree[root].in_flight, 20U);
  std::uint32_t in_flight = 0;
  for (const Edge& edge : edges(root, kBlack)) {
    EXPECT_GT(edge.in_flight, 0U);
    in_flight += edge.in_flight;
  }
  EXPECT_EQ(in_flight, 20U);
  std::set<std::uint32_t> ended;
  for (const Descents::Group& group : descents.groups) {
    if (group.end == Descents::End::None) continue;
    for (const std::uint32_t descent : Descents::members(group)) ended.insert(descent);
  }
  EXPECT_EQ(ended.size(), 20U);
}

TEST_F(TextbookTree, DescentsOnOnePathGoTogether) {
  policy.gamma = 0;  // the first goes to the best move, the others beside it
  Selection().descend(tree, policy, 5, rng, descents);
  std::set<std::pair<std::uint32_t, JointCode>> paths;
  std::uint32_t gone = 0;
  for (const Descents::Group& group : descents.groups) {
    EXPECT_TRUE(paths.emplace(group.above, group.code).second);
    if (group.above == 0) gone += group.count;
  }
  EXPECT_EQ(gone, 5U);
  for (std::uint32_t descent = 0; descent < 5; ++descent) descents.value(descent)[kBlack] = 1;
  Backpropagation().run(tree, policy, descents);
  EXPECT_EQ(tree[root].visits, 105U);
  EXPECT_EQ(tree[root].sum(kBlack), 63 + 5);
  EXPECT_EQ(tree[root].in_flight, 0U);
  std::uint32_t visits = 0;
  for (const Edge& edge : edges(root, kBlack)) {
    EXPECT_EQ(edge.in_flight, 0U);
    visits += edge.visits;
  }
  EXPECT_EQ(visits, 105U);
}

TEST_F(TextbookTree, ACapOnDepthEndsTheDescent) {
  policy.gamma = 1.4;
  policy.depth = 2;
  const Descents::Group last = descend();
  EXPECT_EQ(last.end, Descents::End::Leaf);
  EXPECT_EQ(last.node, b);
}

}  // namespace
}  // namespace ludens::search::mcts
