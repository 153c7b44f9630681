// SPDX-License-Identifier: MIT
// Which terms variables can stand for, read off the heads of rules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/expression.h"

namespace ludens::gdl::hrf {

/// A term of a rule; anything with a head and a body is a rule.
template <class Rule>
struct TermOfRule {
  const Rule* rule;
  const Expression* term;
};

/// Adds what the terms can be: themselves, or, for a variable, the terms at its place in the heads
/// of what binds it. `binding(literal)` has the rules with these heads; none if the literal binds
/// nothing. False if it is unknown what some term can be.
template <class Rule, class Binding>
bool add_forms(std::vector<TermOfRule<Rule>> open, const Binding& binding,
               std::set<Signature>& forms) {
  std::set<std::pair<const Rule*, std::string>> seen;  // variables
  bool known = true;
  while (!open.empty()) {
    const auto [rule, term] = open.back();
    open.pop_back();
    if (is_atom(*term)) {
      forms.insert(signature(*term));
      continue;
    }
    if (!seen.insert({rule, term->name}).second) continue;
    const auto binds = [&, term = term](const Expression& literal) {
      return std::ranges::count(literal.arguments, *term) > 0 && !binding(literal).empty();
    };
    const auto by = std::ranges::find_if(rule->body, binds);
    if (term->kind != Expression::Kind::Variable || by == rule->body.end()) {
      known = false;
      continue;
    }
    const auto place = std::ranges::find(by->arguments, *term) - by->arguments.begin();
    for (const Rule* of : binding(*by)) {
      open.push_back({of, &of->head.arguments[static_cast<std::size_t>(place)]});
    }
  }
  return known;
}

}  // namespace ludens::gdl::hrf
