// SPDX-License-Identifier: MIT
// What is done to the rules of prefix GDL once a text is translated.
#pragma once

#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// A view may leave a variable of its head to its callers, as the venue's reasoner answers call by
/// call. Prefix GDL calls that unsafe. Such a variable gets a relation of the terms that the rules
/// can ask for.
void bind_open_columns(Sheet& sheet, PrefixRules& rules);

/// Facts for all relations of numbers that the rules use, and rules for all counts. What can't be
/// written out is reported.
void write_out_builtins(Sheet& sheet, PrefixRules& rules);

/// Drops each condition that holds wherever another one of the same rule does: what stands in it
/// alone is a variable that nothing else names, so that the other condition is an instance of it.
/// (The rule and what is left of it subsume each other.)
void condense(PrefixRules& rules);

}  // namespace ludens::gdl::hrf
