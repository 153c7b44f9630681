// A network laid out for evaluation: slots, and runs of equal gates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/sliced/kernel.h"

namespace ludens::gdl {

/// Where an edge's value stands, and whether it is stored complemented.
using SlotEdge = kernel::Edge;

/// What is evaluated together.
enum class Phase : std::uint8_t {
  Status,  // legal moves and the end: depend on fluents alone
  Goals,   // depend on fluents alone
  Next,    // depends on fluents, moves and what Status left in its slots
};
inline constexpr std::size_t kPhases = 3;

/// Slots: the fluents, then the moves (both in the network's order), the constant false, the gates.
/// Gates stand sorted by level, number of inputs and polarity, so that the interpreter's inner
/// loops run without a branch a gate.
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

  std::size_t slots = 0;
  std::vector<FluentId> fluents;
  std::vector<bool> initially;            // [fluent]
  std::vector<SlotEdge> next;             // [fluent]
  std::vector<Move> moves;                // by role, then id
  std::vector<std::uint32_t> first_move;  // [role], one more at the end
  SlotEdge terminal{};
  std::vector<Goal> goals;  // roles ascending, values descending
  std::vector<kernel::Run> runs[kPhases];
  std::vector<std::uint32_t> code[kPhases];
  std::size_t two_input_gates = 0;

  [[nodiscard]] std::size_t roles() const { return first_move.size() - 1; }
  [[nodiscard]] std::size_t state_words() const { return (fluents.size() + 63) / 64; }
};

/// nullopt if the network has circles, or if legal moves, end or goals depend on moves.
std::optional<Program> compile(const Network& network);

}  // namespace ludens::gdl
