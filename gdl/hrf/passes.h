// SPDX-License-Identifier: MIT
// Passes over the rules of prefix GDL once a text is translated.
#pragma once

#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// A view may leave a variable of its head to its callers, because the venue's reasoner evaluates
/// each call separately. Prefix GDL calls that unsafe. Such a variable gets a relation of the terms
/// that the rules can ask for.
void bind_open_columns(Sheet& sheet, PrefixRules& rules);

/// Adds facts for all relations of numbers that the rules use, and rules for all counts. Reports
/// what can't be written out.
void write_out_builtins(Sheet& sheet, PrefixRules& rules);

/// Drops each condition that holds whenever another one of the same rule does: it differs from that
/// one only in variables that occur nowhere else, so that the other condition is an instance of it.
/// (The rule and what is left of it subsume each other.)
void condense(PrefixRules& rules);

}  // namespace ludens::gdl::hrf
