// SPDX-License-Identifier: MIT
#include "search/mcts/graph.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace ludens::search::mcts {
namespace {

const std::vector<gdl::MoveId> kMoves{4, 7, 9, 11, 20, 21, 70000};
const std::vector<std::uint32_t> kSeveral{0, 3, 4, 7};  // three roles: 3, 1 and 3 moves
const std::vector<std::uint32_t> kOne{0, 5, 6, 7};      // 5, 1 and 1
const std::vector<std::uint32_t> kNone{0, 1, 2, 3};

Facts facts(const gdl::State& state, const std::vector<std::uint32_t>& begins) {
  return {state, false, {}, kMoves, begins};
}

gdl::State state_of(std::uint64_t word) {
  gdl::State state;
  state.words() = {word, word + 1};
  return state;
}

/// Gives all moves of a node their edges, in order.
bool open_all(Graph& graph, Node& node) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    const bool has_edges = node.has_decider() ? r == node.decider() : node.decides(r);
    while (has_edges && graph.untried(node, r) > 0) {
      if (graph.open(node, r, 0) == Graph::kNoPlace) return false;
    }
  }
  return true;
}

NodeId add_state(Graph& graph, NodeId parent, JointCode code, const gdl::State& state,
                 const std::vector<std::uint32_t>& begins) {
  return graph.add(parent, code, facts(state, begins), 0, position_hash(state));
}

NodeId find(const Graph& graph, const gdl::State& state, std::uint32_t ply, std::uint8_t epoch) {
  return graph.find(state, ply, epoch, position_hash(state));
}

class GraphTest : public testing::TestWithParam<const std::vector<std::uint32_t>*> {
 protected:
  NodeId add(Graph& graph, NodeId parent, JointCode code, std::uint64_t word) {
    EXPECT_TRUE(open_all(graph, graph[parent]));
    return add_state(graph, parent, code, state_of(word), *GetParam());
  }
  bool plant(Graph& graph) { return graph.plant(facts(state_of(1), *GetParam()), 0, 0); }
};

INSTANTIATE_TEST_SUITE_P(Deciders, GraphTest, testing::Values(&kSeveral, &kOne));

TEST_P(GraphTest, JointMovesHaveCodes) {
  Graph graph(nullptr, 0);
  ASSERT_TRUE(plant(graph));
  const Node& root = graph[graph.root()];
  EXPECT_EQ(root.joint_count(), GetParam() == &kSeveral ? 9U : 5U);
  std::vector<gdl::MoveId> moves(3);
  std::set<std::vector<gdl::MoveId>> all;
  for (JointCode code = 0; code < root.joint_count(); ++code) {
    root.decode(code, moves);
    JointCode back = 99;
    ASSERT_TRUE(root.encode(moves, back));
    EXPECT_EQ(back, code);
    for (gdl::RoleIndex r = 0; r < 3; ++r) {
      EXPECT_EQ(root.move(r, root.index_in(code, r)), moves[r]);
    }
    all.insert(moves);
  }
  EXPECT_EQ(all.size(), root.joint_count());
  JointCode code = 0;
  EXPECT_FALSE(root.encode(std::vector<gdl::MoveId>{4, 9, 20}, code));
}

TEST(Graph, TooManyJointMovesHaveNoCodes) {
  std::vector<gdl::MoveId> moves;
  std::vector<std::uint32_t> begins{0};
  for (std::uint32_t r = 0; r < 4; ++r) {
    for (std::uint32_t i = 0; i < 300; ++i) moves.push_back(i);
    begins.push_back(static_cast<std::uint32_t>(moves.size()));
  }
  Graph graph(nullptr, 0);
  ASSERT_TRUE(graph.plant({{}, false, {}, moves, begins}, 0, 0));
  EXPECT_EQ(graph[graph.root()].joint_count(), 0U);
}

