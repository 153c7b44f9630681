// Is a rulesheet a game? All diagnostics that can be had without playing it.
#pragma once

#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// Safety, stratification (rule against rule, by unification), the recursion restriction, places of
/// keywords, dependence of init / legal / goal / terminal, undefined and unused relations, arities,
/// goal values, spellings. Sorted by place. `normalised` contributes the diagnostics it already
/// has. Source: the GDL specification (Love et al. 2008), and what real rulesheets get away with.
Diagnostics check(const NormalisedRules& normalised);

}  // namespace ludens::gdl
