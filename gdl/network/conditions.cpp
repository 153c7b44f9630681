// SPDX-License-Identifier: MIT
#include "gdl/network/conditions.h"

#include <algorithm>
#include <utility>

namespace ludens::gdl {

namespace {

/// More alternatives than this stay together in one condition.
constexpr std::size_t kMostAlternatives = 64;
/// ANDs of ORs of ANDs... are decomposed to this depth.
constexpr unsigned kDeepest = 16;
/// Inputs of gates visited, for all goals together.
constexpr std::uint64_t kConditionWork = 200'000;
constexpr std::uint32_t kUnnumbered = ~0U;

void append(std::vector<Edge>& edges, const std::vector<Edge>& more) {
  edges.insert(edges.end(), more.begin(), more.end());
}

}  // namespace

ConditionFinder::ConditionFinder(const Network& network,
                                 const std::vector<std::uint32_t>& factor_of, StopPoll& poll)
    : network_(network),
      poll_(poll),
      support_(network.gates.size(), kNothing),
      work_(kConditionWork),
      number_(network.gates.size(), kUnnumbered) {
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
    support_[network.fluents[f].node] = factor_of[f];
  }
  for (NodeId n = 0; n < support_.size(); ++n) {
    const Gates::Kind kind = network.gates.kind(n);
    if (kind == Gates::Kind::Move || kind == Gates::Kind::Feedback) support_[n] = kOpaque;
    if (kind != Gates::Kind::And) continue;
    if (poll_(network.gates.inputs(n).size())) return;
    for (const Edge e : network.gates.inputs(n)) {
      const std::uint32_t input = support_[node_of(e)];
      std::uint32_t& all = support_[n];
      if (input == kNothing || all == kOpaque || all == input) continue;
      all = all == kNothing || input == kOpaque ? input : kSeveral;
    }
  }
}

std::optional<Structure::Alternatives> ConditionFinder::of(Edge root) {
  if (poll_.stopped() || support_[node_of(root)] == kOpaque) return std::nullopt;
  Structure::Alternatives alternatives;
  for (const Edges& edges : expand(root, kDeepest)) {
    auto& conditions = alternatives.emplace_back();
    for (const Edge e : edges) {
      auto condition = this->condition(e);
      if (!condition) return std::nullopt;
      conditions.push_back(*std::move(condition));
    }
  }
  return alternatives;
}

/// An OR within a factor is as good as any other condition on it.
bool ConditionFinder::is_atom(Edge e) const {
  const NodeId n = node_of(e);
  if (network_.gates.kind(n) != Gates::Kind::And) return true;
  return is_inverted(e) && support_[n] != kSeveral;
}

/// Alternatives, each an AND of edges.
std::vector<ConditionFinder::Edges> ConditionFinder::expand(Edge e, unsigned depth) {
  if (e == kFalse) return {};
  if (e == kTrueEdge) return {{}};
  const std::size_t inputs = is_atom(e) ? 0 : network_.gates.inputs(node_of(e)).size();
  if (inputs == 0 || depth == 0 || work_ < inputs || poll_(8 * inputs)) return {{e}};
  work_ -= inputs;
  return is_inverted(e) ? expand_any(node_of(e), depth - 1) : expand_all(node_of(e), depth - 1);
}

std::vector<ConditionFinder::Edges> ConditionFinder::expand_all(NodeId n, unsigned depth) {
  std::vector<std::pair<Edge, std::vector<Edges>>> factors;
  std::size_t product = 1;
  for (const Edge e : network_.gates.inputs(n)) {
    const auto& factor = factors.emplace_back(e, expand(e, depth)).second;
    product = std::min(product * factor.size(), kMostAlternatives + 1);
  }
  std::vector<Edges> out{{}};
  for (auto& [edge, alternatives] : factors) {
    if (product > kMostAlternatives && alternatives.size() > 1) alternatives = {{edge}};
    if (alternatives.size() == 1) {  // in place: there may be thousands of them
      for (Edges& edges : out) append(edges, alternatives.front());
      continue;
    }
    std::vector<Edges> longer;
    for (const Edges& left : out) {
      for (const Edges& right : alternatives) append(longer.emplace_back(left), right);
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<ConditionFinder::Edges> ConditionFinder::expand_any(NodeId n, unsigned depth) {
  std::vector<Edges> out;
  for (const Edge e : network_.gates.inputs(n)) {
    auto alternatives = expand(invert(e), depth);
    if (out.size() + alternatives.size() > kMostAlternatives) return {{invert(2 * n)}};
    std::ranges::move(alternatives, std::back_inserter(out));
  }
  return out;
}

/// The gates below an edge, oldest first; false if they are too many.
bool ConditionFinder::find_cone(Edge root) {
  cone_.clear();
  const auto visit = [&](Edge e) {
    if (number_[node_of(e)] != kUnnumbered) return;
    number_[node_of(e)] = 0;
    stack_.push_back(node_of(e));
  };
  visit(root);
  while (!stack_.empty()) {
    const NodeId n = stack_.back();
    stack_.pop_back();
    cone_.push_back(n);
    if (network_.gates.kind(n) != Gates::Kind::And) continue;
    const auto inputs = network_.gates.inputs(n);
    if (work_ <= inputs.size() || poll_(inputs.size())) {
      work_ = 0;
      cone_.insert(cone_.end(), stack_.begin(), stack_.end());
      stack_.clear();
      return false;
    }
    work_ -= inputs.size();
    for (const Edge e : inputs) visit(e);
  }
  std::ranges::sort(cone_);
  return true;
}

void ConditionFinder::forget_cone() {
  for (const NodeId n : cone_) number_[n] = kUnnumbered;
}

std::optional<Structure::Condition> ConditionFinder::condition(Edge root) {
  if (work_ == 0 || !find_cone(root)) {
    forget_cone();
    return std::nullopt;
  }
  Structure::Condition out;
  std::vector<std::pair<FluentId, NodeId>> fluents;
  for (const NodeId n : cone_) {
    if (network_.gates.kind(n) != Gates::Kind::Fluent) continue;
    fluents.emplace_back(network_.fluents[network_.gates.index(n)].id, n);
  }
  std::ranges::sort(fluents);
  for (const auto& [id, node] : fluents) {
    number_[node] = static_cast<std::uint32_t>(out.fluents.size());
    out.fluents.push_back(id);
  }
  auto next = static_cast<std::uint32_t>(fluents.size());
  out.begin.push_back(0);
  for (const NodeId n : cone_) {
    if (network_.gates.kind(n) != Gates::Kind::And) continue;
    for (const Edge e : network_.gates.inputs(n)) {
      out.inputs.push_back(2 * number_[node_of(e)] + (is_inverted(e) ? 1 : 0));
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.inputs.size()));
    number_[n] = next++;
  }
  out.result = 2 * number_[node_of(root)] + (is_inverted(root) ? 1 : 0);
  forget_cone();
  return out;
}

}  // namespace ludens::gdl