TEST_P(GraphTest, ChildrenAreFoundByTheirCodes) {
  Graph graph(nullptr, 0);
  ASSERT_TRUE(plant(graph));
  const std::uint64_t count = graph[graph.root()].joint_count();
  std::vector<NodeId> children;
  for (JointCode code = 0; code < count; ++code) {
    EXPECT_EQ(graph.child(graph[graph.root()], code), kNoNode);
    children.push_back(add(graph, graph.root(), code, 10 + code));
  }
  for (JointCode code = 0; code < count; ++code) {
    EXPECT_EQ(graph.child(graph[graph.root()], code), children[code]);
    EXPECT_EQ(graph.state(graph[children[code]]), gdl::StateView(state_of(10 + code)));
    EXPECT_EQ(graph[children[code]].ply, 1U);
  }
  EXPECT_EQ(graph.size(), count + 1);
  EXPECT_EQ(graph.child_count(graph[graph.root()]), count);
}

TEST_P(GraphTest, APositionReachedByAsManyMovesIsOneNode) {
  Graph graph(nullptr, 0);
  ASSERT_TRUE(plant(graph));
  const NodeId a = add(graph, graph.root(), 0, 2);
  const NodeId b = add(graph, graph.root(), 1, 3);
  const NodeId meeting = add(graph, a, 0, 4);
  EXPECT_EQ(add(graph, b, 1, 4), meeting);
  EXPECT_NE(add(graph, meeting, 0, 2), a);  // it recurs, later
  EXPECT_EQ(find(graph, state_of(4), 2, 0), meeting);
  EXPECT_EQ(find(graph, state_of(4), 3, 0), kNoNode);
  EXPECT_EQ(find(graph, state_of(4), 2, 1), kNoNode);  // of another machine
}

