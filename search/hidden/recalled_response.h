// SPDX-License-Identifier: MIT
// A best response of a role that remembers everything to strategies of a merged form.
#pragma once

#include <optional>

#include "gdl/memory/limits.h"
#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// The most that the role can expect, in goal points, if it uses all of its own moves and percepts
/// while the others follow the strategy of the merged form. Visits everything that the role may
/// come to know, with the probabilities of all merged histories that fit, except moves that the
/// others never make. nullopt if it was stopped. `stop` may be null.
std::optional<double> recalled_response(const ExtensiveForm& form,
                                        const BehaviourStrategy& strategy, gdl::RoleIndex role,
                                        const gdl::StopSignal* stop);

}  // namespace ludens::search::hidden
