// SPDX-License-Identifier: MIT
// Tells from a text in which language its rules are written.
#pragma once

#include <string_view>

#include "gdl/hrf/dialect.h"

namespace ludens::gdl {

/// The dialect of a text. What begins with a `%` comment, a name directly followed by a parenthesis
/// or an arrow is infix. Operations make it HRF, a period after a clause Prolog, and a sentence of
/// GDL alone, as `next(p)` or `legal(r,a)`, infix GDL.
Dialect dialect_of(std::string_view text);

}  // namespace ludens::gdl
