// SPDX-License-Identifier: MIT
// A network laid out for evaluation: slots, and runs of equal gates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/network/network.h"
#include "gdl/program/legal_leaves.h"
#include "gdl/program/move_sets.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// Where an edge's value stands, and whether it is stored complemented.
using SlotEdge = kernel::Edge;

/// What is evaluated together.
enum class Phase : std::uint8_t {
  Status,    // legal moves and the end: depend on fluents alone
  Goals,     // depend on fluents alone
  Next,      // depends on fluents, moves and what Status left in its slots
  Percepts,  // depend on fluents and moves; what other phases left in their slots may be lost
};
inline constexpr std::size_t kPhases = 4;

/// Slots: the fluents in the network's order; then, from `first_slot` on, the moves by role and id,
/// the constant false, the gates that legal moves, end, next state, goals or percepts point at,
/// inner gates and feedbacks. Gates stand sorted by level, number of inputs and polarity, so that
/// the interpreter's inner loops run without a branch a gate. Where gates depend on each other in a
/// cycle, their runs are a loop of the phase; what depends on them stands behind. Programs for the
/// same fluents can share one array of slots if their ranges differ: they hand over fluents.
struct Program {
  struct Move {
    MoveId id;
    RoleIndex role;
    std::uint32_t slot;
    SlotEdge legal;
  };
  struct Goal {
    RoleIndex role;
    std::uint32_t value;
    SlotEdge edge;
  };

  struct Percept {
    PerceptId id;
    RoleIndex role;
    SlotEdge edge;
  };

  std::size_t first_slot = 0, slots = 0;  // of its own; end
  std::uint32_t false_slot = 0;           // the constant
  std::uint32_t first_inner_slot = 0;
  std::vector<FluentId> fluents;
  std::vector<bool> initially;            // [fluent]
  std::vector<SlotEdge> next;             // [fluent]
  std::vector<Move> moves;                // by role, then id
  std::vector<std::uint32_t> first_move;  // [role], one more at the end
  /// Of roles whose moves are told by sets: they stand here instead of among `moves`, and the sets'
  /// slots behind those of the moves.
  std::vector<LegalLeaves> choices;
  std::uint32_t first_set = 0, sets = 0;
  std::vector<std::uint32_t> legal_inputs;  // slots that the choices read, ascending
  SlotEdge terminal{};
  std::vector<Goal> goals;        // roles ascending, values descending
  std::vector<Percept> percepts;  // by role, then id
  std::vector<kernel::Run> runs[kPhases];
  std::vector<std::uint32_t> code[kPhases];
  std::vector<kernel::Loop> loops[kPhases];
  std::vector<kernel::Feedback> feedbacks[kPhases];
  std::size_t two_input_gates = 0;

  /// As the kernels take it; valid as long as the program.
  [[nodiscard]] kernel::Phase phase(Phase which) const;
  [[nodiscard]] std::size_t roles() const { return first_move.size() - 1; }
  [[nodiscard]] std::size_t state_words() const { return (fluents.size() + 63) / 64; }
};

/// A sentence instead if legal moves, end or goals depend on moves, or a cycle of gates on its own
/// complement, or if stopped. `first_slot` is at least the number of fluents, or 0 for that.
Result<Program> compile(const Network& network, std::size_t first_slot = 0,
                        const StopSignal* stop = nullptr);
/// The same for playouts alone: without goals, and legal moves of roles that are told by sets are
/// left to the choice as far as nothing else depends on them.
Result<Program> compile(const SetNetwork& network, std::size_t first_slot,
                        const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
