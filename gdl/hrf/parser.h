// SPDX-License-Identifier: MIT
// HRF text to statements.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gdl/hrf/expression.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl::hrf {

/// Parentheses and negations that nest deeper are refused.
inline constexpr std::size_t kMostNested = 200;

struct Problem {
  Severity severity;
  const char* code;
  std::string text;
  std::uint32_t where;  // byte offset
};

struct ParsedStatements {
  std::vector<Statement> statements;  // whole ones before the first error
  std::vector<Problem> problems;      // an error, or none
};

/// Reads a whole text; stops at the first error. `%` comments out the rest of a line; commas may
/// separate statements, as in a start message.
ParsedStatements parse_statements(std::string_view text, const ParseLimits& limits = {});

/// Parses one ground term and nothing else, as people and pages write moves.
bool parse_term(std::string_view text, Expression& term);

/// See `gdl::is_hrf`.
bool looks_like_hrf(std::string_view text);

}  // namespace ludens::gdl::hrf
