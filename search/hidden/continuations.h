// SPDX-License-Identifier: MIT
// From the histories that fit all turns but the last to those that fit it, too.
#pragma once

#include <cstddef>

#include "gdl/machine/rng.h"
#include "search/hidden/histories.h"
#include "search/hidden/others.h"
#include "search/hidden/turn_filter.h"

namespace ludens::search::hidden {

/// What has been made of histories by one more turn.
struct Continued {
  gdl::Status status = gdl::Status::Ok;
  Histories histories = {};
  bool complete = false;  // all that there are
};

/// All joint moves with the role's own move, behind all histories; what fits weighs as much as the
/// history before, times the probability of the others' moves. Given up, and not complete, when
/// more than `most` fit.
Continued enumerate(const Histories& before, ChoicesOfOthers& others, gdl::RoleIndex role,
                    const KnownTurn& turn, Match match, std::size_t most, TurnFilter& filter);

/// Draws histories by their weights and the moves of the others as these choose, until `most` fit
/// or `most_tried` were tried. One that was drawn several times weighs as often.
Continued sample(const Histories& before, ChoicesOfOthers& others, gdl::RoleIndex role,
                 const KnownTurn& turn, Match match, std::size_t most, std::size_t most_tried,
                 TurnFilter& filter, gdl::Rng& rng);

/// The joint moves that `enumerate` tries.
double joint_moves(const Histories& before, gdl::RoleIndex role, gdl::MoveId own);

}  // namespace ludens::search::hidden
