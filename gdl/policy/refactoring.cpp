// SPDX-License-Identifier: MIT
#include "gdl/policy/refactoring.h"

#include <algorithm>

#include "gdl/network/fan_out.h"

namespace ludens::gdl {

namespace {

constexpr std::size_t kMostProducts = 4'000;  // factoring is quadratic

}  // namespace

Refactoring::Refactoring(const Network& from, const std::vector<Edge>& roots, Network& to,
                         const StopSignal* stop)
    : from_(from),
      to_(to),
      poll_(stop),
      copier_(from, &poll_),
      factoring_(to, &poll_),
      uses_(count_uses(from, roots)) {
  for (std::size_t f = 0; f < from.fluents.size(); ++f) {
    copier_.substitute(from.fluents[f].node, to.fluents[f].node * 2);
  }
}

// Whether an input of an AND is the complement of a product that has no other users.
bool Refactoring::is_product(Edge e) const {
  return is_inverted(e) && from_.gates.kind(node_of(e)) == Gates::Kind::And &&
         uses_[node_of(e)] == 1;
}

bool Refactoring::is_sum(NodeId n) const {
  const auto inputs = from_.gates.inputs(n);
  return inputs.size() <= kMostProducts &&
         std::ranges::any_of(inputs, [this](Edge e) { return is_product(e); });
}

// For a sum, the literals of its products.
std::span<const Edge> Refactoring::inputs(NodeId gate, std::span<const Edge> inputs) {
  if (!is_sum(gate)) return inputs;
  literals_.clear();
  for (const Edge e : inputs) {
    const auto product = is_product(e) ? from_.gates.inputs(node_of(e)) : std::span(&e, 1);
    literals_.insert(literals_.end(), product.begin(), product.end());
  }
  return literals_;
}

Edge Refactoring::gate(NodeId gate, std::vector<Edge>& copied) {
  if (!is_sum(gate)) return to_.gates.conjunction(copied);
  std::vector<std::vector<Edge>> products;
  auto next = copied.begin();
  for (const Edge e : from_.gates.inputs(gate)) {
    if (!is_product(e)) {
      products.push_back({invert(*next++)});
      continue;
    }
    const auto end = next + std::ssize(from_.gates.inputs(node_of(e)));
    products.emplace_back(next, end);
    next = end;
  }
  return invert(factoring_.sum_of_products(std::move(products)));
}

}  // namespace ludens::gdl
