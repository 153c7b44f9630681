#include "search/mcts/proof_numbers.h"

#include <algorithm>

#include "search/mcts/selection.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kNever = ~std::uint32_t{0};
constexpr std::uint32_t kMost = kNever - 1;  // of what is possible

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) {
  if (a == kNever || b == kNever) return kNever;
  return a > kMost - b ? kMost : a + b;
}

}  // namespace

Effort effort_of(const Graph& graph, const Node& node, const ProofGoals& goals) {
  Effort effort;
  const bool chosen = node.has_decider() && !node.terminal();
  for (gdl::RoleIndex r = 0; r < 2; ++r) {
    const Bounds bounds = node.bounds(r);
    if (bounds.low >= goals.goals[r]) {
      effort.of[r] = 0;
    } else if (bounds.high < goals.goals[r]) {
      effort.of[r] = kNever;
    } else if (chosen) {
      const std::uint32_t untried = graph.untried(node, node.decider());
      const bool own = r == node.decider();
      std::uint32_t number = own ? (untried > 0 ? 1 : kNever) : untried;
      for (const Effort& e : graph.efforts(node)) {
        number = own ? std::min(number, e.of[r]) : sum_of(number, e.of[r]);
      }
      effort.of[r] = number;
    }
  }
  return effort;
}

void ProofRanks::lean(std::span<const Edge> edges, std::span<const Effort> efforts,
                      gdl::RoleIndex role, const Outlook& outlook, float weight,
                      std::span<Lean> leans) {
  numbers_.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    numbers_[i] = outlook.admits(edges[i].bounds) ? efforts[i].of[role] : kNever;
  }
  ranks_.assign(edges.size(), 0);
  for (const std::uint32_t number : numbers_) {
    for (std::size_t i = 0; i < edges.size(); ++i) ranks_[i] += number < numbers_[i] ? 1 : 0;
  }
  const std::uint32_t last = std::ranges::max(ranks_);
  if (last == 0) return;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    leans[i].bonus = weight * static_cast<float>(last - ranks_[i]) / static_cast<float>(last);
  }
}

}  // namespace ludens::search::mcts
