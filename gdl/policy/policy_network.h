// SPDX-License-Identifier: MIT
// The network of a game in which only those moves are legal that a playout policy may choose.
#pragma once

#include "gdl/network/network.h"
#include "gdl/policy/policy.h"
#include "gdl/policy/tactics.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

struct PolicyNetwork {
  Network network;
  /// The last fluent is not the game's: in each step it is true with probability 1/2,
  /// independently.
  bool coin = false;
  std::size_t raw_gates = 0;  // of two inputs, in the tactics before they were improved
  std::size_t gates = 0;      // of two inputs, of all
};

/// In each state the network gives a role at least one legal move if the game does, whatever the
/// policy. A sentence instead if the policy has no meaning for the game, or if the network would be
/// more than `most_growth` times as large as the game's. `tactics` needs `avoided` for `Avoid`
/// alone. `policy` is not `Uniform`.
Result<PolicyNetwork> build_policy_network(const Network& game, const Tactics& tactics,
                                           PlayoutPolicy policy, const TacticsBudget& budget,
                                           double most_growth);

}  // namespace ludens::gdl
