// SPDX-License-Identifier: MIT
// A pass: removes fluents that never change and moves that are never legal.
#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

Network propagate_constants(const Network& network, const PassBudget& budget) {
  TernarySimulation simulation(network, budget.stop);
  if (!simulation.run()) return {};
  return rewrite(network, simulation.fluents(), simulation.moves(), budget.stop);
}

}  // namespace ludens::gdl
