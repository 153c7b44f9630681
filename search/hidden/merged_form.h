// SPDX-License-Identifier: MIT
// Extensive forms with histories merged, for games whose tree is too large.
#pragma once

#include <cstddef>

#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// A step that begins with at most this many situations of all roles is followed without merging.
/// What a role learns first matters longest, and little memory is needed for it: phantom
/// tic-tac-toe, 1.19 instead of 3.5 goal points of exploitability for a tenth more histories.
inline constexpr std::size_t kMostApart = 8'192;

/// The merged form of all that may follow a state, step by step. Until a step has more than
/// `most_apart` situations of roles, all of them are told apart. From then on two are merged if the
/// same fluents are certain and the role has the same legal moves; it then considers the states of
/// both possible (a subset construction). If there is only one player, they are always merged if
/// the same states are possible with the same probabilities, so that nothing is lost. Fails with a
/// sentence if there are too many histories for `memory` (may be null), or if the deadline came
/// first.
gdl::Result<ExtensiveForm> build_merged(const gdl::Machine& machine, gdl::StateView state,
                                        const Deadline& deadline, gdl::MemoryBudget* memory,
                                        std::size_t most_apart = kMostApart);

/// The number of histories of the tree before merging.
double histories_of_tree(const ExtensiveForm& merged);

}  // namespace ludens::search::hidden
