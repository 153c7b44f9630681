// SPDX-License-Identifier: MIT
#include "search/mcts/proof_numbers.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kMost = kNeverProved - 1;  // of what is possible

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) {
  if (a == kNeverProved || b == kNeverProved) return kNeverProved;
  return a > kMost - b ? kMost : a + b;
}

/// From the edges of a node where one role decides.
std::uint32_t number_by_edges(const Graph& graph, const Node& node, gdl::RoleIndex role) {
  const std::uint32_t untried = graph.untried(node, node.decider());
  const bool own = role == node.decider();
  std::uint32_t number = own ? (untried > 0 ? 1 : kNeverProved) : untried;
  const auto of_edges = graph.proof_numbers(node);
  for (std::size_t i = role; i < of_edges.size(); i += node.role_count()) {
    number = own ? std::min(number, of_edges[i]) : sum_of(number, of_edges[i]);
  }
  return number;
}

/// A share of `weight` that falls with a move's number: see `ProofBonus`. `untried`: further moves
/// that count as one leaf each.
void add_shares(std::span<const std::uint32_t> numbers, std::size_t untried, ProofBias bias,
                float weight, std::span<MoveBias> biases) {
  std::uint32_t least = kNeverProved, most = 0;
  auto sum = static_cast<double>(untried);
  for (const std::uint32_t number : numbers) {
    if (number == kNeverProved) continue;
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
  }
  const double first = bias == ProofBias::Max ? least : 0;
  const double range = 1 + (bias == ProofBias::Max ? most - first : sum);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kNeverProved) continue;
    biases[i].bonus += weight * static_cast<float>(1 - (numbers[i] - first) / range);
  }
}

}  // namespace

void find_proof_numbers(const Graph& graph, const Node& node, std::span<const std::uint8_t> goals,
                        std::span<std::uint32_t> numbers) {
  const bool chosen = node.has_decider() && !node.terminal();
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    const Bounds bounds = node.bounds(r);
    const std::uint8_t goal = goals.empty() ? 100 : goals[r];
    numbers[r] = bounds.low >= goal   ? 0
                 : bounds.high < goal ? kNeverProved
                 : chosen             ? number_by_edges(graph, node, r)
                                      : 1;
  }
}

void ProofBonus::add(const Graph& graph, const Node& node, const Candidates& candidates,
                     ProofBias bias, float weight, std::span<MoveBias> biases) {
  const auto edges = graph.edges(node, node.decider());
  const auto of_edges = graph.proof_numbers(node);
  numbers_.assign(biases.size(), 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool counts = bias != ProofBias::Rank || candidates.admits(edges[i].bounds);
    numbers_[i] = counts ? of_edges[i * node.role_count() + node.decider()] : kNeverProved;
  }
  if (bias == ProofBias::Rank) return add_ranks(weight, biases);
  add_shares(numbers_, node.move_count(node.decider()) - biases.size(), bias, weight, biases);
}

void ProofBonus::add_ranks(float weight, std::span<MoveBias> biases) {
  ranks_.assign(numbers_.size(), 0);
  for (const std::uint32_t number : numbers_) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) ranks_[i] += number < numbers_[i] ? 1 : 0;
  }
  const std::uint32_t last = std::ranges::max(ranks_);
  if (last == 0) return;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    biases[i].bonus += weight * static_cast<float>(last - ranks_[i]) / static_cast<float>(last);
  }
}

}  // namespace ludens::search::mcts
