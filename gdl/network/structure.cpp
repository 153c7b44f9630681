#include "gdl/network/structure.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace ludens::gdl {

namespace {

// Disjoint sets of nodes, with path halving.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  NodeId find(NodeId n) {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  void join(NodeId a, NodeId b) { parent_[find(a)] = find(b); }

 private:
  std::vector<NodeId> parent_;
};

class Finder {
 public:
  explicit Finder(const Network& network) : network_(network), groups_(network.gates.size()) {}

  Structure run() {
    join_all();
    collect();
    for (const auto& role : network_.goals) {
      std::vector<Edge> roots;
      for (const Network::Goal& g : role) roots.push_back(g.edge);
      structure_.goal_factors.push_back(seen_from(roots));
    }
    structure_.end_factors = seen_from({&network_.terminal, 1});
    return std::move(structure_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;

  // The constant is nobody's; gates that only end and goals need join nothing.
  void join_all() {
    std::vector<Edge> roots;
    for (const Network::Fluent& f : network_.fluents) roots.push_back(f.next);
    for (const Network::Move& m : network_.moves) roots.push_back(m.legal);
    const std::vector<bool> used = network_.cone(roots);
    for (NodeId n = 0; n < used.size(); ++n) {
      if (!used[n] || network_.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network_.gates.inputs(n)) groups_.join(n, node_of(e));
    }
    for (const Network::Fluent& f : network_.fluents) join(f.node, f.next);
    for (const Network::Move& m : network_.moves) join(m.node, m.legal);
    for (const Network::Feedback& f : network_.feedbacks) {
      if (used[f.node]) join(f.node, f.update);
    }
  }
  void join(NodeId n, Edge e) {
    if (node_of(e) != 0) groups_.join(n, node_of(e));
  }

  void collect() {
    factor_of_.assign(network_.gates.size(), kNone);
    auto& factors = structure_.factors;
    const auto factor = [&](NodeId n) -> Structure::Factor& {
      std::uint32_t& f = factor_of_[groups_.find(n)];
      if (f == kNone) {
        f = static_cast<std::uint32_t>(factors.size());
        factors.emplace_back();
      }
      return factors[f];
    };
    for (const Network::Fluent& f : network_.fluents) factor(f.node).fluents.push_back(f.id);
    for (const Network::Move& m : network_.moves) {
      if (factor_of_[groups_.find(m.node)] == kNone) continue;
      factor(m.node).moves.emplace_back(m.role, m.id);
    }
    std::vector<std::uint32_t> order(factors.size()), rank(factors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t f) {
      return factors[f].fluents.size() + factors[f].moves.size();
    });
    std::vector<Structure::Factor> sorted;
    for (std::uint32_t f = 0; f < order.size(); ++f) {
      rank[order[f]] = f;
      sorted.push_back(std::move(factors[order[f]]));
      std::ranges::sort(sorted.back().fluents);
      std::ranges::sort(sorted.back().moves);
    }
    factors = std::move(sorted);
    for (std::uint32_t& f : factor_of_) {
      if (f != kNone) f = rank[f];
    }
  }

  std::vector<std::uint32_t> seen_from(std::span<const Edge> roots) {
    const std::vector<bool> used = network_.cone(roots);
    std::vector<std::uint32_t> seen;
    for (const Network::Fluent& f : network_.fluents) {
      if (used[f.node]) seen.push_back(factor_of_[groups_.find(f.node)]);
    }
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    return seen;
  }

  const Network& network_;
  Groups groups_;
  std::vector<std::uint32_t> factor_of_;  // [representative of a group]
  Structure structure_;
};

}  // namespace

Structure find_structure(const Network& network) {
  return Finder(network).run();
}

}  // namespace ludens::gdl
