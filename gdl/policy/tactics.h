// SPDX-License-Identifier: MIT
// Which moves win at once, which would if the other role made them, and which let the other role
// win: as gates over the fluents.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"
#include "gdl/network/turns.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// What a composition may cost, as counts, so that the result does not depend on the clock.
struct TacticsBudget {
  const StopSignal* stop = nullptr;
  std::uint64_t work = 30'000'000;  // inputs of gates visited, about 10 ns each
  std::size_t gates = 400'000;      // made, of two inputs
};

/// For states that are not terminal. If roles take turns (see `find_turns`), they are about states
/// in which one role is in control. In other games the effect of a move is what the rules derive if
/// the other roles that could choose did nothing at all. That is a guess, because there the others'
/// moves matter, too. `network` has the fluents of the game's in their order as inputs, and no
/// moves or outputs. [move] as in the game's. Chance wants nothing: all is false for its moves.
struct Tactics {
  Network network;
  /// Legal, and ends the game with goal 100 for its role. False when no role has the turn.
  std::vector<Edge> wins;
  /// A move of that name would win if the other role were in control instead; all false if there
  /// are not two roles that take turns.
  std::vector<Edge> threats;
  /// In the role's turn: after the move, the other of two roles has a winning move. Empty unless
  /// requested.
  std::vector<Edge> avoided;
  std::uint64_t work = 0;
};

/// Finds all of it, or says in a sentence why not. `game` is the network whose fluents and moves
/// count; `plain` is the same game as sums of products (see `BuildForm`): only in that form can the
/// composed gates be separated into what depends on a move and what does not. What `plain` has and
/// `game` lacks never changes, or doesn't matter. `random` is the role of chance, if there is one.
/// Networks with feedbacks are refused.
Result<Tactics> find_tactics(const Network& game, const Network& plain,
                             std::optional<RoleIndex> random, bool with_avoided,
                             const TacticsBudget& budget);

}  // namespace ludens::gdl
