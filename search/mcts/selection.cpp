#include "search/mcts/selection.h"

#include <algorithm>

#include "search/mcts/rating.h"
#include "search/mcts/score.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

Measure measure_of(std::span<const Edge> edges, const Node& node, gdl::RoleIndex role,
                   const SelectionPolicy& policy) {
  const auto trials = static_cast<float>(std::max(1U, node.visits + node.in_flight));
  auto gamma = static_cast<float>(policy.gamma);
  if (!policy.spread.empty()) gamma *= policy.spread[role];
  const bool by_bounds = node.bounded() && policy.use_bounds;
  return {gamma * gamma * rough_log(trials), node.mean(role), by_bounds,
          Outlook(by_bounds ? edges : std::span<const Edge>(), 0)};
}

/// Whether it is time to try one more move.
bool is_another_due(std::span<const Edge> edges, const Node& node, const SelectionPolicy& policy) {
  if (policy.widening == 0) return true;
  const auto tried = static_cast<double>(edges.size());
  const double visits = node.visits + node.in_flight;
  if (tried * tried <= policy.widening * policy.widening * visits) return true;
  return node.bounded() && !Outlook(edges, 0).open();
}

/// Which of those that nobody has tried.
std::uint32_t pick_untried(const Node& node, gdl::RoleIndex role, std::uint32_t tried,
                           const SelectionPolicy& policy, gdl::Rng& rng) {
  const std::uint32_t untried = node.move_count(role) - tried;
  if (policy.first_ties || untried == 1) return 0;
  if (policy.move_means == nullptr) return rng.below(untried);
  std::uint32_t best = 0;
  float most = -1;
  for (std::uint32_t i = 0; i < untried; ++i) {
    const float mean = policy.move_means->of(role, node.move(role, tried + i));
    if (mean > most) {
      most = mean;
      best = i;
    }
  }
  return best;
}

}  // namespace

Outlook::Outlook(std::span<const Edge> edges, std::uint32_t untried) {
  for (const Edge& edge : edges) best_low_ = std::max(best_low_, edge.bounds.low);
  open_ = untried > 0 && best_low_ < 100;
  for (const Edge& edge : edges) open_ |= edge.bounds.high > best_low_;
}

bool Outlook::admits(const Bounds& bounds) const {
  if (open_) return bounds.high > best_low_ && !bounds.closed();
  return bounds.low == best_low_;
}

std::optional<std::uint32_t> find_won(std::span<const Edge> edges) {
  const auto won = std::ranges::find_if(edges, [](const Edge& e) { return e.bounds.low == 100; });
  if (won == edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(won - edges.begin());
}

std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng) {
  const auto edges = graph.edges(node, role);
  const auto tried = static_cast<std::uint32_t>(edges.size());
  const std::uint32_t untried = node.move_count(role) - tried;
  if (role == policy.random) {
    const std::uint32_t place = rng.below(tried + untried);
    return place < tried ? place : graph.open(node, role, place - tried);
  }
  if (tried == 1 && untried == 0) return 0;
  if (const auto won = node.bounded() ? find_won(edges) : std::nullopt) return *won;
  if (untried > 0 && is_another_due(edges, node, policy)) {
    return graph.open(node, role, pick_untried(node, role, tried, policy, rng));
  }
  return best_of(edges, measure_of(edges, node, role, policy));
}

void Chooser::choose(Graph& graph, Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
                     gdl::Rng& rng, std::span<std::uint32_t> places) {
  const bool random = role == policy.random;
  const bool drawn = !random && !node.has_decider() && policy.simultaneous != SimultaneousRule::Uct;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto left = places.subspan(i);
    if (!random && !drawn && left.size() > 1 && graph.untried(node, role) == 0) {
      return distribute(graph.edges(node, role), node, role, policy, left);
    }
    places[i] = drawn ? draw_move(graph, node, role, policy, rng)
                      : choose_move(graph, node, role, policy, rng);
    if (places[i] != Graph::kNoPlace) ++graph.edges(node, role)[places[i]].in_flight;
  }
}

/// All moves have an edge.
void Chooser::distribute(std::span<Edge> edges, const Node& node, gdl::RoleIndex role,
                         const SelectionPolicy& policy, std::span<std::uint32_t> places) {
  auto only = edges.size() == 1 ? std::optional(0U) : std::nullopt;
  if (!only && node.bounded()) only = find_won(edges);
  if (only) {
    std::ranges::fill(places, *only);
    edges[*only].in_flight = static_cast<std::uint16_t>(edges[*only].in_flight + places.size());
    return;
  }
  take_best(edges, measure_of(edges, node, role, policy), scores_, places);
}

}  // namespace ludens::search::mcts
