// SPDX-License-Identifier: MIT
// Extensive forms with histories merged, for games whose tree is too large.
#pragma once

#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// The merged form of all that may follow a state, step by step. What a role knows is one where the
/// same fluents are possible, the same are certain, and it has the same legal moves: it reckons
/// with the states of all that is one so (a subset construction). Where there is one player alone,
/// it is one where the same states are possible with the same probabilities, so that nothing is
/// lost. A sentence where there are too many histories for `memory` (may be null), or where the
/// deadline came first.
gdl::Result<ExtensiveForm> build_merged(const gdl::Machine& machine, gdl::StateView state,
                                        const Deadline& deadline, gdl::MemoryBudget* memory);

/// How many histories the tree has that was merged.
double histories_of_tree(const ExtensiveForm& merged);

}  // namespace ludens::search::hidden
