// SPDX-License-Identifier: MIT
// Computes the value of a position from those of its children.
#pragma once

#include "search/value/node.h"

namespace ludens::search::value {

/// Computes the value and the bounds of a node, for each role, from those of its children.
///
/// * One role chooses: it takes the child that is worth most to it, and the others get what they
///   have there. Its bounds are the best of its children's; another role's go from its worst to its
///   best, or, in a game of two adversaries, are the worst.
/// * `random` chooses: the mean.
/// * Several choose at once: the mean of the children by how often they were visited, to which each
///   adds as a single visit how likely the roles' priors make it. A role's move is worth at least
///   its worst outcome and at most its best one, and the role has the best of its moves.
void refresh(Node& node, bool adversaries);

/// The best lower and the best upper bound among the children, for the role that decides.
[[nodiscard]] Bounds best_bounds(Node& node);

/// Whether the decider may leave a child alone, given the best of all: it is proved to be worth no
/// more than another, or to be worth nothing while another may be worth something.
[[nodiscard]] inline bool is_refuted(Bounds child, Bounds best) {
  return child.high < best.low || (child.high == best.low && !child.closed()) ||
         (child.high == 0 && best.high > 0);
}

}  // namespace ludens::search::value
