#include "search/mcts/tree.h"

namespace ludens::search::mcts {
namespace {

const std::vector<gdl::MoveId> kMoves{4, 7, 9, 11, 20, 21, 22};
const std::vector<std::uint32_t> kBegins{0, 3, 4, 7};  // three roles: 3, 1 and 3 moves

Facts facts(const gdl::State& state) {
  return {state, false, {}, kMoves, kBegins};
}

gdl::State state_of(std::uint64_t word) {
  gdl::State state;
  state.words() = {word, word + 1};
  return state;
}

TEST(McTree, JointMovesHaveCodes) {
  Tree tree(nullptr, 0);
  ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
  const Node& root = tree[tree.root()];
  EXPECT_EQ(root.joint_count(), 9U);
  std::vector<gdl::MoveId> moves(3);
  for (JointCode code = 0; code < 9; ++code) {
    root.decode(code, moves);
    JointCode back = 99;
    ASSERT_TRUE(root.encode(moves, back));
    EXPECT_EQ(back, code);
    EXPECT_EQ(root.moves(2)[root.index_in(code, 2)], moves[2]);
  }
  JointCode code = 0;
  EXPECT_FALSE(root.encode(std::vector<gdl::MoveId>{4, 9, 20}, code));
}

TEST(McTree, TooManyJointMovesHaveNone) {
  std::vector<gdl::MoveId> moves;
  std::vector<std::uint32_t> begins{0};
  for (std::uint32_t r = 0; r < 4; ++r) {
    for (std::uint32_t i = 0; i < 300; ++i) moves.push_back(i);
    begins.push_back(static_cast<std::uint32_t>(moves.size()));
  }
  Tree tree(nullptr, 0);
  ASSERT_TRUE(tree.plant({{}, false, {}, moves, begins}, 0));
  EXPECT_EQ(tree[tree.root()].joint_count(), 0U);
}

TEST(McTree, ChildrenAreFoundByTheirCodes) {
  Tree tree(nullptr, 0);
  ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
  std::vector<NodeId> children;
  for (JointCode code = 0; code < 9; ++code) {
    EXPECT_EQ(tree[tree.root()].child(code), kNoNode);
    children.push_back(tree.add(tree.root(), code, facts(state_of(code)), 0));
  }
  for (JointCode code = 0; code < 9; ++code) {
    EXPECT_EQ(tree[tree.root()].child(code), children[code]);
    EXPECT_EQ(tree[children[code]].state(), gdl::StateView(state_of(code)));
  }
  EXPECT_EQ(tree.size(), 10U);
}

TEST(McTree, AdvanceKeepsTheSubtreeAndCollectsTheRest) {
  gdl::MemoryBudget budget(std::size_t{64} << 20);
  {
    Tree tree(&budget, 0);
    ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
    const NodeId kept = tree.add(tree.root(), 3, facts(state_of(2)), 0);
    const NodeId below = tree.add(kept, 1, facts(state_of(3)), 0);
    NodeId lost = tree.root();
    for (JointCode code = 0; code < 200; ++code) {  // a path of 200 nodes
      lost = tree.add(lost, code == 0 ? 5 : code % 9, facts(state_of(code)), 0);
    }
    EXPECT_EQ(tree.size(), 203U);
    const std::size_t full = tree.bytes();
    tree.advance(kept);
    EXPECT_EQ(tree.root(), kept);
    while (tree.has_dead()) tree.collect(7);
    EXPECT_EQ(tree.size(), 2U);
    EXPECT_LT(tree.bytes(), full);
    EXPECT_EQ(tree[kept].child(1), below);
    EXPECT_EQ(tree[below].state(), gdl::StateView(state_of(3)));
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(McTree, GrowthStopsAtTheLimitAndGoesOnWhenSomethingDied) {
  gdl::MemoryBudget budget(std::size_t{1} << 20);
  Tree tree(&budget, 0);
  ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
  NodeId last = tree.root();
  std::size_t nodes = 0;
  for (;; ++nodes) {
    const NodeId child = tree.add(last, 0, facts(state_of(nodes)), 0);
    if (child == kNoNode) break;
    last = child;
  }
  EXPECT_GT(nodes, 500U);
  EXPECT_TRUE(tree.was_full());
  EXPECT_LE(budget.used(), budget.limit());
  EXPECT_GE(budget.used(), tree.bytes());
  tree.advance(tree[tree.root()].child(0));
  EXPECT_NE(tree.add(last, 1, facts(state_of(5)), 0), kNoNode);
}

TEST(McTree, MemoryIsCountedToTheByte) {
  Tree tree(nullptr, 0);
  ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
  const std::size_t before = tree.bytes();
  const NodeId child = tree.add(tree.root(), 3, facts(state_of(2)), 0);
  ASSERT_TRUE(tree.grow(tree[child]));
  tree.add(child, 0, facts(state_of(2)), 0);
  gdl::State longer;
  longer.words() = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(tree.restate(child, longer, 1));
  const std::size_t table = tree[tree.root()].bytes();
  tree.clear();
  tree.collect(100);
  EXPECT_EQ(tree.size(), 0U);
  ASSERT_TRUE(tree.plant(facts(state_of(1)), 0));
  EXPECT_EQ(tree.bytes(), before);
  EXPECT_LT(tree[tree.root()].bytes(), table);
}

TEST(McTree, ALimitOfItsOwnHoldsWithoutABudget) {
  Tree tree(nullptr, 4096);
  EXPECT_FALSE(tree.plant(facts(state_of(1)), 0));
  EXPECT_EQ(tree.root(), kNoNode);
}

}  // namespace
}  // namespace ludens::search::mcts
