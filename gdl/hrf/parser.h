// SPDX-License-Identifier: MIT
// Infix text to statements.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gdl/hrf/dialect.h"
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
  std::vector<Problem> problems;      // an error, or none, and notes
  Names declared;  // names in directives of Prolog, which say how it is to evaluate relations
};

/// Reads a whole text of an infix dialect; stops at the first error. `%` comments out the rest of a
/// line. In Prolog, commas join conditions; elsewhere, they may separate statements, as in a start
/// message.
ParsedStatements parse_statements(std::string_view text, Dialect dialect = Dialect::Hrf,
                                  const ParseLimits& limits = {});

/// Parses one ground term and nothing else, as people and pages write moves.
bool parse_term(std::string_view text, Expression& term);

}  // namespace ludens::gdl::hrf
