// SPDX-License-Identifier: MIT
#include "search/mcts/simultaneous.h"

#include <algorithm>
#include <cmath>

#include "search/mcts/candidates.h"
#include "search/mcts/chance.h"

namespace ludens::search::mcts {

namespace {

/// Children with less than this share of an even number of visits say nothing yet.
constexpr double kTellingShare = 0.05;

/// Weights by which moves are drawn; untried moves have the weight of a move that never gained
/// anything.
struct Weights {
  std::vector<float> tried;
  float untried = 0;  // of each
  float sum = 0;
};

Weights weigh(std::span<const Edge> edges, std::uint32_t untried, const SelectionPolicy& policy) {
  Weights weights;
  weights.tried.reserve(edges.size());
  if (policy.simultaneous == SimultaneousRule::Regret) {
    for (const Edge& edge : edges) weights.tried.push_back(edge.cumulative);
  } else {
    float most = 0;
    for (const Edge& edge : edges) most = std::max(most, edge.cumulative);
    const float rate =
        static_cast<float>(policy.mixing) / static_cast<float>(edges.size() + untried);
    for (const Edge& edge : edges)
      weights.tried.push_back(std::exp(rate * (edge.cumulative - most)));
    weights.untried = std::exp(-rate * most);
  }
  for (const float weight : weights.tried) weights.sum += weight;
  weights.sum += weights.untried * static_cast<float>(untried);
  return weights;
}

/// Numbers of a role's moves are this far apart in a code.
JointCode stride_of(const Node& node, gdl::RoleIndex role) {
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < role; ++r) stride *= node.move_count(r);
  return stride;
}

void learn_regret(Graph& graph, Node& node, gdl::RoleIndex role, const Results& results) {
  const auto edges = graph.edges(node, role);
  const std::uint32_t place = node.index_in(results.code, role);
  const JointCode stride = stride_of(node, role);
  const JointCode first = results.code - place * stride;
  const auto count = static_cast<float>(results.count);
  const auto brought = static_cast<float>(results.sum) / count;
  const float got = graph.mean(graph.child(node, results.code), role).value_or(brought);
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    const auto other = graph.mean(graph.child(node, first + i * stride), role);
    if (!other) continue;
    edges[i].cumulative = std::max(0.0F, edges[i].cumulative + count * (*other - got));
  }
}

}  // namespace

std::uint32_t draw_move(Graph& graph, Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy, gdl::Rng& rng) {
  const auto edges = graph.edges(node, role);
  if (node.bounded()) {
    if (const auto won = find_won(edges)) return *won;
  }
  const auto tried = static_cast<std::uint32_t>(edges.size());
  const std::uint32_t untried = graph.untried(node, role);
  const Weights weights = weigh(edges, untried, policy);
  if (weights.sum <= 0 || rng.uniform() < policy.mixing) {
    return draw_evenly(graph, node, role, rng);
  }
  auto left = static_cast<float>(rng.uniform()) * weights.sum;
  std::uint32_t last = 0;  // that can be drawn, in case rounding leaves something over
  for (std::uint32_t place = 0; place < tried; ++place) {
    if (weights.tried[place] <= 0) continue;
    last = place;
    left -= weights.tried[place];
    if (left < 0) return place;
  }
  if (weights.untried <= 0 || untried == 0) return last;
  const std::uint32_t place = graph.open(node, role, rng.below(untried));
  return place == Graph::kNoPlace && tried > 0 ? last : place;
}

double chance_of(const Graph& graph, const Node& node, gdl::RoleIndex role, std::uint32_t place,
                 const SelectionPolicy& policy) {
  const auto edges = graph.edges(node, role);
  const std::uint32_t untried = graph.untried(node, role);
  const Weights weights = weigh(edges, untried, policy);
  const double evenly = 1.0 / static_cast<double>(edges.size() + untried);
  return (1 - policy.mixing) * weights.tried[place] / weights.sum + policy.mixing * evenly;
}

void learn(Graph& graph, Node& node, gdl::RoleIndex role, const Results& results,
           const SelectionPolicy& policy) {
  if (policy.simultaneous == SimultaneousRule::Regret) {
    learn_regret(graph, node, role, results);
  } else if (policy.simultaneous == SimultaneousRule::Exp3) {
    Edge& edge = graph.edges(node, role)[node.index_in(results.code, role)];
    edge.cumulative += static_cast<float>(results.sum / results.chance);
  }
}

std::vector<double> mix(const Graph& graph, const Node& node, gdl::RoleIndex role,
                        const SelectionPolicy& policy) {
  const auto edges = graph.edges(node, role);
  double visits = 0;
  for (const Edge& edge : edges) visits += edge.visits;
  // UCB also tries every move now and then, but no more often than it considers right.
  const double evenly = policy.simultaneous == SimultaneousRule::Uct
                            ? 0
                            : policy.mixing * visits / node.move_count(role);
  std::vector<double> chances;
  double sum = 0;
  for (const Edge& edge : edges) {
    chances.push_back(std::max(0.0, edge.visits - evenly));
    sum += chances.back();
  }
  for (double& chance : chances) {
    chance = sum > 0 ? chance / sum : 1 / static_cast<double>(chances.size());
  }
  return chances;
}

bool is_safe(const Graph& graph, const Node& node, gdl::RoleIndex role, std::uint32_t place,
             double margin) {
  const double joint = static_cast<double>(node.joint_count());
  const double least = node.mean(role) - margin;
  bool safe = true;
  graph.for_each_child(node, [&](JointCode code, NodeId id) {
    if (node.index_in(code, role) != place) return;
    const Node& child = graph[id];
    const bool telling = child.visits >= kTellingShare * node.visits / joint;
    safe &= !telling || child.mean(role) >= least;
  });
  return safe;
}

}  // namespace ludens::search::mcts
