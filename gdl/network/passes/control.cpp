// SPDX-License-Identifier: MIT
// A pass: simplifies legal moves by the fluent that says whose turn it is.
#include "gdl/network/control.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "gdl/network/copier.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

/// The evaluation of larger networks treats one turn at a time anyway (`network/turns.h`,
/// `scalar/guards.h`).
constexpr std::size_t kMostNodes = 50'000;

/// Copies gates for the case that some inputs are known, next to the existing gates. A gate that
/// depends on nothing known is its own copy.
class Cofactor final : public NodeMaker {
 public:
  Cofactor(const Network& network, ReplacedGates& made) : network_(network), made_(made) {}

  Edge gate(NodeId gate, std::vector<Edge>& copied) override {
    return std::ranges::equal(copied, network_.gates.inputs(gate)) ? gate * 2 : make(copied);
  }
  Edge input(NodeId input) override { return input * 2; }
  /// A new gate.
  Edge make(std::vector<Edge> inputs) {
    const auto node = static_cast<NodeId>(network_.gates.size() + made_.size());
    made_.emplace(node, std::move(inputs));
    return node * 2;
  }

 private:
  const Network& network_;
  ReplacedGates& made_;
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
    Copier copier(network_, &poll_);
    Cofactor cofactor(network_, gates_);
    assume(control, copier);
    copier.copy_gates(network_.cone(legal, &poll_), cofactor);
    if (poll_.stopped()) return;  // a partial copy is useless
    for (const std::uint32_t m : moves) {
      const Edge without = copier.copy(network_.moves[m].legal, cofactor);
      changed_.moves[m].legal = cofactor.make({network_.fluents[control].node * 2, without});
    }
  }

  /// nullopt if the network is not smaller.
  std::optional<Network> finish() {
    if (poll_.stopped()) return std::nullopt;
    Network cofactored = rewrite(changed_, budget_.stop, gates_);
    if (measure(cofactored).two_input >= measure(network_).two_input) return std::nullopt;
    return cofactored;
  }

 private:
  void assume(std::uint32_t control, Copier& copier) const {
    const FluentId id = network_.fluents[control].id;
    std::set<FluentId> excluded;
    for (const Structure::Exclusion& group : budget_.exclusions) {
      if (!std::ranges::binary_search(group.fluents, id)) continue;
      excluded.insert(group.fluents.begin(), group.fluents.end());
    }
    for (const Network::Fluent& f : network_.fluents) {
      if (excluded.contains(f.id)) copier.substitute(f.node, kFalse);
    }
    copier.substitute(network_.fluents[control].node, kTrueEdge);
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
