// SPDX-License-Identifier: MIT
#include "gdl/hrf/builtins.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;
using Numbers = std::vector<double>;

/// A number as JavaScript writes it (ECMA-262, Number::toString): its digits, of which the first
/// has this power of ten.
std::string with_exponent(std::string digits, int exponent) {
  const auto count = static_cast<int>(digits.size());
  const int before = exponent + 1;  // digits before the decimal point
  if (before > 21 || before <= -6) {
    if (count > 1) digits.insert(1, ".");
    return digits + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
  }
  if (before <= 0) return "0." + std::string(static_cast<std::size_t>(-before), '0') + digits;
  if (before < count) return digits.insert(static_cast<std::size_t>(before), ".");
  return digits + std::string(static_cast<std::size_t>(before - count), '0');
}

std::optional<double> computed(std::string_view function, const Numbers& n) {
  double value = n[0];
  for (std::size_t i = 1; i < n.size(); ++i) {
    if (function == "plus") value += n[i];
    if (function == "minus") value -= n[i];
    if (function == "times") value *= n[i];
    if (function == "quotient") value /= n[i];
    if (function == "min") value = std::min(value, n[i]);
    if (function == "max") value = std::max(value, n[i]);
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Numbers> numbers(std::span<const Expression> terms) {
  Numbers all;
  for (const Expression& t : terms) {
    const auto n = t.kind == Kind::Constant ? number_of(t.name) : std::nullopt;
    if (!n) return std::nullopt;
    all.push_back(*n);
  }
  return all;
}

std::optional<Expression> evaluate(const Expression& term) {
  if (term.kind != Kind::Compound) return term;
  std::vector<Expression> arguments;
  for (const Expression& a : term.arguments) {
    auto value = evaluate(a);
    if (!value) return std::nullopt;
    arguments.push_back(*std::move(value));
  }
  if (builtin_kind(term.name) != BuiltinKind::Function) {
    return compound(term.name, std::move(arguments), term.where);
  }
  const auto operands = numbers(arguments);
  const auto value = operands ? computed(term.name, *operands) : std::nullopt;
  if (!value) return std::nullopt;
  return constant(number_text(*value), term.where);
}

}  // namespace

BuiltinKind builtin_kind(std::string_view name) {
  static const std::map<std::string_view, BuiltinKind> kinds{
      {"same", BuiltinKind::Structural},
      {"distinct", BuiltinKind::Structural},
      {"mutex", BuiltinKind::Structural},
      {kEqual, BuiltinKind::Structural},
      {kDiffer, BuiltinKind::Structural},
      {"leq", BuiltinKind::Test},
      {"less", BuiltinKind::Test},
      {"plus", BuiltinKind::Function},
      {"minus", BuiltinKind::Function},
      {"times", BuiltinKind::Function},
      {"quotient", BuiltinKind::Function},
      {"min", BuiltinKind::Function},
      {"max", BuiltinKind::Function},
      {"evaluate", BuiltinKind::Evaluate},
      {"countofall", BuiltinKind::Collection},
      {"setofall", BuiltinKind::Collection},
      {"if", BuiltinKind::Unknown}};
  const auto found = kinds.find(name);
  return found == kinds.end() ? BuiltinKind::None : found->second;
}

bool takes(std::string_view builtin, std::size_t arguments, std::string& what) {
  switch (builtin_kind(builtin)) {
    case BuiltinKind::Structural:
      what = builtin == "mutex" ? "two arguments or more" : "two arguments";
      return builtin == "mutex" ? arguments >= 2 : arguments == 2;
    case BuiltinKind::Test:
      what = "two numbers";
      return arguments == 2;
    case BuiltinKind::Function:
      what = "two numbers or more and their value";
      return arguments >= 3;
    case BuiltinKind::Evaluate:
      what = "a term and its value";
      return arguments == 2;
    case BuiltinKind::Collection:
      what = "a term, a condition and the result";
      return arguments == 3;
    case BuiltinKind::None:
    case BuiltinKind::Unknown:
      break;
  }
  return true;
}

std::string number_text(double value) {
  if (value == 0) return "0";
  char text[32];
  const auto written =
      std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::scientific);
  const std::string_view all(text, static_cast<std::size_t>(written.ptr - text));
  const std::size_t e = all.find('e');
  std::string digits(all.substr(0, 1));
  if (e > 2) digits += all.substr(2, e - 2);  // after the decimal point
  int exponent = 0;
  std::from_chars(all.data() + e + 2, all.data() + all.size(), exponent);
  if (all[e + 1] == '-') exponent = -exponent;
  return (value < 0 ? "-" : "") + with_exponent(std::move(digits), exponent);
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = end.ec == std::errc() && end.ptr == text.data() + text.size();
  if (!all || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool holds(const Expression& test) {
  const auto n = numbers(test.arguments);
  if (!n) return false;
  return test.name == "leq" ? (*n)[0] <= (*n)[1] : (*n)[0] < (*n)[1];
}

std::optional<Expression> value_of(const Expression& literal) {
  if (literal.name == "evaluate") return evaluate(literal.arguments[0]);
  std::vector<Expression> operands(literal.arguments.begin(), literal.arguments.end() - 1);
  return evaluate(compound(literal.name, std::move(operands), literal.where));
}

}  // namespace ludens::gdl::hrf
