// SPDX-License-Identifier: MIT
// A rulesheet as read, and everything there is to say of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/check/check.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/error.h"

namespace ludens::server {

struct Rulesheet {
  std::string name;  // of the file, without folder and ending
  std::string file;  // as it is named to people; empty if the text came from elsewhere
  std::string text;
  std::shared_ptr<const gdl::Rules> rules;  // whatever could be understood
  gdl::Diagnostics diagnostics;             // of parser, normaliser and checker
  bool torn = false;                        // the text itself can't be read as a whole
};

/// Parses, normalises and checks a text.
Rulesheet read_rulesheet(std::string name, std::string text);

/// Why the game can't be played, as a sentence; nullopt: it can.
std::optional<std::string> why_not_played(const Rulesheet& sheet);

/// Why it can't be played where everybody sees all that happens; nullopt: it can.
std::optional<std::string> why_not_in_the_open(const Rulesheet& sheet);

/// `NAME:LINE:COLUMN: error: ...` of the first error, if there is one.
std::optional<std::string> first_error(const Rulesheet& sheet);

/// What is known of a rulesheet that was read, and, where it has no errors, what only grounding
/// shows: what could come to pass though `base` and `input` don't declare it. Takes two seconds at
/// most; what is not found by then is left out.
gdl::Diagnostics every_diagnostic(const Rulesheet& sheet);

}  // namespace ludens::server
