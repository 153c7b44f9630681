// SPDX-License-Identifier: MIT
// A network laid out for propagating changes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/program/program.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Nodes are the fluents, the moves (in the program's order), then the gates, each after its
/// inputs: first those that legal moves and the end need, then what only the next state needs.
struct EventNetwork {
  /// What is updated when a node changes.
  struct Hook {
    enum class Kind : std::uint8_t { Legal, Next };
    Kind kind;
    RoleIndex role;       // of a move
    std::uint32_t index;  // of the move, or of the fluent
  };
  /// A move's or fluent's initial value, when all inputs are false.
  struct Output {
    std::uint32_t node;
    bool inverted;
  };
  struct Role {
    std::uint32_t first_move, moves;
    bool guarded = false;
    std::uint32_t guard = 0;  // a fluent
    bool guard_inverted = false;
    std::vector<MoveIndex> unguarded;  // ascending
  };

  std::uint32_t fluents = 0, moves = 0, status_gates = 0, gates = 0;
  /// Readers of node n: gates of which it is a plain input are at [begin[n], middle[n]), those of
  /// which it is an inverted input from there to begin[n + 1]. Gates are counted from 0.
  std::vector<std::uint32_t> begin, middle, readers;
  std::vector<std::uint16_t> unsatisfied;  // [gate]: inputs that are unsatisfied when all inputs of
                                           // the game are false
  std::vector<std::uint32_t> hook_begin;   // [node]
  std::vector<Hook> hooks;
  std::vector<Output> next;   // [fluent]
  std::vector<Output> legal;  // [move]
  Output terminal{};
  std::vector<Role> roles;
  std::vector<std::uint32_t> first_move;  // [role], one more at the end

  [[nodiscard]] std::uint32_t first_gate() const { return fluents + moves; }
  [[nodiscard]] std::uint32_t nodes() const { return fluents + moves + gates + 1; }
  /// The constant false comes after the gates.
  [[nodiscard]] std::uint32_t constant() const { return fluents + moves + gates; }
};

/// nullopt if the network has feedbacks, if a gate has too many inputs for a counter, or if
/// stopped.
std::optional<EventNetwork> make_event_network(const Network& network, const Program& program,
                                               const StopSignal* stop = nullptr);

}  // namespace ludens::gdl::scalar
