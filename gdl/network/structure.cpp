// SPDX-License-Identifier: MIT
#include "gdl/network/structure.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "gdl/network/conditions.h"
#include "gdl/network/control.h"
#include "gdl/network/exclusion.h"
#include "gdl/network/ternary.h"

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

/// Finds the fluents in the cone of an edge, for one edge at a time: each costs no more than its
/// cone.
class Dependences {
 public:
  Dependences(const Network& network, StopPoll& poll)
      : network_(network), poll_(poll), seen_(network.gates.size(), 0) {}

  /// Ascending ids; nullopt if stopped, or if all together cost too much.
  std::optional<std::vector<FluentId>> of(Edge root) {
    std::vector<FluentId> fluents;
    ++round_;
    visit(root);
    while (!stack_.empty()) {
      const NodeId n = stack_.back();
      stack_.pop_back();
      if (work_-- == 0 || poll_()) return std::nullopt;
      switch (network_.gates.kind(n)) {
        case Gates::Kind::And:
          for (const Edge e : network_.gates.inputs(n)) visit(e);
          break;
        case Gates::Kind::Fluent:
          fluents.push_back(network_.fluents[network_.gates.index(n)].id);
          break;
        case Gates::Kind::Feedback:
          visit(network_.feedbacks[network_.gates.index(n)].update);
          break;
        default:
          break;
      }
    }
    std::ranges::sort(fluents);
    return fluents;
  }

 private:
  void visit(Edge e) {
    if (seen_[node_of(e)] == round_) return;
    seen_[node_of(e)] = round_;
    stack_.push_back(node_of(e));
  }

  const Network& network_;
  StopPoll& poll_;
  std::uint64_t work_ = 20'000'000;  // nodes
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> seen_;  // [node]: in which round
  std::vector<NodeId> stack_;
};

class Finder {
 public:
  Finder(const Network& network, const StopSignal* stop)
      : network_(network), stop_(stop), poll_(stop), groups_(network.gates.size()) {}

  Structure run() {
    find_factors();
    if (poll_.stopped()) return {};
    find_goals();
    find_conditions();
    find_control();
    find_reachable();
    return std::move(structure_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;

  void find_factors() {
    join_all();
    if (poll_.stopped()) return;
    collect();
    for (const auto& role : network_.goals) {
      std::vector<Edge> roots;
      for (const Network::Goal& g : role) roots.push_back(g.edge);
      structure_.goal_factors.push_back(seen_from(roots));
    }
    structure_.end_factors = seen_from({&network_.terminal, 1});
  }

  void find_goals() {
    Dependences dependences(network_, poll_);
    for (const auto& role : network_.goals) {
      auto& values = structure_.goals.emplace_back();
      for (const Network::Goal& g : role) {
        auto fluents = dependences.of(g.edge);
        if (!fluents) return structure_.goals.clear();
        values.push_back({g.value, *std::move(fluents), std::nullopt});
      }
      std::ranges::sort(values, {}, &Structure::GoalValue::value);
    }
  }

  void find_conditions() {
    std::vector<std::uint32_t> factor_of;
    for (const Network::Fluent& f : network_.fluents) {
      factor_of.push_back(factor_of_[groups_.find(f.node)]);
    }
    ConditionFinder conditions(network_, factor_of, poll_);
    structure_.end = conditions.of(network_.terminal);
    for (std::size_t role = 0; role < structure_.goals.size(); ++role) {
      for (Structure::GoalValue& goal : structure_.goals[role]) {
        const auto edge =
            std::ranges::find(network_.goals[role], goal.value, &Network::Goal::value);
        goal.alternatives = conditions.of(edge->edge);
      }
    }
  }

  void find_control() {
    for (const auto& control : find_controls(network_, stop_)) {
      structure_.control.push_back(control ? std::optional(network_.fluents[*control].id)
                                           : std::nullopt);
    }
  }

  void find_reachable() {
    TernarySimulation plays(network_, stop_);
    if (!plays.run()) return;
    const std::vector<Known> known = plays.fluents();
    for (std::uint32_t f = 0; f < known.size(); ++f) {
      const Network::Fluent& fluent = network_.fluents[f];
      if (known[f] == Known::False) continue;
      const std::uint32_t step = fluent.initially ? 0 : plays.changes_after(f);
      structure_.reachable.push_back({fluent.id, step});
    }
    std::ranges::sort(structure_.reachable, {}, &Structure::Earliest::fluent);
  }

  // The constant belongs to no group; gates that only end and goals need join nothing.
  void join_all() {
    std::vector<Edge> roots;
    for (const Network::Fluent& f : network_.fluents) roots.push_back(f.next);
    for (const Network::Move& m : network_.moves) roots.push_back(m.legal);
    const std::vector<bool> used = network_.cone(roots, &poll_);
    for (NodeId n = 0; n < used.size(); ++n) {
      if (!used[n] || network_.gates.kind(n) != Gates::Kind::And) continue;
      if (poll_(network_.gates.inputs(n).size())) return;
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
    const std::vector<bool> used = network_.cone(roots, &poll_);
    std::vector<std::uint32_t> seen;
    for (const Network::Fluent& f : network_.fluents) {
      if (used[f.node]) seen.push_back(factor_of_[groups_.find(f.node)]);
    }
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    return seen;
  }

  const Network& network_;
  const StopSignal* stop_;
  StopPoll poll_;
  Groups groups_;
  std::vector<std::uint32_t> factor_of_;  // [representative of a group]
  Structure structure_;
};

}  // namespace

Structure find_structure(const Network& network, const Vocabulary& vocabulary,
                         const StopSignal* stop,
                         const std::optional<std::vector<Structure::Exclusion>>& exclusions) {
  Structure structure = Finder(network, stop).run();
  structure.exclusions = exclusions ? *exclusions : find_exclusions(network, vocabulary, stop);
  return structure;
}

}  // namespace ludens::gdl
