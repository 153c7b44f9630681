// SPDX-License-Identifier: MIT
// Rules of prefix GDL in the infix dialects of GDL.
#pragma once

#include "gdl/hrf/dialect.h"
#include "gdl/to_hrf/to_hrf.h"

namespace ludens::gdl {

/// Writes form by form what the rules say, in `Dialect::Infix` or `Dialect::Prolog`. Every game can
/// be said there, but names that have other signs than letters, digits and `_`, or a meaning of
/// their own, get other names, each with a note. Errors: terms that nest too deep, or that are
/// none.
WrittenHrf write_infix(const Rules& rules, Dialect dialect);

}  // namespace ludens::gdl
