// SPDX-License-Identifier: MIT
// A pass: uses that a role makes exactly one move.
#include "gdl/network/passes/implied.h"
#include "gdl/network/passes/passes.h"

namespace ludens::gdl {

// An OR over most of a role's moves is the complement of the OR over the others. All code that
// makes gates uses that already (`factor.h`); this pass handles the gates in between.
std::optional<Network> use_one_hot_moves(const Network& network, const PassBudget& budget) {
  std::vector<OneOf> groups(network.roles(), OneOf{{}, true});
  for (const Network::Move& m : network.moves) groups[m.role].nodes.push_back(m.node);
  std::erase_if(groups, [](const OneOf& group) { return group.nodes.size() < 2; });
  const ReplacedGates gates = drop_implied_inputs(network, groups, budget);
  if (gates.empty()) return std::nullopt;
  return rewrite(network, budget.stop, gates);
}

}  // namespace ludens::gdl
