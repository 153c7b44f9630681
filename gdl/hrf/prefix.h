// SPDX-License-Identifier: MIT
// What HRF becomes: rules of prefix GDL, over the same expressions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdl/hrf/expression.h"
#include "gdl/hrf/parser.h"

namespace ludens::gdl::hrf {

/// `(<= head body ...)`. And, Or and Not are connectives, everything else has its name in prefix
/// GDL.
struct PrefixRule {
  Expression head;
  std::vector<Expression> body;
  std::uint32_t where;  // of the statement it comes from
};

/// A count, which is in a body as `(name GROUP ... N)`: the number of rows of `rows`, (rows GROUP
/// ... ITEM ...), for each group. If it has a term, the list of that term's instances instead.
struct Count {
  std::string name, rows;
  std::size_t groups, items;  // columns
  std::uint32_t where;
  /// Its variables are those of `group_variable` and `item_variable`.
  std::optional<Expression> term = std::nullopt;
};

/// The variable of a column of groups or items, counted from 0.
inline std::string group_variable(std::size_t column) {
  return "G" + std::to_string(column + 1);
}
inline std::string item_variable(std::size_t column) {
  return "X" + std::to_string(column + 1);
}

/// What an HRF text has been translated to so far.
struct PrefixRules {
  std::vector<PrefixRule> rules;
  std::vector<Count> counts;
  Names builtins;  // relations of numbers that the rules use and nothing defines yet
  std::vector<Problem> problems;

  /// The count that a literal is of, or null.
  [[nodiscard]] const Count* find_count(const Expression& literal) const {
    const auto found = std::ranges::find(counts, literal.name, &Count::name);
    return is_atom(literal) && found != counts.end() ? &*found : nullptr;
  }
  void add(Expression head, std::vector<Expression> body, std::uint32_t where) {
    rules.push_back({std::move(head), std::move(body), where});
  }
  void report(Severity severity, const char* code, std::string text, std::uint32_t where) {
    problems.push_back({severity, code, std::move(text), where});
  }
};

}  // namespace ludens::gdl::hrf
