// SPDX-License-Identifier: MIT
#include "search/mcts/loss_distance.h"

#include <gtest/gtest.h>

namespace ludens::search::mcts {
namespace {

/// Positions that the first of two roles has lost. `counts`: how many moves each role has; none at
/// an end.
class Lost {
 public:
  Lost() { EXPECT_TRUE(graph.plant(facts({2, 1}), 0, 0)); }
  NodeId add(NodeId parent, JointCode code, const std::vector<std::uint32_t>& counts) {
    const NodeId id = graph.add(parent, code, facts(counts), 0, static_cast<std::uint32_t>(states));
    graph[id].tighten(0, {0, 0});
    return id;
  }
  NodeId end(NodeId parent, JointCode code) { return add(parent, code, {0, 0}); }
  /// Makes the edges of all moves.
  void open(NodeId id) {
    Node& node = graph[id];
    while (graph.untried(node, node.decider()) > 0) graph.open(node, node.decider(), 0);
  }
  Graph graph{nullptr, 0};

 private:
  Facts facts(const std::vector<std::uint32_t>& counts) {
    state.words() = {++states};
    begins = {0};
    moves.clear();
    for (const std::uint32_t count : counts) {
      for (std::uint32_t i = 0; i < count; ++i) moves.push_back(i);
      begins.push_back(static_cast<std::uint32_t>(moves.size()));
    }
    return {state, moves.empty(), goals, moves, begins};
  }
  std::uint64_t states = 0;
  gdl::State state;
  std::vector<std::uint32_t> begins;
  std::vector<gdl::MoveId> moves;
  std::vector<std::uint8_t> goals{0, 100};
};

TEST(LossDistance, IsTheLongestWayOfTheLoserAndTheShortestOfTheOthers) {
  Lost lost;
  const NodeId root = lost.graph.root();
  lost.graph[root].tighten(0, {0, 0});
  lost.open(root);
  const NodeId quick = lost.add(root, 0, {1, 2}), slow = lost.add(root, 1, {1, 2});
  for (const NodeId id : {quick, slow}) lost.open(id);
  lost.end(quick, 0);
  const NodeId detour = lost.add(quick, 1, {1, 1});
  lost.open(detour);
  const NodeId last = lost.add(slow, 0, {2, 1});
  lost.open(last);
  lost.end(last, 0);
  lost.end(detour, 0);
  LossDistance distance(lost.graph, 0, 100);
  EXPECT_EQ(distance.plies(quick), 1U);
  EXPECT_EQ(distance.plies(detour), 1U);
  EXPECT_EQ(distance.plies(slow), 2U);
  EXPECT_EQ(distance.plies(root), 3U);
  EXPECT_EQ(LossDistance(lost.graph, 0, 1).plies(root), std::nullopt);  // too large to be read
}

TEST(LossDistance, OfALongChainNeedsNoDeepStack) {
  constexpr std::uint32_t kPlies = 400'000;
  Lost lost;
  NodeId at = lost.graph.root();
  lost.graph[at].tighten(0, {0, 0});
  for (std::uint32_t ply = 0; ply < kPlies; ++ply) {
    lost.open(at);
    at = ply + 1 < kPlies ? lost.add(at, 0, {2, 1}) : lost.end(at, 0);
  }
  EXPECT_EQ(LossDistance(lost.graph, 0, kPlies).plies(lost.graph.root()), kPlies);
}

}  // namespace
}  // namespace ludens::search::mcts
