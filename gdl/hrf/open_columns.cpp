// SPDX-License-Identifier: MIT
// A pass over translated rules: binds variables that a view leaves to its callers.
#include "gdl/hrf/passes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
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
/// group. A relation binds nothing in an open column: it holds for whatever it is asked for there.
void add_bound(const PrefixRules& rules, const std::set<Column>& open, const Expression& e,
               Names& bound) {
  if (e.kind == Kind::And || e.kind == Kind::Or) {
    for (const Expression& a : e.arguments) add_bound(rules, open, a, bound);
  } else if (rules.find_count(e) != nullptr) {
    add_variables(e.arguments.back(), bound);
  } else if (is_atom(e) && e.name != "distinct") {
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
      if (!open.contains({signature(e), i})) add_variables(e.arguments[i], bound);
    }
  }
}

/// All that are open if these columns are.
std::vector<OpenArgument> open_arguments(const PrefixRules& rules, const std::set<Column>& open) {
  std::vector<OpenArgument> found;
  for (std::size_t r = 0; r < rules.rules.size(); ++r) {
    const PrefixRule& rule = rules.rules[r];
    if (is_reserved(fold_case(rule.head.name))) continue;
    Names bound;
    for (const Expression& l : rule.body) {
      if (l.kind != Kind::Not) add_bound(rules, open, l, bound);
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

Column column_of(const PrefixRules& rules, const OpenArgument& o) {
  return {signature(rules.rules[o.rule].head), o.column};
}

/// What can be asked for in each open column.
using Asked = std::map<Column, Domain>;

/// The open arguments, and those of rules that only pass on what they are asked for, as views of
/// views do. All their columns get an entry in `asked`.
std::vector<OpenArgument> with_passed_on(const PrefixRules& rules, std::vector<OpenArgument> open,
                                         Asked& asked) {
  for (std::set<Column> columns;; open = open_arguments(rules, columns)) {
    for (const OpenArgument& o : open) columns.insert(column_of(rules, o));
    if (columns.size() == asked.size()) return open;
    for (const Column& column : columns) asked.try_emplace(column);
  }
}

/// Adds what a rule asks for, and the groups with rows that a count finds by itself there. A
/// variable that the rule leaves open itself is what the rule is asked for. True if anything was
/// new.
bool ask(const PrefixRules& rules, std::size_t number, const std::vector<OpenArgument>& open,
         Domains& domains, Asked& asked) {
  const PrefixRule& rule = rules.rules[number];
  Bindings bindings;
  if (!domains.bindings(rule, bindings)) return false;
  bool grown = false;
  for (const OpenArgument& o : open) {
    if (o.rule != number) continue;
    const Expression& variable = rule.head.arguments[o.column];
    Domain& of_head = asked.at(column_of(rules, o));
    grown = of_head.add(domains.domain_of(variable, bindings)) || grown;
    if (!of_head.empty()) bindings[variable.name].add(of_head);
  }
  for (const Expression& literal : rule.body) {
    for_each_sentence(literal, [&](const Expression& call) {
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const auto found = asked.find({signature(call), i});
        if (found == asked.end()) continue;
        grown = found->second.add(domains.domain_of(call.arguments[i], bindings)) || grown;
      }
    });
  }
  return grown;
}

}  // namespace

void bind_open_columns(Sheet& sheet, PrefixRules& rules) {
  const std::vector<OpenArgument> open = open_arguments(rules, {});
  if (open.empty()) return;
  Asked asked;
  const std::vector<OpenArgument> all = with_passed_on(rules, open, asked);
  Domains domains(rules);
  for (const auto& [column, terms] : asked) domains.leave_open(column.first, column.second);
  if (!domains.find()) return;
  // From column to column, each once: terms that grow on their way would have no end.
  bool grown = true;
  for (std::size_t round = 0; grown && round <= asked.size(); ++round) {
    grown = false;
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
      grown = ask(rules, r, all, domains, asked) || grown;
    }
  }
  std::map<Column, std::string> relations;
  for (const OpenArgument& o : open) relations.try_emplace(column_of(rules, o));
  for (auto& [column, relation] : relations) {
    std::vector<Expression> terms;
    if (!asked.at(column).list(domains.names(), terms, kMostTerms) || terms.empty())
      continue;  // the checker reports it
    relation = sheet.fresh("asked_" + column.first.name);
    for (Expression& term : terms) rules.add(compound(relation, {std::move(term)}, 0), {}, 0);
  }
  for (const OpenArgument& o : open) {
    PrefixRule& rule = rules.rules[o.rule];
    const std::string& relation = relations.at(column_of(rules, o));
    if (relation.empty()) continue;
    rule.body.push_back(compound(relation, {rule.head.arguments[o.column]}, rule.where));
  }
}

}  // namespace ludens::gdl::hrf
