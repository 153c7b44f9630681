// SPDX-License-Identifier: MIT
// Finds inputs of gates that follow from the gate's other inputs, given groups of variables of
// which only one holds.
#pragma once

#include <span>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

/// Fluents or moves of which at most one holds whenever the network is evaluated.
struct OneOf {
  std::vector<NodeId> nodes;
  bool always;  // one of them holds
};

/// Gates without their redundant inputs: if `a` excludes `b`, then `a AND NOT b` is `a`, and `a AND
/// b` is false. This also works through gates in between: an OR implies what all of its branches
/// imply. A NOR of most of a group of which one always holds becomes an OR of the others. Linear in
/// the network for each 64 variables; when the work is spent, the rest of them is left.
ReplacedGates drop_implied_inputs(const Network& network, std::span<const OneOf> groups,
                                  const PassBudget& budget);

}  // namespace ludens::gdl
