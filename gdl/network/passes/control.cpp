#include "gdl/network/control.h"

#include <algorithm>
#include <set>

#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

/// What evaluates larger networks looks at one turn of them at a time anyway (`sliced/turns.h`,
/// `scalar/guards.h`).
constexpr std::size_t kMostNodes = 50'000;

/// Copies of gates for where some inputs are known.
class Cofactor {
 public:
  Cofactor(const Network& network, ReplacedGates& copies, StopPoll& poll)
      : network_(network), copies_(copies), poll_(poll), at_(network.gates.size(), kNone) {}

  void assume(NodeId node, bool holds) { at_[node] = holds ? kTrueEdge : kFalse; }

  /// Copies what the roots need; gates that depend on nothing assumed are their own copies.
  void add(std::span<const Edge> roots) {
    const std::vector<bool> used = network_.cone(roots, &poll_);
    for (NodeId n = 0; n < used.size(); ++n) {
      if (at_[n] != kNone) continue;
      at_[n] = n * 2;
      if (!used[n] || network_.gates.kind(n) != Gates::Kind::And) continue;
      const auto inputs = network_.gates.inputs(n);
      if (poll_(inputs.size())) return;
      if (std::ranges::all_of(inputs, [&](Edge e) { return (*this)[e] == e; })) continue;
      std::vector<Edge> copied;
      for (const Edge e : inputs) copied.push_back((*this)[e]);
      at_[n] = made(std::move(copied));
    }
  }
  Edge operator[](Edge e) const { return at_[node_of(e)] ^ (e & 1); }
  Edge made(std::vector<Edge> inputs) {
    const auto node = static_cast<NodeId>(network_.gates.size() + copies_.size());
    copies_.emplace(node, std::move(inputs));
    return node * 2;
  }

 private:
  static constexpr Edge kNone = 0xffffffff;

  const Network& network_;
  ReplacedGates& copies_;
  StopPoll& poll_;
  std::vector<Edge> at_;  // [node]
};

/// Legal moves of one role, for the fluent that has it in control.
class Legal {
 public:
  Legal(const Network& network, const PassBudget& budget)
      : network_(network), budget_(budget), poll_(budget.stop), changed_(network) {}

  void cofactor(RoleIndex role, std::uint32_t control) {
    const std::vector<bool> need = moves_that_need(network_, control, budget_.stop);
    std::vector<std::uint32_t> moves;
    std::vector<Edge> legal;
    for (std::uint32_t m = 0; m < network_.moves.size(); ++m) {
      if (network_.moves[m].role != role || !need[m]) continue;
      moves.push_back(m);
      legal.push_back(network_.moves[m].legal);
    }
    Cofactor copies(network_, gates_, poll_);
    assume(control, copies);
    copies.add(legal);
    if (poll_.stopped()) return;  // half a copy is none
    for (const std::uint32_t m : moves) {
      changed_.moves[m].legal =
          copies.made({network_.fluents[control].node * 2, copies[network_.moves[m].legal]});
    }
  }

  /// nullopt if the network is no smaller.
  std::optional<Network> finish() {
    if (poll_.stopped()) return std::nullopt;
    Network cofactored = rewrite(changed_, budget_.stop, gates_);
    if (measure(cofactored).two_input >= measure(network_).two_input) return std::nullopt;
    return cofactored;
  }

 private:
  void assume(std::uint32_t control, Cofactor& copies) const {
    const FluentId id = network_.fluents[control].id;
    std::set<FluentId> excluded;
    for (const Structure::Exclusion& group : budget_.exclusions) {
      if (!std::ranges::binary_search(group.fluents, id)) continue;
      excluded.insert(group.fluents.begin(), group.fluents.end());
    }
    for (const Network::Fluent& f : network_.fluents) {
      if (excluded.contains(f.id)) copies.assume(f.node, false);
    }
    copies.assume(network_.fluents[control].node, true);
  }

  const Network& network_;
  const PassBudget& budget_;
  StopPoll poll_;
  Network changed_;
  ReplacedGates gates_;
};

}  // namespace

std::optional<Network> cofactor_legal(const Network& network, const PassBudget& budget) {
  if (network.gates.size() > kMostNodes) return std::nullopt;
  const auto controls = find_controls(network, budget.stop);
  if (std::ranges::none_of(controls, [](const auto& c) { return c.has_value(); })) {
    return std::nullopt;
  }
  Legal legal(network, budget);
  for (RoleIndex role = 0; role < network.roles(); ++role) {
    if (controls[role]) legal.cofactor(role, *controls[role]);
  }
  return legal.finish();
}

}  // namespace ludens::gdl
