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
  std::vector<std::vector<std::uint32_t>> gained;   // [move]: fluents, of groups or not
};

/// Makes each move of a turn in 64 states of random games, as if it were the role's turn, while the
/// others make random moves. First, the fluents that make the move illegal are changed; otherwise
/// the result would depend on where pieces happen to be, and symmetric moves would differ.
///
/// A move changes a group of fluents if, in more than 7/8 of the states in which it is then legal
/// (of all states, if it is legal in none), a fluent of the group holds after it and not before. If
/// a move gains nothing in any group, the groups count in which a fluent is lost: what the move
/// gains may be a fluent that nothing depends on, which the network lacks. Otherwise losses do not
/// count, because every piece that moves leaves its place. Effects in fewer states are left out,
/// because symmetric moves would differ in them, too. Fluents of control are in no group.
///
/// The result is always the same for a network. nullopt if stopped, or if this is too much work.
std::optional<Effects> find_effects(const Network& network, const MainTurns& turns,
                                    std::span<const std::vector<std::uint32_t>> groups,
                                    const StopSignal* stop);

}  // namespace ludens::gdl
