// SPDX-License-Identifier: MIT
// A rulesheet as read, with everything that can be said about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/hrf/dialect.h"
#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/error.h"

namespace ludens::server {

struct Rulesheet {
  std::string name;  // of the file, without folder and extension
  std::string file;  // its name for people; empty if the text came from elsewhere
  std::string text;
  gdl::Dialect dialect = gdl::Dialect::Prefix;  // that of the text
  std::shared_ptr<const gdl::Rules> rules;      // whatever could be understood
  gdl::Diagnostics diagnostics;                 // of parser, normaliser and checker
  bool torn = false;                            // the text itself can't be read completely
};

/// Parses, normalises and checks a text, as far as it gets until `stop`, which may be null.
Rulesheet read_rulesheet(std::string name, std::string text, const gdl::StopSignal* stop = nullptr);

/// Why the game can't be played, as a sentence; nullopt: it can.
std::optional<std::string> why_not_played(const Rulesheet& sheet);

/// Why it can't be played with perfect information; nullopt: it can.
std::optional<std::string> why_not_in_the_open(const Rulesheet& sheet);

/// `NAME:LINE:COLUMN: error: ...` of the first error, if there is one.
std::optional<std::string> first_error(const Rulesheet& sheet);

/// All diagnostics of a rulesheet that was read. If it has no errors, these include what only
/// grounding shows: what could happen although `base` and `input` don't declare it; and what a few
/// random matches show (`random_plays.h`). Takes at most two seconds; what is not found by then
/// is omitted.
gdl::Diagnostics every_diagnostic(const Rulesheet& sheet);

}  // namespace ludens::server
