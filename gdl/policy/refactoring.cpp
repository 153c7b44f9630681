#include "gdl/policy/refactoring.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

constexpr std::size_t kMostProducts = 4'000;  // factoring is quadratic

}  // namespace

Refactoring::Refactoring(const Network& from, const std::vector<Edge>& roots, Network& to,
                         const StopSignal* stop)
    : from_(from), to_(to), poll_(stop), factoring_(to, &poll_), uses_(from.gates.size(), 0) {
  edges_.assign(from.gates.size(), kNone);
  edges_[0] = kFalse;
  for (const Network::Fluent& f : from.fluents) {
    edges_[f.node] = to.fluents[from.gates.index(f.node)].node * 2;
  }
  const std::vector<bool> used = from.cone(roots);
  for (NodeId n = 0; n < from.gates.size(); ++n) {
    if (!used[n] || from.gates.kind(n) != Gates::Kind::And) continue;
    for (const Edge e : from.gates.inputs(n)) ++uses_[node_of(e)];
  }
  for (const Edge e : roots) ++uses_[node_of(e)];
}

// Iterative: what is composed may be deep.
Edge Refactoring::copy(Edge root) {
  stack_.push_back(node_of(root));
  while (!stack_.empty()) {
    const NodeId n = stack_.back();
    if (poll_(8 + from_.gates.inputs(n).size())) {
      stack_.clear();
      return kFalse;
    }
    if (edges_[n] == kNone) {
      if (push_needed(n)) continue;
      add(n);
    }
    stack_.pop_back();
  }
  return edge(root);
}

// Whether an input of an AND is the complement of a product that nobody else uses.
bool Refactoring::is_product(Edge e) const {
  return is_inverted(e) && from_.gates.kind(node_of(e)) == Gates::Kind::And &&
         uses_[node_of(e)] == 1;
}

bool Refactoring::is_sum(NodeId n) const {
  const auto inputs = from_.gates.inputs(n);
  return inputs.size() <= kMostProducts &&
         std::ranges::any_of(inputs, [this](Edge e) { return is_product(e); });
}

// Pushes what must be copied before a node. False if nothing must.
bool Refactoring::push_needed(NodeId n) {
  const std::size_t before = stack_.size();
  const auto push = [this](Edge e) {
    if (edges_[node_of(e)] == kNone) stack_.push_back(node_of(e));
  };
  const bool sum = is_sum(n);
  for (const Edge e : from_.gates.inputs(n)) {
    if (sum && is_product(e)) {
      std::ranges::for_each(from_.gates.inputs(node_of(e)), push);
    } else {
      push(e);
    }
  }
  return stack_.size() != before;
}

void Refactoring::add(NodeId n) {
  if (!is_sum(n)) {
    std::vector<Edge> inputs;
    for (const Edge e : from_.gates.inputs(n)) inputs.push_back(edge(e));
    edges_[n] = to_.gates.conjunction(inputs);
    return;
  }
  std::vector<std::vector<Edge>> products;
  for (const Edge e : from_.gates.inputs(n)) {
    auto& product = products.emplace_back();
    if (!is_product(e)) {
      product.push_back(invert(edge(e)));
      continue;
    }
    for (const Edge literal : from_.gates.inputs(node_of(e))) product.push_back(edge(literal));
  }
  edges_[n] = invert(factoring_.sum_of_products(std::move(products)));
}

}  // namespace ludens::gdl
