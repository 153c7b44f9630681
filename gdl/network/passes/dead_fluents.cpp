// SPDX-License-Identifier: MIT
// A pass: removes fluents that nothing playable depends on.
#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

Network remove_dead_fluents(const Network& network, const PassBudget& budget) {
  std::vector<Known> fluents(network.fluents.size(), Known::False);
  std::vector<bool> seen(network.gates.size(), false);
  std::vector<NodeId> stack;
  auto visit = [&](Edge e) {
    if (seen[node_of(e)]) return;
    seen[node_of(e)] = true;
    stack.push_back(node_of(e));
  };
  visit(network.terminal);
  for (const Network::Move& m : network.moves) visit(m.legal);
  for (const auto& role : network.goals) {
    for (const Network::Goal& g : role) visit(g.edge);
  }
  for (const Network::Percept& p : network.percepts) visit(p.edge);
  StopPoll poll(budget.stop);
  while (!stack.empty()) {
    if (poll()) return {};
    const NodeId n = stack.back();
    stack.pop_back();
    switch (network.gates.kind(n)) {
      case Gates::Kind::And:
        poll(network.gates.inputs(n).size());
        for (const Edge e : network.gates.inputs(n)) visit(e);
        break;
      case Gates::Kind::Fluent:
        fluents[network.gates.index(n)] = Known::Open;
        visit(network.fluents[network.gates.index(n)].next);
        break;
      case Gates::Kind::Feedback:
        visit(network.feedbacks[network.gates.index(n)].update);
        break;
      default:
        break;
    }
  }
  return rewrite(network, fluents, {}, budget.stop);
}

}  // namespace ludens::gdl
