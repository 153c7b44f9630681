// SPDX-License-Identifier: MIT
// Inputs of gates that follow from the gate's other inputs, where of some variables only one holds.
#pragma once

#include <span>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

/// Fluents or moves of which at most one holds wherever the network is asked.
struct OneOf {
  std::vector<NodeId> nodes;
  bool always;  // one of them holds
};

/// Gates without the inputs that say nothing new: `a` excludes `b`, so that `a AND NOT b` is `a`,
/// `a AND b` is false, and so through gates in between: what an OR says is what all of its branches
/// say. A NOR of most of a group of which one always holds becomes an OR of the others. Linear in
/// the network for each 64 variables; when the work is spent, the rest of them is left.
ReplacedGates drop_implied_inputs(const Network& network, std::span<const OneOf> groups,
                                  const PassBudget& budget);

}  // namespace ludens::gdl
