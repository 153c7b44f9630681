// SPDX-License-Identifier: MIT
// From the histories that fit all turns but the last to those that also fit the last.
#pragma once

#include <cstddef>

#include "gdl/machine/rng.h"
#include "search/hidden/histories.h"
#include "search/hidden/turn_filter.h"

namespace ludens::search::hidden {

/// The histories after one more turn.
struct Continued {
  gdl::Status status = gdl::Status::Ok;
  Histories histories = {};
  bool complete = false;  // these are all
};

/// Tries all joint moves with the role's own move after all histories. A history that fits has the
/// weight of the history before times the probability of the others' moves, if they choose
/// uniformly. Gives up, and is not
/// complete, when more than `most` fit.
Continued enumerate(const Histories& before, gdl::RoleIndex role, const KnownTurn& turn,
                    MatchPhase match, std::size_t most, TurnFilter& filter);

/// Draws histories by their weights and moves of the others uniformly, until `most` fit or
/// `most_tried` were tried. If one is drawn several times, its weight is multiplied accordingly.
Continued sample(const Histories& before, gdl::RoleIndex role, const KnownTurn& turn,
                 MatchPhase match, std::size_t most, std::size_t most_tried, TurnFilter& filter,
                 gdl::Rng& rng);

/// The number of joint moves that `enumerate` tries.
double joint_moves(const Histories& before, gdl::RoleIndex role, gdl::MoveId own);

}  // namespace ludens::search::hidden
