// SPDX-License-Identifier: MIT
// Compares what rulesheets declare with `base` and `input` with what could ever hold and be done.
#pragma once

#include <memory>

#include "gdl/ground/grounder.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// Warns about fluents (moves) that could hold (be legal) if every negation that depends on the
/// state were true, and that `base` (`input`) does not declare. There is one warning for each name,
/// with an example and a count. Gives no warning about declared fluents and moves that never occur,
/// about a rulesheet without these relations, if they depend on the state, if the limits end the
/// search, or if the rules can't be grounded.
Diagnostics check_declarations(const std::shared_ptr<const Rules>& rules,
                               const GroundingLimits& limits);

}  // namespace ludens::gdl
