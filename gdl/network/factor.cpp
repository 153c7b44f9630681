// SPDX-License-Identifier: MIT
#include "gdl/network/factor.h"

#include <algorithm>

#include "gdl/memory/sort_in_parts.h"

namespace ludens::gdl {

Factoring::Factoring(Network& network, StopPoll* poll, bool plain)
    : network_(network),
      poll_(poll != nullptr ? *poll : never_),
      plain_(plain),
      moves_of_(network.roles()) {
  for (const Network::Move& m : network.moves) moves_of_[m.role].push_back(m.node * 2);
}

// The literal in most products of at least two literals; kFalse if none occurs twice.
Edge Factoring::most_frequent(const std::vector<std::vector<Edge>>& products) {
  count_.resize(network_.gates.size() * 2, 0);
  Edge best = kFalse;
  std::uint32_t best_count = 1;
  for (const auto& product : products) {
    if (product.size() < 2) continue;
    for (const Edge e : product) {
      const std::uint32_t count = ++count_[e];
      if (count > best_count || (count == best_count && count > 1 && e < best)) {
        best = e;
        best_count = count;
      }
    }
  }
  for (const auto& product : products) {
    for (const Edge e : product) count_[e] = 0;
  }
  return best;
}

// Sorts literals and products, drops what is false or double. False if a product is true: so is the
// sum.
bool Factoring::clean(std::vector<std::vector<Edge>>& products) {
  for (auto& product : products) {
    if (poll_(4 * product.size())) return true;
    std::ranges::sort(product);
    product.erase(std::unique(product.begin(), product.end()), product.end());
    bool contradiction = !product.empty() && product.front() == kFalse;
    for (std::size_t i = 1; i < product.size(); ++i) {
      contradiction = contradiction || product[i] == invert(product[i - 1]);
    }
    if (contradiction) {
      product.assign(1, kFalse);
    } else if (!product.empty() && product.front() == kTrueEdge) {
      product.erase(product.begin());
    }
  }
  std::erase_if(products, [](const auto& p) { return p.size() == 1 && p.front() == kFalse; });
  sort_in_parts(products, poll_, 16);
  products.erase(std::unique(products.begin(), products.end()), products.end());
  return products.empty() || !products.front().empty();
}

Edge Factoring::sum_of_products(std::vector<std::vector<Edge>> products) {
  if (!clean(products)) return kTrueEdge;
  if (products.empty()) return kFalse;
  std::vector<Edge> terms;
  while (!plain_ && products.size() > 1) {
    const Edge common = most_frequent(products);
    if (common == kFalse || poll_(products.size() * 8)) break;
    std::vector<std::vector<Edge>> with, without;
    for (auto& product : products) {
      if (product.size() < 2 || !std::ranges::binary_search(product, common)) {
        without.push_back(std::move(product));
        continue;
      }
      product.erase(std::ranges::lower_bound(product, common));
      with.push_back(std::move(product));
    }
    terms.push_back(network_.gates.conjunction(common, sum_of_products(std::move(with))));
    products = std::move(without);
  }
  for (auto& product : products) {
    if (poll_(4 * product.size())) return kFalse;
    terms.push_back(network_.gates.conjunction(product));
  }
  return disjunction(std::move(terms));
}

Edge Factoring::disjunction(std::vector<Edge> inputs) {
  sort_in_parts(inputs, poll_, 2);
  while (!plain_ && inputs.size() > 3 && complement_moves(inputs)) {
  }
  return network_.gates.disjunction(inputs);
}

// Replaces more than half of a role's moves by the complement of the rest. False if there is no
// such role. Inputs are sorted before and after.
bool Factoring::complement_moves(std::vector<Edge>& inputs) {
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  const auto role = mostly_done_by(inputs);
  if (!role) return false;
  const std::vector<Edge>& moves = moves_of_[*role];
  std::vector<Edge> rest, absent;
  std::ranges::set_difference(inputs, moves, std::back_inserter(rest));
  std::ranges::set_difference(moves, inputs, std::back_inserter(absent));
  rest.push_back(invert(disjunction(std::move(absent))));
  std::ranges::sort(rest);
  inputs = std::move(rest);
  return true;
}

// The role of which more than half of the moves are among the inputs. Only visits the inputs: there
// may be a hundred thousand moves and as many gates.
std::optional<RoleIndex> Factoring::mostly_done_by(const std::vector<Edge>& inputs) const {
  std::vector<std::size_t> present(moves_of_.size(), 0);
  for (const Edge e : inputs) {
    if (is_inverted(e) || network_.gates.kind(node_of(e)) != Gates::Kind::Move) continue;
    ++present[network_.moves[network_.gates.index(node_of(e))].role];
  }
  for (RoleIndex r = 0; r < present.size(); ++r) {
    if (present[r] >= 3 && present[r] * 2 > moves_of_[r].size() + 1) return r;
  }
  return std::nullopt;
}

}  // namespace ludens::gdl
