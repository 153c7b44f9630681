// SPDX-License-Identifier: MIT
// A pass over translated rules: binds variables that a view leaves to its callers.
#include "gdl/hrf/passes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/domains.h"
#include "gdl/text/keywords.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;
using Column = std::pair<Signature, std::size_t>;

/// An argument of a head that is a variable which no condition of the rule binds.
struct OpenArgument {
  std::size_t rule;
  std::size_t column;
};

/// Adds what a condition binds. A count binds its result only: there is a count, 0 perhaps, for any
/// group.
void add_bound(const PrefixRules& rules, const Expression& e, Names& bound) {
  if (e.kind == Kind::And || e.kind == Kind::Or) {
    for (const Expression& a : e.arguments) add_bound(rules, a, bound);
  } else if (rules.find_count(e) != nullptr) {
    add_variables(e.arguments.back(), bound);
  } else if (is_atom(e) && e.name != "distinct") {
    add_variables(e, bound);
  }
}

std::vector<OpenArgument> open_arguments(const PrefixRules& rules) {
  std::vector<OpenArgument> found;
  for (std::size_t r = 0; r < rules.rules.size(); ++r) {
    const PrefixRule& rule = rules.rules[r];
    if (is_reserved(fold_case(rule.head.name))) continue;
    Names bound;
    for (const Expression& l : rule.body) {
      if (l.kind != Kind::Not) add_bound(rules, l, bound);
    }
    for (std::size_t i = 0; i < rule.head.arguments.size(); ++i) {
      const Expression& a = rule.head.arguments[i];
      const bool equated = std::ranges::any_of(rule.body, [&](const Expression& l) {
        return l.kind == Kind::Not && l.arguments[0].name == "distinct" &&
               variables_of(l).contains(a.name);
      });
      if (a.kind == Kind::Variable && !equated && !bound.contains(a.name)) found.push_back({r, i});
    }
  }
  return found;
}

/// What all rules together can ask for in a column, and the groups with rows that a count finds by
/// itself there.
Domain asked_for(const PrefixRules& rules, const std::vector<OpenArgument>& open, Domains& domains,
                 const Column& column) {
  Domain asked;
  for (const OpenArgument& o : open) {
    const PrefixRule& rule = rules.rules[o.rule];
    if (Column{signature(rule.head), o.column} != column) continue;
    Bindings bindings;
    if (!domains.bindings(rule, bindings)) continue;
    asked.add(domains.domain_of(rule.head.arguments[o.column], bindings));
  }
  for (const PrefixRule& rule : rules.rules) {
    Bindings bindings;
    bool known = false;
    for (const Expression& literal : rule.body) {
      for_each_sentence(literal, [&](const Expression& call) {
        if (signature(call) != column.first) return;
        if (!known) known = domains.bindings(rule, bindings);
        if (known) asked.add(domains.domain_of(call.arguments[column.second], bindings));
      });
    }
  }
  return asked;
}

}  // namespace

void bind_open_columns(Sheet& sheet, PrefixRules& rules) {
  const std::vector<OpenArgument> open = open_arguments(rules);
  if (open.empty()) return;
  Domains domains(rules);
  std::map<Column, std::string> relations;
  for (const OpenArgument& o : open) {
    const Column column{signature(rules.rules[o.rule].head), o.column};
    domains.leave_open(column.first, column.second);
    relations.try_emplace(column);
  }
  if (!domains.find()) return;
  for (auto& [column, relation] : relations) {
    std::vector<Expression> terms;
    const Domain asked = asked_for(rules, open, domains, column);
    if (!asked.list(domains.names(), terms, kMostTerms) || terms.empty())
      continue;  // the checker reports it
    relation = sheet.fresh("asked_" + column.first.name);
    for (Expression& term : terms) rules.add(compound(relation, {std::move(term)}, 0), {}, 0);
  }
  for (const OpenArgument& o : open) {
    PrefixRule& rule = rules.rules[o.rule];
    const std::string& relation = relations.at({signature(rule.head), o.column});
    if (relation.empty()) continue;
    rule.body.push_back(compound(relation, {rule.head.arguments[o.column]}, rule.where));
  }
}

}  // namespace ludens::gdl::hrf
