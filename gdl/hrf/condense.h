// SPDX-License-Identifier: MIT
// Conditions that decide nothing.
#pragma once

#include "gdl/hrf/prefix.h"

namespace ludens::gdl::hrf {

/// Drops each condition that holds wherever another one of the same rule does: what stands in it
/// alone is a variable that nothing else names, so that the other condition is an instance of it.
/// (The rule and what is left of it subsume each other.)
void condense(PrefixRules& rules);

}  // namespace ludens::gdl::hrf
