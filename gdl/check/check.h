// SPDX-License-Identifier: MIT
// Is a rulesheet a game? All diagnostics that can be found without playing it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// Safety, stratification (rule against rule, by unification), the recursion restriction, places of
/// keywords, dependence of init / legal / goal / terminal, undefined and unused relations, arities,
/// goal values, spellings. Sorted by place. `normalised` contributes the diagnostics it already
/// has. Source: the GDL specification (Love et al. 2008), and what real rulesheets get away with.
/// If the limits end the check, the result is what was found until then. The memory is used only
/// during the call; `max_findings` applies to each severity.
Diagnostics check(const NormalisedRules& normalised, const Limits& limits = {},
                  std::size_t max_findings = SIZE_MAX);

}  // namespace ludens::gdl
