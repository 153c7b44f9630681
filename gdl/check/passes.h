// SPDX-License-Identifier: MIT
// The passes of the checker. Each looks at one condition and adds what it finds; a new one is
// declared here and named in the table of check.cpp.
#pragma once

#include "gdl/check/findings.h"

namespace ludens::gdl {

/// Roles, keyword relations without rules, roles without goal or move, goal values, names that are
/// not roles.
void check_game(Findings& findings);
/// Variables that no positive literal binds (definition 7 of the specification, and the four shapes
/// that have a meaning nevertheless); `not` and `distinct` before what binds them.
void check_safety(Findings& findings);
/// No relation may need its own negation: rule against rule, by unification.
void check_stratification(Findings& findings);
/// What `init`, `legal`, `goal`, `terminal`, `base` and `input` may not need.
void check_keyword_dependence(Findings& findings);
/// The recursion restriction (definition 10), and terms that may grow without bound.
void check_recursion(Findings& findings);
/// Relations that are defined nowhere, never used, or known with several arities.
void check_names(Findings& findings);
/// Conditions on the state or on moves that no rule can make true.
void check_fluents(Findings& findings);

}  // namespace ludens::gdl
