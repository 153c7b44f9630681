// What a network tells of its game beside the moves.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl {

/// Optional knowledge beside a machine.
struct Structure {
  /// A part of the game that no other part has a hand in: what is next of its fluents, and whether
  /// its moves are legal, depends on nothing outside. End and goals may look at several.
  struct Factor {
    std::vector<FluentId> fluents;                    // ascending
    std::vector<std::pair<RoleIndex, MoveId>> moves;  // ascending; none: a clock
    friend bool operator==(const Factor&, const Factor&) = default;
  };
  std::vector<Factor> factors;  // the largest first
  /// [role]: the factors on which a goal of the role depends, ascending.
  std::vector<std::vector<std::uint32_t>> goal_factors;
  std::vector<std::uint32_t> end_factors;
};

/// In time linear in the network. Moves that no fluent depends on, and that are always legal, are
/// in no factor.
Structure find_structure(const Network& network);

}  // namespace ludens::gdl
