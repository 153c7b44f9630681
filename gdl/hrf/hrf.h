// SPDX-License-Identifier: MIT
// Rulesheets in HRF, the infix language of Gamemaster, as forms of prefix GDL.
#pragma once

#include <string>
#include <string_view>

#include "gdl/text/syntax.h"

namespace ludens::gdl {

/// Whether a text is HRF, judged by its beginning: an HRF comment, or a name directly followed by a
/// parenthesis. Everything else counts as prefix GDL.
bool is_hrf(std::string_view text);

struct ParsedHrf {
  /// The rules in prefix GDL. Places in it are places of the HRF text.
  SyntaxTree tree;
  Diagnostics errors;   // in the text; none: all of it was understood
  Diagnostics remarks;  // warnings
};

/// Reads a whole text and translates it: operations become `next` with a frame, the role in control
/// has the legal moves and all others `noop`, a missing goal is 0, and builtins are written out as
/// rules. Stops at the first syntax error; reports all errors of meaning.
ParsedHrf parse_hrf(std::string text, const ParseLimits& limits = {});

/// Writes terms of prefix GDL, `( mark 1 2 ) noop`, in HRF: `mark(1,2) noop`.
std::string hrf_terms(std::string_view prefix);
/// Writes terms of HRF, which may be inside lists of prefix GDL, in prefix GDL: `( mark(1,2) noop
/// )` becomes `( ( mark 1 2 ) noop )`. Prefix GDL stays unchanged. A term alone may have lists in
/// it: `put([1,2])` becomes `(put (cons 1 (cons 2 nil)))`.
std::string prefix_terms(std::string_view hrf);

}  // namespace ludens::gdl