TEST_P(GraphTest, AdvanceKeepsWhatIsInReachAndCollectsTheRest) {
  gdl::MemoryBudget budget(std::size_t{64} << 20);
  {
    Graph graph(&budget, 0);
    ASSERT_TRUE(plant(graph));
    const NodeId root = graph.root();
    const NodeId kept = add(graph, root, 3, 2);
    const NodeId below = add(graph, kept, 1, 1003);
    NodeId lost = root;
    for (JointCode code = 0; code < 200; ++code) {  // a path of 200 nodes
      lost = add(graph, lost, code == 0 ? 2 : code % 5, 2000 + code);
    }
    const NodeId aside = add(graph, root, 0, 5);
    EXPECT_EQ(add(graph, aside, 2, 1003), below);  // in reach by a way that dies, too
    EXPECT_EQ(graph.size(), 204U);
    const std::size_t full = graph.bytes();
    graph.advance(kept);
    EXPECT_EQ(graph.root(), kept);
    for (int i = 0; graph.is_collecting(); ++i) {
      if (i == 1) add(graph, kept, 4, 77);  // made while the others are being marked
      graph.collect(1);
    }
    EXPECT_EQ(graph.size(), 3U);
    EXPECT_LT(graph.bytes(), full);
    EXPECT_EQ(graph.child(graph[kept], 1), below);
    EXPECT_EQ(graph.state(graph[below]), gdl::StateView(state_of(1003)));
    EXPECT_EQ(find(graph, state_of(5), 1, 0), kNoNode);
    EXPECT_NE(find(graph, state_of(77), 2, 0), kNoNode);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST_P(GraphTest, AStepFreesFewNodes) {
  Graph graph(nullptr, std::size_t{16} << 20);
  ASSERT_TRUE(plant(graph));
  const NodeId kept = add(graph, graph.root(), 1, 2);
  NodeId lost = graph.root();
  for (JointCode code = 0; code < 500; ++code) {
    lost = add(graph, lost, code == 0 ? 2 : code % 5, 2000 + code);
  }
  graph.advance(kept);
  while (graph.is_collecting()) {
    const std::size_t before = graph.size();
    graph.collect(1);
    EXPECT_LE(before - graph.size(), 12U);
  }
  EXPECT_EQ(graph.size(), 1U);
}

TEST_P(GraphTest, TheRootMayMoveOnWhileOthersAreCollected) {
  Graph graph(nullptr, std::size_t{16} << 20);
  ASSERT_TRUE(plant(graph));
  NodeId at = graph.root();
  for (std::uint64_t ply = 1; ply <= 20; ++ply) {
    NodeId next = kNoNode;
    for (JointCode code = 0; code < 5; ++code) next = add(graph, at, code, 100 * ply + code);
    graph.collect(3);
    graph.advance(next);
    at = next;
  }
  while (graph.is_collecting()) graph.collect(50);
  EXPECT_EQ(graph.size(), 1U);
}

TEST_P(GraphTest, APositionBesideTheRootMayBeTheNextRootWhileOthersAreCollected) {
  Graph graph(nullptr, std::size_t{16} << 20);
  ASSERT_TRUE(plant(graph));
  const NodeId one = add(graph, graph.root(), 0, 2);
  const NodeId other = add(graph, graph.root(), 1, 3);
  const NodeId below = add(graph, other, 2, 4);
  graph.advance(one);
  const NodeId found = find(graph, state_of(3), 1, 0);
  ASSERT_EQ(found, other);
  graph.advance(found);
  while (graph.is_collecting()) graph.collect(1);
  EXPECT_EQ(graph.size(), 2U);
  EXPECT_EQ(find(graph, state_of(3), 1, 0), other);
  EXPECT_EQ(graph.child(graph[other], 2), below);
  EXPECT_EQ(find(graph, state_of(4), 2, 0), below);
}

TEST_P(GraphTest, GrowthStopsAtTheLimitAndGoesOnWhenSomethingDied) {
  gdl::MemoryBudget budget(std::size_t{1} << 20);
  Graph graph(&budget, 0);
  ASSERT_TRUE(plant(graph));
  NodeId last = graph.root();
  std::size_t nodes = 0;
  for (;; ++nodes) {
    if (!open_all(graph, graph[last])) break;
    const NodeId child = add_state(graph, last, 0, state_of(nodes), *GetParam());
    if (child == kNoNode) break;
    last = child;
  }
  EXPECT_GT(nodes, 500U);
  EXPECT_TRUE(graph.was_full());
  EXPECT_LE(budget.used(), budget.limit());
  EXPECT_GE(budget.used(), graph.bytes());
  graph.advance(graph.child(graph[graph.root()], 0));
  while (graph.is_collecting()) graph.collect(100);
  ASSERT_TRUE(open_all(graph, graph[last]));
  EXPECT_NE(add_state(graph, last, 1, state_of(5), *GetParam()), kNoNode);
}

TEST_P(GraphTest, WhenMemoryIsShortWhatIsHardlyVisitedGoes) {
  Graph graph(nullptr, std::size_t{1} << 20);
  ASSERT_TRUE(plant(graph));
  const NodeId root = graph.root();
  std::uint64_t word = 1;
  const auto grow = [&](NodeId parent, JointCode code, std::uint32_t visits) {
    const NodeId child = add(graph, parent, code, ++word);
    graph[child].visits = visits;
    for (gdl::RoleIndex r = 0; r < 3; ++r) {
      const auto edges = graph.edges(graph[parent], r);
      if (!edges.empty()) edges[graph[parent].index_in(code, r)].visits += visits;
    }
    return child;
  };
  std::vector<NodeId> path{root};
  for (int ply = 0; ply < 10; ++ply) path.push_back(grow(path.back(), 3, 1000));
  const NodeId landing = grow(root, 0, 1);  // descents are under way there
  const auto count_in_flight = [&](int more) {
    for (gdl::RoleIndex r = 0; r < 3; ++r) {
      const auto edges = graph.edges(graph[root], r);
      if (!edges.empty())
        edges[0].in_flight = static_cast<std::uint16_t>(edges[0].in_flight + more);
    }
  };
  count_in_flight(1);
  std::vector<NodeId> others{landing};
  for (std::size_t i = 0; !graph.is_short(); ++i) {
    for (JointCode code = 0; code < 5; ++code) others.push_back(grow(others[i], code, 1));
  }
  EXPECT_FALSE(graph.was_full());
  const std::size_t nodes = graph.size(), bytes = graph.bytes();
  do {
    graph.collect(10);
  } while (graph.is_collecting());
  EXPECT_TRUE(graph.was_full());
  EXPECT_EQ(graph.prunings(), 1U);
  EXPECT_FALSE(graph.is_short());
  EXPECT_LT(graph.size(), nodes * 7 / 8);
  EXPECT_LT(graph.bytes(), bytes * 7 / 8);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    EXPECT_EQ(graph.child(graph[path[i]], 3), path[i + 1]);
  }
  EXPECT_EQ(graph.child(graph[root], 0), landing);
  std::size_t reached = 0, known = 0;
  for (std::uint64_t w = 1; w <= word; ++w) {
    for (std::uint32_t ply = 0; ply < 20; ++ply)
      known += find(graph, state_of(w), ply, 0) != kNoNode;
  }
  std::vector<NodeId> open{root};
  for (; reached < open.size(); ++reached) {
    graph.for_each_child(graph[open[reached]], [&](JointCode, NodeId id) { open.push_back(id); });
  }
  EXPECT_EQ(reached, graph.size());
  EXPECT_EQ(known, graph.size());
  count_in_flight(-1);
  EXPECT_EQ(graph.child_count(graph[root]), 2U);
  const NodeId again = add(graph, landing, 4, ++word);
  EXPECT_EQ(graph.child(graph[landing], 4), again);
}

TEST_P(GraphTest, VisitsWithWhichNodesBeginDoNotMakeThemGo) {
  constexpr std::uint32_t kPrior = 1000;
  Graph graph(nullptr, std::size_t{1} << 20);
  graph.begin_with(kPrior);
  ASSERT_TRUE(plant(graph));
  std::vector<NodeId> nodes{graph.root()};
  std::uint64_t word = 1;
  for (std::size_t i = 0; !graph.is_short(); ++i) {
    for (JointCode code = 0; code < 5; ++code) {
      const auto visits = static_cast<std::uint32_t>(1 + 100'000 / word);
      nodes.push_back(add(graph, nodes[i], code, ++word));
      graph[nodes.back()].visits = kPrior + visits;
      graph[nodes.back()].set_prior();
      for (gdl::RoleIndex r = 0; r < 3; ++r) {
        const auto edges = graph.edges(graph[nodes[i]], r);
        if (!edges.empty()) edges[graph[nodes[i]].index_in(code, r)].visits = visits;
      }
    }
  }
  const std::size_t bytes = graph.bytes();
  do {
    graph.collect(10);
  } while (graph.is_collecting());
  EXPECT_LT(graph.bytes(), bytes * 7 / 8);
  EXPECT_GT(graph.bytes(), bytes / 2);
}

TEST_P(GraphTest, AllMemoryComesBack) {
  gdl::MemoryBudget budget(std::size_t{8} << 20);
  Graph graph(&budget, std::size_t{1} << 20);
  ASSERT_TRUE(plant(graph));
  const std::size_t before = graph.bytes();
  const NodeId child = add(graph, graph.root(), 3, 2);
  for (JointCode code = 0; code < 5; ++code) add(graph, child, code, 50 + code);
  gdl::State longer;
  longer.words() = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(graph.restate(child, longer, 1, position_hash(longer)));
  EXPECT_EQ(graph.state(graph[child]), gdl::StateView(longer));
  EXPECT_EQ(find(graph, longer, 1, 1), child);
  EXPECT_EQ(find(graph, state_of(2), 1, 0), kNoNode);
  graph.advance(add(graph, graph.root(), 0, 9));
  while (graph.is_collecting()) graph.collect(100);
  EXPECT_EQ(graph.size(), 1U);
  EXPECT_EQ(graph.bytes(), before);
  graph.clear();
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Graph, AForcedMoveHasAnEdgeToo) {
  Graph graph(nullptr, std::size_t{1} << 20);
  ASSERT_TRUE(graph.plant(facts(state_of(1), kNone), 0, 0));
  ASSERT_TRUE(open_all(graph, graph[graph.root()]));
  EXPECT_EQ(graph[graph.root()].joint_count(), 1U);
  const NodeId child = add_state(graph, graph.root(), 0, state_of(2), kNone);
  EXPECT_EQ(graph.child(graph[graph.root()], 0), child);
}

/// Five branches grow side by side until memory is full. When four of them die, most of it is free
/// in pieces that have room for nodes, and are too small for many edges.
TEST(Graph, RefusedEdgesLetACollectionPrune) {
  constexpr std::uint32_t kMany = 1000;
  std::vector<gdl::MoveId> moves(kMany + 2);
  std::iota(moves.begin(), moves.end(), 0);
  const std::vector<std::uint32_t> begins{0, kMany, kMany + 1, kMany + 2};
  Graph graph(nullptr, std::size_t{1} << 20);
  ASSERT_TRUE(graph.plant(facts(state_of(1), kOne), 0, 0));
  std::uint64_t word = 1;
  const auto grow = [&](NodeId parent, JointCode code) {
    const bool open = open_all(graph, graph[parent]);
    return open ? add_state(graph, parent, code, state_of(++word), kOne) : kNoNode;
  };
  const NodeId kept = grow(graph.root(), 0);
  const NodeId small = grow(kept, 0);
  const gdl::State state = state_of(++word);
  const NodeId wide =
      graph.add(kept, 1, {state, false, {}, moves, begins}, 0, position_hash(state));
  ASSERT_NE(wide, kNoNode);
  graph.edges(graph[kept], 0)[0].visits = graph.edges(graph[kept], 0)[1].visits = 1000;
  const auto open_one = [&] { return graph.open(graph[wide], 0, 0) != Graph::kNoPlace; };
  while (graph[wide].tried < 256) ASSERT_TRUE(open_one());
  std::vector<std::vector<NodeId>> branches{{small}};
  for (JointCode code = 1; code < 5; ++code) branches.push_back({grow(graph.root(), code)});
  NodeId last = small;
  for (std::size_t i = 0; last != kNoNode; ++i) {
    for (auto& branch : branches) {
      for (JointCode code = 0; code < 5 && last != kNoNode; ++code) {
        branch.push_back(last = grow(branch[i], code));
      }
    }
  }
  graph.advance(kept);
  while (graph.is_collecting()) graph.collect(100);
  ASSERT_EQ(graph.child(graph[kept], 1), wide);
  ASSERT_FALSE(graph.is_short());
  EXPECT_NE(graph.add(kept, 2, facts(state_of(++word), kNone), 0, 0), kNoNode);
  for (int times = 0; times < 200 && !open_one(); ++times) graph.collect(100);
  EXPECT_GT(graph[wide].tried, 256U);
  EXPECT_EQ(graph.prunings(), 1U);
}

TEST(Graph, EveryPositionOfManyIsFoundWhileTheTableGrows) {
  Graph graph(nullptr, std::size_t{1} << 26);
  ASSERT_TRUE(graph.plant(facts(state_of(1), kNone), 0, 0));
  constexpr std::uint64_t kNodes = 20'000;  // several times as many as there are lists at first
  NodeId last = graph.root();
  std::vector<NodeId> path{last};
  for (std::uint64_t i = 1; i <= kNodes; ++i) {
    ASSERT_TRUE(open_all(graph, graph[last]));
    last = add_state(graph, last, 0, state_of(i * i), kNone);
    path.push_back(last);
  }
  for (std::uint64_t i = 1; i <= kNodes; ++i) {
    ASSERT_EQ(find(graph, state_of(i * i), static_cast<std::uint32_t>(i), 0), path[i]);
  }
  graph.advance(path[kNodes / 2]);
  while (graph.is_collecting()) graph.collect(100);
  EXPECT_EQ(graph.size(), kNodes / 2 + 1);
  EXPECT_EQ(find(graph, state_of(4), 2, 0), kNoNode);
  EXPECT_EQ(find(graph, state_of(kNodes * kNodes), kNodes, 0), last);
}

TEST(Graph, ALimitOfItsOwnHoldsWithoutABudget) {
  Graph graph(nullptr, 4096);
  EXPECT_FALSE(graph.plant(facts(state_of(1), kOne), 0, 0));
  EXPECT_EQ(graph.root(), kNoNode);
}

}  // namespace
}  // namespace ludens::search::mcts
