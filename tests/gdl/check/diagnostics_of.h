// SPDX-License-Identifier: MIT
// What the checker says of a text.
#pragma once

#include <string>

#include "gdl/check/check.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {

/// The diagnostics of one code, one a line: `LINE:COLUMN: SEVERITY: TEXT`.
inline std::string found(const std::string& code, std::string text) {
  Diagnostics diagnostics = check(normalise_text(std::move(text)));
  std::erase_if(diagnostics, [&](const Diagnostic& d) { return d.code != code; });
  return lines_of(diagnostics);
}

/// All of them.
inline std::string all_found(std::string text) {
  return lines_of(check(normalise_text(std::move(text))));
}

}  // namespace ludens::gdl
