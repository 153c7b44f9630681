// SPDX-License-Identifier: MIT
// A pass: uses that at most one of some fluents holds.
#include <unordered_map>

#include "gdl/network/passes/implied.h"
#include "gdl/network/passes/passes.h"

namespace ludens::gdl {

std::optional<Network> use_exclusions(const Network& network, const PassBudget& budget) {
  std::unordered_map<FluentId, NodeId> node_of_id;
  for (const Network::Fluent& f : network.fluents) node_of_id[f.id] = f.node;
  std::vector<OneOf> groups;
  for (const Structure::Exclusion& exclusion : budget.exclusions) {
    OneOf group{{}, exclusion.always_one};
    for (const FluentId id : exclusion.fluents) {
      const auto found = node_of_id.find(id);
      if (found != node_of_id.end()) {
        group.nodes.push_back(found->second);
      } else {
        group.always = false;  // it may be the one that holds
      }
    }
    if (group.nodes.size() > 1) groups.push_back(std::move(group));
  }
  if (groups.empty()) return std::nullopt;
  const ReplacedGates gates = drop_implied_inputs(network, groups, budget);
  if (gates.empty()) return std::nullopt;
  return rewrite(network, budget.stop, gates);
}

}  // namespace ludens::gdl
