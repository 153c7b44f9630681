// SPDX-License-Identifier: MIT
// A network laid out for evaluation: slots, and runs of equal gates.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/network/network.h"
#include "gdl/program/legal_leaves.h"
#include "gdl/program/move_sets.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// Where an edge's value is stored, and whether it is stored complemented.
using SlotEdge = kernel::Edge;

/// Which gates are evaluated together.
enum class Phase : std::uint8_t {
  Status,    // legal moves and the end: depend on fluents alone
  Goals,     // depend on fluents alone
  Next,      // depends on fluents, moves and the results of Status
  Percepts,  // depend on fluents and moves; may overwrite the results of other phases
};
inline constexpr std::size_t kPhases = 4;

/// Slots: the fluents in the network's order; then, from `first_slot` on, the moves by role and id,
/// the constant false, the gates that legal moves, end, next state, goals or percepts point at,
/// inner gates and feedbacks. Gates are sorted by level, number of inputs and polarity, so that the
/// interpreter's inner loops run without a branch per gate. If gates depend on each other in a
/// cycle, their runs are a loop of the phase, and the gates that depend on them come later.
/// Programs for the same fluents can share one array of slots if their ranges are disjoint: they
/// share the fluents.
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
  /// The moves of roles whose moves are described by sets: they are here instead of in `moves`, and
  /// the slots of the sets come after those of the moves.
  std::vector<LegalLeaves> choices;
  std::uint32_t first_set = 0, sets = 0;
  std::uint32_t true_slot = 0;  // the constant, which the choices read, to be filled with ones
  std::vector<std::uint32_t> legal_inputs;  // slots that the choices read, ascending
  SlotEdge terminal{};
  std::vector<Goal> goals;        // roles ascending, values descending
  std::vector<Percept> percepts;  // by role, then id
  std::vector<kernel::Run> runs[kPhases];
  std::vector<std::uint32_t> code[kPhases];
  std::vector<kernel::Loop> loops[kPhases];
  std::vector<kernel::Feedback> feedbacks[kPhases];
  std::size_t two_input_gates = 0;

  /// The phase in the form that the kernels take; valid as long as the program.
  [[nodiscard]] kernel::Phase phase(Phase which) const;
  [[nodiscard]] std::size_t roles() const { return first_move.size() - 1; }
  [[nodiscard]] std::size_t state_words() const { return (fluents.size() + 63) / 64; }
  /// The initial state, a bit for each fluent.
  [[nodiscard]] std::vector<std::uint64_t> initial_words() const;
};

/// Returns a sentence instead if legal moves, end or goals depend on moves, if a cycle of gates
/// depends on its own complement, or if stopped. `first_slot` is at least the number of fluents, or
/// 0 for that.
Result<Program> compile(const Network& network, std::size_t first_slot = 0,
                        const StopSignal* stop = nullptr);
/// The same for playouts only: it has no goals, and leaves the legal moves of roles that are
/// described by sets to the choice if nothing else depends on them.
Result<Program> compile(const SetNetwork& network, std::size_t first_slot,
                        const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
