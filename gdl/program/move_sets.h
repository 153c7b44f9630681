// SPDX-License-Identifier: MIT
// Describes moves by the sets of moves that gates test for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/program/move_families.h"

namespace ludens::gdl {

/// A network whose inputs, for some of the roles, are not the moves but the sets of moves that
/// contain the role's move. A role makes one move, so an OR over moves is one input, however wide.
/// If there are more moves than lanes, most of them are made in no lane at all.
struct SetNetwork {
  Network network;                          // moves of these roles have no node (0); without goals
  std::vector<NodeId> sets;                 // inputs: whether the role's move is one of the set
  std::vector<std::uint32_t> first_member;  // [move of the network], one more at the end
  std::vector<std::uint32_t> member_of;     // the sets of each move, stored contiguously
  std::vector<MoveParts> parts;             // [move]
};

/// `by_sets`: [role]. The network must have no feedbacks. nullopt if stopped.
std::optional<SetNetwork> tell_by_sets(const Network& network, const std::vector<bool>& by_sets,
                                       const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
