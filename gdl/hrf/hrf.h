// SPDX-License-Identifier: MIT
// Rulesheets in HRF, the infix language of Gamemaster, as forms of prefix GDL.
#pragma once

#include <string>
#include <string_view>

#include "gdl/text/syntax.h"

namespace ludens::gdl {

/// Whether a text is HRF, as its beginning says: a comment of HRF, or a name with a parenthesis
/// right behind it. Everything else is taken for prefix GDL.
bool is_hrf(std::string_view text);

struct ParsedHrf {
  /// The rules in prefix GDL. Places in it are places of the HRF text.
  SyntaxTree tree;
  Diagnostics errors;   // of the text; none: all of it was understood
  Diagnostics remarks;  // warnings
};

/// Reads a whole text and translates it: operations become `next` with a frame, the role in control
/// has the legal moves and all others `noop`, a goal that is missing is 0, and builtins are written
/// out as rules. Stops at the first error of syntax; of the meaning, all errors are told.
ParsedHrf parse_hrf(std::string text, const ParseLimits& limits = {});

/// Terms of prefix GDL, `( mark 1 2 ) noop`, as HRF has them: `mark(1,2) noop`.
std::string hrf_terms(std::string_view prefix);
/// Terms of HRF, in lists of prefix GDL or not, in prefix GDL: `( mark(1,2) noop )` becomes
/// `( ( mark 1 2 ) noop )`. What is prefix GDL already stays so.
std::string prefix_terms(std::string_view hrf);

}  // namespace ludens::gdl
