// SPDX-License-Identifier: MIT
// Which role puts a thing on the board, and which things are traces of others.
#include "server/board/findings.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace ludens::server {

namespace {

using gdl::Term;

/// What the fluent puts on the board, if its content consists of constants only.
std::optional<std::string> thing_put(const gdl::Rules& rules, const BoardLayout& layout,
                                     Term fluent) {
  if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound) return std::nullopt;
  const auto arguments = rules.terms.arguments(fluent);
  Fact fact{rules.symbols.folded(rules.terms.value(fluent)), {}};
  std::set<std::size_t> open;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const bool constant = rules.terms.kind(arguments[k]) == gdl::Terms::Kind::Constant;
    fact.arguments.push_back(constant ? rules.symbols.folded(rules.terms.value(arguments[k])) : "");
    if (!constant) open.insert(k);
  }
  for (const Placement& placement : layout.placements) {
    if (placement.name != fact.name || placement.arity != arguments.size()) continue;
    for (const std::size_t k : placement.content) {
      if (open.contains(k)) return std::nullopt;
    }
    return thing_name(placement, fact);
  }
  return std::nullopt;
}

/// The terms that name the square of a fluent; empty if it lies on none.
std::vector<Term> square_terms(const gdl::Rules& rules, const BoardLayout& layout, Term fluent) {
  std::vector<Term> terms;
  if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound) return terms;
  const auto arguments = rules.terms.arguments(fluent);
  const std::string& name = rules.symbols.folded(rules.terms.value(fluent));
  for (const Placement& placement : layout.placements) {
    if (placement.name != name || placement.arity != arguments.size()) continue;
    for (const std::size_t k : coordinates_of(placement)) terms.push_back(arguments[k]);
    break;
  }
  return terms;
}

/// True if the rule says what stays, not what is added.
bool was_there(const gdl::Rule& rule) {
  return std::any_of(rule.body.begin(), rule.body.end(), [&](const gdl::Literal& literal) {
    return literal.relation == gdl::kTrue && literal.arguments[0] == rule.arguments[0];
  });
}

}  // namespace

std::set<std::string> traces(const gdl::Rules& rules, const BoardLayout& layout) {
  std::set<std::string> found;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head != gdl::kNext) continue;
    const auto thing = thing_put(rules, layout, rule.arguments[0]);
    if (!thing || was_there(rule)) continue;
    const auto square = square_terms(rules, layout, rule.arguments[0]);
    for (const gdl::Literal& literal : rule.body) {
      if (literal.relation != gdl::kTrue || literal.kind != gdl::Literal::Kind::Positive) continue;
      if (!square.empty() && square_terms(rules, layout, literal.arguments[0]) == square) {
        found.insert(*thing);
      }
    }
  }
  return found;
}

std::map<std::string, std::string> owners_of_things(const gdl::Rules& rules,
                                                    const BoardLayout& layout) {
  std::map<std::string, std::set<std::string>> movers;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head != gdl::kNext) continue;
    const auto thing = thing_put(rules, layout, rule.arguments[0]);
    if (!thing || was_there(rule)) continue;
    for (const gdl::Literal& literal : rule.body) {
      if (literal.relation != gdl::kDoes || literal.kind != gdl::Literal::Kind::Positive) continue;
      const Term role = literal.arguments[0];
      const bool constant = rules.terms.kind(role) == gdl::Terms::Kind::Constant;
      movers[*thing].insert(constant ? rules.symbols.folded(rules.terms.value(role)) : "");
    }
  }
  std::map<std::string, std::string> owners;
  if (rules.roles.size() < 2) return owners;
  for (const auto& [thing, roles] : movers) {
    if (roles.size() == 1 && !roles.begin()->empty()) owners[thing] = *roles.begin();
  }
  return owners;
}

}  // namespace ludens::server
