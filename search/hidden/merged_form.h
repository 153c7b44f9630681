// SPDX-License-Identifier: MIT
// Extensive forms with histories merged, for games whose tree is too large.
#pragma once

#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// The merged form of all that may follow a state, step by step. Two situations of a role are
/// merged if the same fluents are possible, the same fluents are certain, and it has the same legal
/// moves. The role then considers the states of both possible (a subset construction). If there is
/// only one player, they are merged if the same states are possible with the same probabilities, so
/// that nothing is lost. Fails with a sentence if there are too many histories for `memory` (may be
/// null), or if the deadline came first.
gdl::Result<ExtensiveForm> build_merged(const gdl::Machine& machine, gdl::StateView state,
                                        const Deadline& deadline, gdl::MemoryBudget* memory);

/// The number of histories of the tree before merging.
double histories_of_tree(const ExtensiveForm& merged);

}  // namespace ludens::search::hidden
