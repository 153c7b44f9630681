// SPDX-License-Identifier: MIT
// The relations that HRF knows without rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gdl/hrf/expression.h"

namespace ludens::gdl::hrf {

enum class BuiltinKind : std::uint8_t {
  None,
  Structural,  // same, distinct, mutex: of any terms
  Test,        // leq, less: of numbers
  Function,    // plus, minus, ...: of numbers, the last argument is the value
  Evaluate,    // evaluate(term, value)
  Collection,  // countofall, setofall
  Unknown      // known to the language and not read
};

BuiltinKind builtin_kind(std::string_view name);

/// Whether the builtin takes this many arguments; `what` receives the number that it should have.
bool takes(std::string_view builtin, std::size_t arguments, std::string& what);

/// A number as a constant is spelled, as the venue's reasoner writes it.
std::string number_text(double value);
std::optional<double> number_of(std::string_view text);

/// Whether a test holds, with ground arguments.
bool holds(const Expression& test);
/// The value of a function of numbers applied to all arguments but the last, or that of the first
/// argument of `evaluate`; nullopt if there is none.
std::optional<Expression> value_of(const Expression& literal);

}  // namespace ludens::gdl::hrf
