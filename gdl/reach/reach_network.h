// SPDX-License-Identifier: MIT
// The network of a game with gates that say what each role could change.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/limits.h"
#include "gdl/network/game_network.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// How many moves of a role are looked ahead, at most.
inline constexpr std::uint32_t kMostReach = 3;

struct ReachNetwork {
  /// The game with a fluent for each bit (`GameNetwork::reach`), after its own. These fluents are
  /// never next. That a bit holds in a state is shown by a move of the last role, which is legal
  /// then: bit i by the move `first_move + i`, an id that no move of the game has.
  /// Batches set the fluents of the states that they make, and don't list these moves.
  std::shared_ptr<const GameNetwork> game;
  MoveId first_move = 0;
};

/// `groups`: fluents of which at most one holds, such as the contents of a cell. A group has a bit
/// for each role and each number of moves up to `most_moves`, unless the bit is constant: some move
/// of the role that would be legal if it were its turn would change the group, as `find_effects`
/// has it. Of two moves, the second may also use what the first ones can gain, all at once, while
/// nothing is lost: a relaxation as in planning (Bonet and Geffner 2001). Groups that more than
/// half of the moves change have no bits, and fluents that more than half gain are not gained.
/// Names of the bits are given by `vocabulary`, and are the same in each match, in the terms of
/// canonical names. A sentence instead if there are no bits, if `most_moves` is more than
/// `kMostReach`, if it is too much work, or if stopped.
Result<ReachNetwork> build_reach_network(const GameNetwork& game, Vocabulary& vocabulary,
                                         const std::vector<std::vector<std::uint32_t>>& groups,
                                         std::uint32_t most_moves, const StopSignal* stop);

}  // namespace ludens::gdl
