// SPDX-License-Identifier: MIT
// What rulesheets declare with `base` and `input`, against what could ever hold and be done.
#pragma once

#include <memory>

#include "gdl/ground/grounder.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// A warning for each name of a fluent (move) of which something could hold (be legal), were every
/// negation that depends on the state true, that `base` (`input`) does not declare: with an example
/// and how many there are. Nothing is said of what is declared and never comes to pass, of a
/// rulesheet without these relations, where they depend on the state, and where the limits end the
/// search or the rules can't be grounded.
Diagnostics check_declarations(const std::shared_ptr<const Rules>& rules,
                               const GroundingLimits& limits);

}  // namespace ludens::gdl
