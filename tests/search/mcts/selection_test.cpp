#include "search/mcts/selection.h"

#include "search/mcts/score.h"

namespace ludens::search::mcts {
namespace {

TEST(Score, IsTheMeanAndTheExplorationTerm) {
  EXPECT_NEAR(ucb_score(60, 79, 100, 1.4), 0.75949 + 1.4 * 0.24144, 1e-4);
  EXPECT_NEAR(ucb_score(1, 10, 100, 1.4), 0.1 + 1.4 * 0.67861, 1e-4);
  EXPECT_NEAR(ucb_score(2, 11, 100, 1.4), 0.18182 + 1.4 * 0.64703, 1e-4);
  EXPECT_DOUBLE_EQ(ucb_score(3, 4, 50, 0), 0.75);
}

/// The tree by which Russell and Norvig (AIMA, 4th edition, section 5.4) explain one iteration.
/// White has just moved at the root; a node carries wins / trials of the role that moved into it:
///
///     root 37/100; black's moves 60/79, 1/10, 2/11; white's under the first 3/26, 16/53;
///     black's under the second 27/35, 10/18.
class TextbookTree : public ::testing::Test {
 protected:
  static constexpr gdl::RoleIndex kWhite = 0, kBlack = 1;

  TextbookTree() : tree(nullptr, 0) {
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

  static Facts facts(const std::vector<std::uint32_t>& counts, std::vector<gdl::MoveId>& moves,
                     std::vector<std::uint32_t>& begins) {
    begins = {0};
    moves.clear();
    for (const std::uint32_t n : counts) {
      for (std::uint32_t i = 0; i < n; ++i) moves.push_back(i);
      begins.push_back(static_cast<std::uint32_t>(moves.size()));
    }
    return {{}, false, {}, moves, begins};
  }
  NodeId plant(const std::vector<std::uint32_t>& counts) {
    EXPECT_TRUE(tree.plant(facts(counts, moves, begins), 0));
    return tree.root();
  }
  NodeId add(NodeId parent, JointCode code, const std::vector<std::uint32_t>& counts) {
    return tree.add(parent, code, facts(counts, moves, begins), 0);
  }
  void count(NodeId id, gdl::RoleIndex role, std::vector<std::pair<double, std::uint32_t>> stats) {
    ASSERT_TRUE(tree.grow(tree[id]));
    for (std::size_t i = 0; i < stats.size(); ++i) {
      tree[id].edges(role)[i].sum = stats[i].first;
      tree[id].edges(role)[i].visits = stats[i].second;
    }
  }
  void set(NodeId id, std::uint32_t visits, double white_wins) {
    tree[id].visits = visits;
    tree[id].role(kWhite).sum = white_wins;
    tree[id].role(kBlack).sum = visits - white_wins;
  }

  std::vector<gdl::MoveId> moves;
  std::vector<std::uint32_t> begins;
  Tree tree;
  NodeId root, a, b, c;
  SelectionPolicy policy;
  gdl::Rng rng{1};
  std::vector<Step> steps;
};

TEST_F(TextbookTree, ScoresDecideAtEachLevel) {
  policy.gamma = 1.4;
  // 1.0975, 1.0500, 1.0877
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 0U);
  // 3/26 + 1.4 * 0.40995 = 0.6893; 16/53 + 1.4 * 0.28713 = 0.7039
  EXPECT_EQ(choose_move(tree[a], kWhite, policy, rng), 1U);
  // 27/35 + 1.4 * 0.33681 = 1.2430; 10/18 + 1.4 * 0.46965 = 1.2131
  EXPECT_EQ(choose_move(tree[b], kBlack, policy, rng), 0U);
  policy.gamma = 1.5;  // 1.1217, 1.1179, 1.1524: exploration turns to the third
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 2U);
}

TEST_F(TextbookTree, OneSimulatedWinIsAddedAlongThePath) {
  policy.gamma = 1.4;
  const Descent descent = descend(tree, policy, rng, steps);
  ASSERT_EQ(descent.end, Descent::End::Edge);
  ASSERT_EQ(descent.step_count, 4U);
  EXPECT_EQ(steps[1].node, a);
  EXPECT_EQ(steps[2].node, b);
  EXPECT_EQ(steps[3].node, c);
  EXPECT_EQ(tree[a].in_flight, 1U);
  EXPECT_EQ(tree[a].edges(kWhite)[1].in_flight, 1U);
  std::vector<double> value{0, 1};  // black wins
  back_up(tree, descent, steps, policy, value);
  EXPECT_EQ(tree[root].visits, 101U);
  EXPECT_EQ(tree[root].role(kWhite).sum, 37);
  EXPECT_EQ(tree[root].edges(kBlack)[0].visits, 80U);
  EXPECT_EQ(tree[root].edges(kBlack)[0].sum, 61);
  EXPECT_EQ(tree[root].edges(kBlack)[1].visits, 10U);
  EXPECT_EQ(tree[a].edges(kWhite)[1].visits, 54U);
  EXPECT_EQ(tree[a].edges(kWhite)[1].sum, 16);
  EXPECT_EQ(tree[b].edges(kBlack)[0].visits, 36U);
  EXPECT_EQ(tree[b].edges(kBlack)[0].sum, 28);
  EXPECT_EQ(tree[c].visits, 36U);
  EXPECT_EQ(tree[a].in_flight, 0U);
  EXPECT_EQ(tree[a].edges(kWhite)[1].in_flight, 0U);
}

TEST_F(TextbookTree, UnvisitedMovesComeFirst) {
  policy.gamma = 0;
  tree[root].edges(kBlack)[1] = {};
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 1U);
}

