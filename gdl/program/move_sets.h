// SPDX-License-Identifier: MIT
// Moves as gates see them: by the sets of moves that they look for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl {

/// A network that is not told which moves are made but, for some of the roles, of which sets of
/// moves they are members. A role makes one move, so an OR over moves is one input, however wide;
/// where there are more moves than lanes most of them are made in no lane at all.
struct SetNetwork {
  Network network;           // moves of these roles have no node (0); goals are left out
  std::vector<NodeId> sets;  // inputs: whether the role's move is one of the set
  std::vector<std::uint32_t> first_member;  // [move of the network], one more at the end
  std::vector<std::uint32_t> member_of;     // sets of a move, one move after the other
};

/// `by_sets`: [role]. The network has no feedbacks. nullopt if stopped.
std::optional<SetNetwork> tell_by_sets(const Network& network, const std::vector<bool>& by_sets,
                                       const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
