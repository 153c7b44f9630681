// SPDX-License-Identifier: MIT
// Rulesheets in HRF, the infix language of Gamemaster, and in infix dialects of GDL, as forms of
// prefix GDL.
#pragma once

#include <string>
#include <string_view>

#include "gdl/hrf/dialect.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl {

struct ParsedHrf {
  /// The rules in prefix GDL. Places in it are places of the infix text.
  SyntaxTree tree;
  Diagnostics errors;   // in the text; none: all of it was understood
  Diagnostics remarks;  // warnings, and a note that names the dialect if it is not HRF
  Dialect dialect = Dialect::Hrf;
};

/// Reads a whole infix text in its dialect and translates it. Of HRF, operations become `next` with
/// a frame, the role in control has the legal moves and all others `noop`, a missing goal is 0, and
/// builtins are written out as rules. The dialects of GDL stay as they are, but `true` may be left
/// out and `legal(m)` is for each role, or for the one in control. Stops at the first syntax error;
/// reports all errors of meaning.
ParsedHrf parse_hrf(std::string text, const ParseLimits& limits = {});

/// Writes terms of prefix GDL, `( mark 1 2 ) noop`, in HRF: `mark(1,2) noop`.
std::string hrf_terms(std::string_view prefix);
/// Writes terms of HRF, which may be inside lists of prefix GDL, in prefix GDL: `( mark(1,2) noop
/// )` becomes `( ( mark 1 2 ) noop )`. Prefix GDL stays unchanged. A term alone may have lists in
/// it: `put([1,2])` becomes `(put (cons 1 (cons 2 nil)))`.
std::string prefix_terms(std::string_view hrf);

}  // namespace ludens::gdl