TEST_F(TextbookTree, DescentsOnTheirWayCountAsLost) {
  policy.gamma = 0;
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 0U);
  tree[root].edges(kBlack)[0].in_flight = 300;  // 60/379 < 2/11
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 2U);
}

TEST_F(TextbookTree, AMoveThatIsOnlyInFlightIsWorthItsNode) {
  policy.gamma = 0;
  tree[b].edges(kBlack)[1] = {};
  tree[b].edges(kBlack)[1].in_flight = 1;  // the node is worth 37/53 to black, the first move 27/35
  EXPECT_EQ(choose_move(tree[b], kBlack, policy, rng), 0U);
  tree[b].edges(kBlack)[0].sum = 20;
  EXPECT_EQ(choose_move(tree[b], kBlack, policy, rng), 1U);
}

TEST_F(TextbookTree, ADescentTakenBackLeavesNoTrace) {
  const Descent descent = descend(tree, policy, rng, steps);
  take_back(tree, descent, steps);
  EXPECT_EQ(tree[root].visits, 100U);
  EXPECT_EQ(tree[root].in_flight, 0U);
  EXPECT_EQ(tree[root].edges(kBlack)[0].in_flight, 0U);
}

TEST_F(TextbookTree, ProvedMovesAreTakenAndRefutedOnesLeft) {
  auto edges = tree[root].edges(kBlack);
  edges[0].bounds = {0, 0};
  EXPECT_NE(choose_move(tree[root], kBlack, policy, rng), 0U);
  edges[1].bounds = {50, 50};
  edges[2].bounds = {0, 40};
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 1U);
  edges[2].bounds = {0, 60};  // the proved 50 need not be looked at again
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 2U);
  edges[0].bounds = {100, 100};
  EXPECT_EQ(choose_move(tree[root], kBlack, policy, rng), 0U);
}

TEST_F(TextbookTree, WithEverythingLostAllMovesAreCandidates) {
  auto edges = tree[root].edges(kBlack);
  for (Edge& edge : edges) edge.bounds = {0, 0};
  for (const Edge& edge : edges) EXPECT_TRUE(is_candidate(edge, edges));
  edges[1].bounds = {0, 30};
  EXPECT_FALSE(is_candidate(edges[0], edges));
  EXPECT_TRUE(is_candidate(edges[1], edges));
}

TEST_F(TextbookTree, ValuesAreBroughtWithinTheBoundsOnTheWayUp) {
  policy.gamma = 1.4;
  tree[b].role(kBlack).bounds = {50, 100};
  tree[b].role(kWhite).bounds = {0, 50};
  const Descent descent = descend(tree, policy, rng, steps);
  std::vector<double> value{1, 0};  // black threw away what it could force at b
  back_up(tree, descent, steps, policy, value);
  EXPECT_EQ(tree[b].edges(kBlack)[0].sum, 27);
  EXPECT_EQ(tree[b].role(kBlack).sum, 53 - 16 + 0.5);
  EXPECT_EQ(tree[a].edges(kWhite)[1].sum, 16.5);
  EXPECT_EQ(tree[root].edges(kBlack)[0].sum, 60.5);
}

TEST_F(TextbookTree, ChanceIsSampledUniformly) {
  policy.random = kBlack;
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) ++seen[choose_move(tree[root], kBlack, policy, rng)];
  for (const int n : seen) EXPECT_NEAR(n, 1000, 150);
}

TEST_F(TextbookTree, ACapOnDepthEndsTheDescent) {
  policy.gamma = 1.4;
  policy.depth = 2;
  const Descent descent = descend(tree, policy, rng, steps);
  EXPECT_EQ(descent.end, Descent::End::Leaf);
  EXPECT_EQ(descent.leaf, b);
}

}  // namespace
}  // namespace ludens::search::mcts
