// SPDX-License-Identifier: MIT
// The text of a rulesheet to rules.
#pragma once

#include <string>

#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

struct ReadRules {
  NormalisedRules normalised;  // of what could be read
  Diagnostics errors;          // of the text; none: it was read as a whole
};

/// Parses and normalises a text in prefix GDL or HRF, whichever it is. `check` says what is wrong
/// with its rules. A START brings its rules as a part of a message that is parsed already:
/// `normalise` takes that.
ReadRules read_rules(std::string text, const NormaliseLimits& limits = {});

}  // namespace ludens::gdl
