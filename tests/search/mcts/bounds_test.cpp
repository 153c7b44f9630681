#include "search/mcts/bounds.h"

namespace ludens::search::mcts {
namespace {

/// A root whose roles have `counts` moves, and children that are ends or open positions.
class BoundsTree {
 public:
  explicit BoundsTree(const std::vector<std::uint32_t>& counts) : roles_(counts.size()) {
    fill(counts);
    EXPECT_TRUE(tree.plant({{}, false, {}, moves_, begins_}, 0));
    EXPECT_TRUE(tree.grow(root()));
  }
  Node& root() { return tree[tree.root()]; }
  void end(JointCode code, std::vector<std::uint8_t> goals) {
    const std::vector<std::uint32_t> nothing(roles_ + 1, 0);
    tree.add(tree.root(), code, {{}, true, goals, {}, nothing}, 0);
  }
  void open(JointCode code, std::vector<Bounds> bounds) {
    fill(std::vector<std::uint32_t>(roles_, 1));
    const NodeId id = tree.add(tree.root(), code, {{}, false, {}, moves_, begins_}, 0);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) tree[id].role(r).bounds = bounds[r];
  }
  Bounds after_update(gdl::RoleIndex role, std::optional<gdl::RoleIndex> random = {}) {
    update_bounds(tree, tree.root(), random);
    return root().role(role).bounds;
  }
  Tree tree{nullptr, 0};

 private:
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
};

TEST(Bounds, WhoMovesTakesItsBestAndTheOtherGetsItsWorst) {
  BoundsTree tree({3, 1});
  tree.end(0, {30, 70});
  EXPECT_EQ(tree.after_update(0), (Bounds{30, 100}));
  EXPECT_EQ(tree.after_update(1), (Bounds{0, 70}));
  tree.open(1, {{20, 60}, {40, 80}});
  tree.end(2, {10, 90});
  EXPECT_EQ(tree.after_update(0), (Bounds{30, 60}));
  EXPECT_EQ(tree.after_update(1), (Bounds{40, 70}));
  EXPECT_EQ(tree.root().edges(0)[1].bounds, (Bounds{20, 60}));
}

TEST(Bounds, OneWinningMoveProvesTheNode) {
  BoundsTree tree({5, 1});
  tree.end(3, {100, 0});
  EXPECT_TRUE(update_bounds(tree.tree, tree.tree.root(), {}));
  EXPECT_TRUE(tree.root().role(0).bounds.closed());
  EXPECT_EQ(tree.root().role(1).bounds, (Bounds{0, 0}));
  EXPECT_FALSE(update_bounds(tree.tree, tree.tree.root(), {}));  // nothing new
}

TEST(Bounds, ChanceIsTheMeanRoundedOutwards) {
  BoundsTree tree({1, 3});
  tree.end(0, {50, 0});
  tree.end(1, {25, 0});
  EXPECT_EQ(tree.after_update(0, 1), (Bounds{25, 59}));  // 75/3, 175/3
  tree.end(2, {0, 0});
  EXPECT_EQ(tree.after_update(0, 1), (Bounds{25, 25}));
}

TEST(Bounds, AForcedMovePassesThemOn) {
  BoundsTree tree({1, 1});
  tree.open(0, {{10, 40}, {60, 90}});
  EXPECT_EQ(tree.after_update(0), (Bounds{10, 40}));
  EXPECT_EQ(tree.after_update(1), (Bounds{60, 90}));
}

TEST(Bounds, SimultaneousMovesAreWorthTheirWorstOutcome) {
  BoundsTree tree({2, 2});
  tree.end(0, {100, 0});  // (0, 0)
  EXPECT_EQ(tree.after_update(0), (Bounds{0, 100}));
  tree.end(2, {60, 40});  // (0, 1)
  EXPECT_EQ(tree.after_update(0), (Bounds{60, 100}));
  tree.end(1, {0, 100});  // (1, 0)
  tree.end(3, {70, 30});  // (1, 1)
  EXPECT_EQ(tree.after_update(0), (Bounds{60, 100}));
  EXPECT_EQ(tree.root().edges(0)[1].bounds, (Bounds{0, 70}));
  EXPECT_EQ(tree.after_update(1), (Bounds{30, 100}));
}

TEST(Bounds, MatchingPenniesAreNeverDecided) {
  BoundsTree tree({2, 2});
  for (JointCode code = 0; code < 4; ++code) {
    const bool same = code == 0 || code == 3;
    tree.end(code, same ? std::vector<std::uint8_t>{100, 0} : std::vector<std::uint8_t>{0, 100});
  }
  EXPECT_EQ(tree.after_update(0), (Bounds{0, 100}));
  EXPECT_EQ(tree.after_update(1), (Bounds{0, 100}));
}

TEST(Bounds, ChanceBesideAChoiceCountsAsAnything) {
  BoundsTree tree({2, 2});  // role 1 is random
  tree.end(0, {80, 0});
  tree.end(2, {40, 0});
  EXPECT_EQ(tree.after_update(0, 1), (Bounds{40, 100}));
}

}  // namespace
}  // namespace ludens::search::mcts
