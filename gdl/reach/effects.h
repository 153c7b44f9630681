// SPDX-License-Identifier: MIT
// What each move changes, as far as states of random games show it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Where a role moves: the fluents of control have these values, and it makes one of these moves.
struct MainTurn {
  /// The fluent that holds then; nullopt: the role may move whatever holds.
  std::optional<std::uint32_t> fluent;
  std::vector<std::uint32_t> moves;  // ascending
};

/// Fluents of control, and the turn of each role. If a role's turn has phases, that with the most
/// moves counts.
struct MainTurns {
  std::vector<MainTurn> of_role;
  std::vector<std::uint32_t> controls;

  /// [fluent]: nullopt, or the value in the turn of the role.
  [[nodiscard]] std::vector<std::optional<bool>> known(std::size_t fluents, RoleIndex role) const;
};

/// Linear in the network for each fluent of control. After a stop the result means nothing.
MainTurns find_main_turns(const Network& network, const StopSignal* stop);

struct Effects {
  std::vector<std::vector<std::uint32_t>> changed;  // [move]: numbers of groups
  std::vector<std::vector<std::uint32_t>> gained;   // [move]: fluents
};

/// Makes each move of a turn in 64 states of random games, as if it were the role's turn and the
/// others did nothing. It changes a group of fluents if that is so in more than half of the states:
/// it need not be legal there, and that a piece comes to a place does not depend on much. Always
/// the same for a network. nullopt if stopped, or if this is too much work.
std::optional<Effects> find_effects(const Network& network, const MainTurns& turns,
                                    std::span<const std::vector<std::uint32_t>> groups,
                                    const StopSignal* stop);

}  // namespace ludens::gdl
