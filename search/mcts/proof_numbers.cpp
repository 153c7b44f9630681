// SPDX-License-Identifier: MIT
#include "search/mcts/proof_numbers.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kNever = ~std::uint32_t{0};
constexpr std::uint32_t kMost = kNever - 1;  // of what is possible

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) {
  if (a == kNever || b == kNever) return kNever;
  return a > kMost - b ? kMost : a + b;
}

}  // namespace

ProofNumbers proof_numbers_of(const Graph& graph, const Node& node, const ProofGoals& goals) {
  ProofNumbers numbers;
  const bool chosen = node.has_decider() && !node.terminal();
  for (gdl::RoleIndex r = 0; r < 2; ++r) {
    const Bounds bounds = node.bounds(r);
    if (bounds.low >= goals.goals[r]) {
      numbers.of[r] = 0;
    } else if (bounds.high < goals.goals[r]) {
      numbers.of[r] = kNever;
    } else if (chosen) {
      const std::uint32_t untried = graph.untried(node, node.decider());
      const bool own = r == node.decider();
      std::uint32_t number = own ? (untried > 0 ? 1 : kNever) : untried;
      for (const ProofNumbers& e : graph.proof_numbers(node)) {
        number = own ? std::min(number, e.of[r]) : sum_of(number, e.of[r]);
      }
      numbers.of[r] = number;
    }
  }
  return numbers;
}

void ProofRanks::add_bonus(std::span<const Edge> edges, std::span<const ProofNumbers> proof_numbers,
                           gdl::RoleIndex role, const Candidates& candidates, float weight,
                           std::span<MoveBias> biases) {
  numbers_.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    numbers_[i] = candidates.admits(edges[i].bounds) ? proof_numbers[i].of[role] : kNever;
  }
  ranks_.assign(edges.size(), 0);
  for (const std::uint32_t number : numbers_) {
    for (std::size_t i = 0; i < edges.size(); ++i) ranks_[i] += number < numbers_[i] ? 1 : 0;
  }
  const std::uint32_t last = std::ranges::max(ranks_);
  if (last == 0) return;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    biases[i].bonus = weight * static_cast<float>(last - ranks_[i]) / static_cast<float>(last);
  }
}

}  // namespace ludens::search::mcts
