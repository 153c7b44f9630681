// SPDX-License-Identifier: MIT
#include "search/mcts/chance.h"

namespace ludens::search::mcts {

namespace {

/// With more outcomes, the draws are even enough, and visiting all outcomes would cost too much.
constexpr std::uint32_t kMostOutcomes = 64;

/// nullopt if an outcome has not been seen.
std::optional<float> mean_of_outcomes(Graph& graph, const Node& node, gdl::RoleIndex role) {
  const auto edges = graph.edges(node, node.decider());
  float sum = 0;
  for (const Edge& edge : edges) {
    const auto outcome = graph.mean(edge.child(), role);
    if (!outcome) return std::nullopt;
    sum += *outcome;
  }
  return sum / static_cast<float>(edges.size());
}

}  // namespace

std::uint32_t draw_evenly(Graph& graph, Node& node, gdl::RoleIndex role, gdl::Rng& rng) {
  const auto tried = static_cast<std::uint32_t>(graph.edges(node, role).size());
  std::uint32_t place = rng.below(tried + graph.untried(node, role));
  if (place < tried) return place;
  place = graph.open(node, role, place - tried);
  return place == Graph::kNoPlace && tried > 0 ? rng.below(tried) : place;
}

float value_of(Graph& graph, const Node& node, gdl::RoleIndex role,
               std::optional<gdl::RoleIndex> random) {
  const bool by_chance = random && node.has_decider() && node.decider() == *random;
  const std::uint32_t outcomes = by_chance ? node.move_count(*random) : 0;
  if (outcomes > 1 && outcomes <= kMostOutcomes && graph.untried(node, *random) == 0) {
    if (const auto exact = mean_of_outcomes(graph, node, role)) return *exact;
  }
  return node.mean(role);
}

}  // namespace ludens::search::mcts
