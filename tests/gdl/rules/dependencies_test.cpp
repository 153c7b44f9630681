// SPDX-License-Identifier: MIT
#include "gdl/rules/dependencies.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

TEST(StrongComponents, OrderAKnownGraphByDependency) {
  // Node X needs node Y.
  const std::pair<std::uint32_t, std::uint32_t> edges[] = {
      {2, 1}, {3, 2}, {4, 2}, {5, 3}, {5, 4}, {3, 4}, {4, 3}, {4, 6}, {6, 7}, {7, 8}, {8, 3}};
  Graph graph(9);
  for (const auto& [from, to] : edges) graph[from].push_back(to);
  const Components components = strong_components(graph);
  std::map<std::uint32_t, std::set<std::uint32_t>> members;
  for (std::uint32_t n = 1; n <= 8; ++n) members[components.of[n]].insert(n);
  std::vector<std::set<std::uint32_t>> order;
  for (const auto& [component, nodes] : members) order.push_back(nodes);
  EXPECT_EQ(order, (std::vector<std::set<std::uint32_t>>{{1}, {2}, {3, 4, 6, 7, 8}, {5}}));
}

TEST(StrongComponents, OfALongChainNeedNoStack) {
  Graph graph(1'000'000);
  for (std::uint32_t n = 0; n + 1 < graph.size(); ++n) graph[n].push_back(n + 1);
  EXPECT_EQ(strong_components(graph).count, graph.size());
  graph.back().push_back(0);
  EXPECT_EQ(strong_components(graph).count, 1u);
}

TEST(ShortestPath, TakesFewestEdges) {
  const Graph graph{{1, 2}, {3}, {4}, {4}, {0}, {}};
  EXPECT_EQ(shortest_path(graph, 0, 4), (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_EQ(shortest_path(graph, 0, 0), (std::vector<std::uint32_t>{0, 2, 4, 0}));
  EXPECT_TRUE(shortest_path(graph, 0, 5).empty());
  EXPECT_EQ(shortest_path(graph, 0, 4, {true, true, false, true, true, true}),
            (std::vector<std::uint32_t>{0, 1, 3, 4}));
}

class DependenciesOf : public testing::Test {
 protected:
  void read(const std::string& text) {
    normalised_ = normalise_text(text);
    needs_ = dependencies(*normalised_.rules);
  }
  [[nodiscard]] RelationId relation(const char* name, std::uint32_t arity = 0) const {
    return *normalised_.rules->find_relation(name, arity);
  }

  NormalisedRules normalised_;
  Dependencies needs_;
};

TEST_F(DependenciesOf, MutualRecursionIsOneComponent) {
  read("(<= p q)(<= q p r)(<= r s)(<= s (not s))");
  EXPECT_TRUE(needs_.in_same_component(relation("p"), relation("q")));
  EXPECT_TRUE(needs_.is_recursive(relation("p")));
  EXPECT_FALSE(needs_.is_recursive(relation("r")));
  EXPECT_FALSE(needs_.negative[needs_.components.of[relation("p")]]);
  EXPECT_TRUE(needs_.negative[needs_.components.of[relation("s")]]);
  EXPECT_LT(needs_.components.of[relation("r")], needs_.components.of[relation("p")]);
}

TEST_F(DependenciesOf, TheNextStateIsNotThisState) {
  read("(<= (next p) (not (true p)))");
  EXPECT_FALSE(needs_.is_recursive(kNext));
  EXPECT_EQ(needs_.rules_of[kNext], std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace ludens::gdl
