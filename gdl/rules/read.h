// SPDX-License-Identifier: MIT
// Reads the text of a rulesheet into rules.
#pragma once

#include <string>

#include "gdl/hrf/dialect.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

struct ReadRules {
  NormalisedRules normalised;  // the rules that could be read
  Diagnostics errors;          // in the text; none: it was read completely
  Dialect dialect;
};

/// Parses and normalises a text in prefix GDL or an infix dialect, whichever it is. `check` reports
/// errors in its rules. A START message contains its rules as a part of a message that is already
/// parsed: use `normalise` for it.
ReadRules read_rules(std::string text, const NormaliseLimits& limits = {});

}  // namespace ludens::gdl
