// SPDX-License-Identifier: MIT
#include "gdl/hrf/domains.h"

#include <algorithm>
#include <utility>

#include "gdl/hrf/builtins.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;
using Terms = std::map<std::string, Expression>;
using Constants = boost::container::flat_set<ConstantId>;

const Signature kTrue{"true", 1}, kBase{"base", 1};
/// Terms that nest deeper are taken to grow without end.
constexpr std::size_t kDeepest = 16;
/// Builtins are evaluated at most this often until nothing changes.
constexpr std::size_t kMostEvaluated = 100'000;

/// The values that a single variable has gained; false if anything else has changed, too.
bool difference(const Bindings& now, const Bindings& before, Bindings& added) {
  if (now.size() != 1 || before.size() != 1) return false;
  const auto& [variable, terms] = *now.begin();
  const Domain& old = before.begin()->second;
  if (!terms.compounds.empty() || !old.compounds.empty()) return false;
  if (!std::ranges::includes(terms.constants, old.constants)) return false;
  Constants& fresh = added[variable].constants;
  std::ranges::set_difference(terms.constants, old.constants, std::inserter(fresh, fresh.end()));
  return true;
}

}  // namespace

ConstantId ConstantTable::number(const std::string& name) {
  const auto [entry, is_new] = ids_.try_emplace(name, static_cast<ConstantId>(names_.size()));
  if (is_new) names_.push_back(&entry->first);
  return entry->second;
}

std::optional<ConstantId> ConstantTable::find(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

bool Domain::add(const Domain& more) {
  bool grown = !std::ranges::includes(constants, more.constants);
  if (grown) {
    constants.insert(boost::container::ordered_unique_range, more.constants.begin(),
                     more.constants.end());
  }
  for (const auto& [name, arguments] : more.compounds) {
    auto& own = compounds[name];
    own.resize(name.arity);
    for (std::size_t i = 0; i < arguments.size(); ++i) grown = own[i].add(arguments[i]) || grown;
  }
  return grown;
}

std::size_t Domain::depth() const {
  std::size_t deepest = 0;
  for (const auto& [name, arguments] : compounds) {
    for (const Domain& a : arguments) deepest = std::max(deepest, 1 + a.depth());
  }
  return deepest;
}

Domain Domain::both(const Domain& other) const {
  Domain result;
  std::ranges::set_intersection(constants, other.constants,
                                std::inserter(result.constants, result.constants.end()));
  for (const auto& [name, arguments] : compounds) {
    const auto found = other.compounds.find(name);
    if (found == other.compounds.end()) continue;
    std::vector<Domain> common;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      common.push_back(arguments[i].both(found->second[i]));
    }
    if (std::ranges::none_of(common, &Domain::empty)) result.compounds[name] = std::move(common);
  }
  return result;
}

bool Domain::list(const ConstantTable& names, std::vector<Expression>& terms,
                  std::size_t most) const {
  if (terms.size() + constants.size() > most) return false;
  std::vector<std::string> sorted;
  for (const ConstantId id : constants) sorted.push_back(names.name(id));
  std::ranges::sort(sorted);
  for (const std::string& c : sorted) terms.push_back(constant(c, 0));
  for (const auto& [name, arguments] : compounds) {
    std::vector<std::vector<Expression>> rows{{}};
    for (const Domain& argument : arguments) {
      std::vector<Expression> values;
      if (!argument.list(names, values, most) || rows.size() * values.size() > most) return false;
      std::vector<std::vector<Expression>> longer;
      for (const auto& row : rows) {
        for (const Expression& value : values) {
          longer.push_back(row);
          longer.back().push_back(value);
        }
      }
      rows = std::move(longer);
    }
    if (terms.size() + rows.size() > most) return false;
    for (auto& row : rows) terms.push_back(compound(name.name, std::move(row), 0));
  }
  return true;
}

bool assignments(const ConstantTable& names, const Names& variables, const Bindings& bindings,
                 std::size_t most, std::vector<Terms>& out) {
  out.assign(1, {});
  for (const std::string& v : variables) {
    std::vector<Expression> values;
    const auto domain = bindings.find(v);
    if (domain != bindings.end() && !domain->second.list(names, values, most)) return false;
    if (out.size() * values.size() > most) return false;
    std::vector<Terms> longer;
    for (const Terms& terms : out) {
      for (const Expression& value : values) {
        longer.push_back(terms);
        longer.back().emplace(v, value);
      }
    }
    out = std::move(longer);
  }
  return true;
}

Expression substitute(const Expression& e, const Terms& terms) {
  if (e.kind == Kind::Variable) {
    const auto found = terms.find(e.name);
    return found == terms.end() ? e : found->second;
  }
  Expression result = e;
  for (Expression& a : result.arguments) a = substitute(a, terms);
  return result;
}

std::vector<Domain>& Domains::of(const Signature& relation) {
  auto& columns = relations_[relation];
  columns.resize(relation.arity);
  return columns;
}

std::vector<Domain>& Domains::groups(const Count& count) {
  auto& columns = groups_[count.name];
  columns.resize(count.groups);
  return columns;
}

bool Domains::find() {
  for (const PrefixRule& rule : rules_.rules) derive(rule);
  of(kTrue)[0].add(of(kBase)[0]);
  bool grown = true;
  while (grown && !endless_) {
    grown = false;
    for (const PrefixRule& rule : rules_.rules) {
      if (!rule.body.empty()) grown = derive(rule) || grown;
    }
  }
  return !endless_;
}

bool Domains::derive(const PrefixRule& rule) {
  Bindings found;
  if (!bindings(rule, found)) return false;
  const std::string& name = rule.head.name;
  const bool fluent = (name == "init" || name == "next") && rule.head.arguments.size() == 1;
  auto& columns = of(fluent ? kTrue : signature(rule.head));
  bool grown = false;
  for (std::size_t i = 0; i < rule.head.arguments.size(); ++i) {
    Domain terms = domain_of(rule.head.arguments[i], found);
    if (terms.depth() > kDeepest) {
      report_endless(rule.head);
      return false;
    }
    const bool sums = name == "next" && std::ranges::any_of(variables_of(rule.head), [&](auto& v) {
                        return made_.contains(v);
                      });
    const Domain declared = sums ? terms.both(of(kBase)[0]) : Domain{};
    if (!declared.empty()) terms = declared;
    grown = columns[i].add(terms) || grown;
  }
  if (name == "legal" && rule.head.arguments.size() == 2) {
    auto& done = of({"does", 2});
    for (std::size_t i = 0; i < 2; ++i) grown = done[i].add(of({"legal", 2})[i]) || grown;
  }
  return grown;
}

bool Domains::has_open_columns(const Expression& literal) const {
  const Signature relation = signature(literal);
  const auto first = open_.lower_bound({relation, 0});
  return first != open_.end() && first->first == relation;
}

/// Counts and open columns are asked for what all other conditions leave, wherever they stand in
/// the body.
bool Domains::bindings(const PrefixRule& rule, Bindings& out) {
  made_.clear();
  std::vector<const Expression*> counts;
  bool asks = false;
  if (!rules_.counts.empty() || !open_.empty()) {
    for (const Expression& literal : rule.body) {
      for_each_sentence(literal, [&](const Expression& atom) {
        if (rules_.find_count(atom) != nullptr) counts.push_back(&atom);
        asks = asks || has_open_columns(atom);
      });
    }
  }
  const auto bound = [&](const Expression& l) { return bind(l, out); };
  const auto bound_if_plain = [&](const Expression& l) {
    const bool plain = is_atom(l) && !rules_.builtins.contains(l.name) &&
                       rules_.find_count(l) == nullptr && !has_open_columns(l);
    return !plain || bound(l);
  };
  asks = asks || !counts.empty();
  if (asks && !std::ranges::all_of(rule.body, bound_if_plain)) return false;
  if (!std::ranges::all_of(rule.body, bound)) return false;
  for (const Expression* atom : counts) ask(*rules_.find_count(*atom), *atom, out);
  return true;
}

bool Domains::bind(const Expression& literal, Bindings& out) {
  if (literal.kind == Kind::Not) return true;
  if (literal.kind == Kind::Or) return bind_any(literal, out);
  if (literal.kind == Kind::And) {
    return std::ranges::all_of(literal.arguments, [&](const auto& l) { return bind(l, out); });
  }
  if (literal.name == "distinct") return true;
  if (rules_.builtins.contains(literal.name)) return bind_builtin(literal, out);
  if (const Count* count = rules_.find_count(literal)) return bind_count(*count, literal, out);
  const auto& columns = of(signature(literal));
  if (literal.arguments.empty()) return true;
  for (std::size_t i = 0; i < literal.arguments.size(); ++i) {
    if (open_.contains({signature(literal), i})) {
      const Expression& a = literal.arguments[i];
      // If the caller binds nothing here, it finds the terms that the relation's own rules bind.
      if (a.kind == Kind::Variable && !columns[i].empty()) out.try_emplace(a.name, columns[i]);
      continue;
    }
    if (!bind_term(literal.arguments[i], columns[i], out)) return false;
  }
  return true;
}

bool Domains::bind_any(const Expression& alternatives, Bindings& out) {
  Bindings all;
  bool any = false;
  for (const Expression& way : alternatives.arguments) {
    Bindings one = out;
    if (!bind(way, one)) continue;
    any = true;
    for (const auto& [variable, domain] : one) all[variable].add(domain);
  }
  out = std::move(all);
  return any;
}

bool Domains::restrict(const std::string& variable, const Domain& domain, Bindings& out) {
  const auto [entry, is_new] = out.try_emplace(variable, domain);
  if (!is_new) entry->second = entry->second.both(domain);
  return !entry->second.empty();
}

bool Domains::bind_term(const Expression& pattern, const Domain& domain, Bindings& out) {
  if (pattern.kind == Kind::Variable) return restrict(pattern.name, domain, out);
  if (pattern.kind == Kind::Constant) {
    const auto id = names_.find(pattern.name);
    return id && domain.constants.contains(*id);
  }
  const auto found = domain.compounds.find(signature(pattern));
  if (found == domain.compounds.end()) return false;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    if (!bind_term(pattern.arguments[i], found->second[i], out)) return false;
  }
  return true;
}

/// What a builtin makes of all that its variables can be.
bool Domains::bind_builtin(const Expression& literal, Bindings& out) {
  if (builtin_kind(literal.name) == BuiltinKind::Test) return true;
  const Expression& value = literal.arguments.back();
  Evaluated& known = evaluated_of_[&literal];
  if (!evaluate(literal, out, known) || known.values.constants.size() > kMostTerms) {
    report_endless(literal);
    return false;
  }
  if (value.kind == Kind::Variable && !out.contains(value.name)) made_.insert(value.name);
  return bind_term(value, known.values, out);
}

/// The results of a builtin for all values that its variables can have. If only one variable
/// changed, only its new values are evaluated, because a number that counts has one more value each
/// time.
bool Domains::evaluate(const Expression& literal, const Bindings& bound, Evaluated& known) {
  Expression inputs = literal;
  inputs.arguments.pop_back();
  const Names variables = variables_of(inputs);
  Bindings now, added;
  for (const std::string& v : variables) {
    if (const auto domain = bound.find(v); domain != bound.end()) now.insert(*domain);
  }
  if (known.inputs == now && !now.empty()) return true;
  if (!difference(now, known.inputs, added)) {
    known.values = {};
    added = now;
  }
  std::vector<Terms> all;
  if (!assignments(names_, variables, added, kMostRows, all)) return false;
  evaluated_ += all.size();
  if (evaluated_ > kMostEvaluated) return false;
  for (const Terms& terms : all) {
    if (const auto v = value_of(substitute(literal, terms))) known.values.add(domain_of(*v, {}));
  }
  known.inputs = std::move(now);
  return true;
}

/// Adds the groups that a count is asked for: where nothing binds them, those that have rows.
void Domains::ask(const Count& count, const Expression& literal, const Bindings& bound) {
  const auto& rows = of({count.rows, count.groups + count.items});
  auto& of_groups = groups(count);
  for (std::size_t i = 0; i < count.groups; ++i) {
    const auto found = bound.find(literal.arguments[i].name);
    of_groups[i].add(found == bound.end() ? rows[i] : found->second);
  }
}

bool Domains::bind_count(const Count& count, const Expression& literal, Bindings& out) {
  ask(count, literal, out);
  const auto& rows = of({count.rows, count.groups + count.items});
  for (std::size_t i = 0; i < count.groups; ++i) {
    const std::string& variable = literal.arguments[i].name;
    if (!out.contains(variable) && !restrict(variable, rows[i], out)) return false;
  }
  std::size_t most = 1;
  for (std::size_t i = count.groups; i < rows.size(); ++i) {
    std::vector<Expression> terms;
    if (!rows[i].list(names_, terms, kMostTerms)) return false;
    most = std::min(most * terms.size(), kMostTerms);
  }
  const Domain results = count.term ? lists_of(count, most) : numbers_up_to(most);
  return bind_term(literal.arguments.back(), results, out);
}

/// The lists of at most this many terms.
Domain Domains::lists_of(const Count& count, std::size_t most) {
  const auto& rows = of({count.rows, count.groups + count.items});
  Bindings columns;
  for (std::size_t i = 0; i < count.groups; ++i) {
    columns[group_variable(i)] = groups(count)[i];
  }
  for (std::size_t i = 0; i < count.items; ++i) columns[item_variable(i)] = rows[count.groups + i];
  const Domain terms = domain_of(*count.term, columns);
  const Domain empty = domain_of(empty_list(0), {});
  Domain lists = empty;
  for (std::size_t i = 0; i < std::min(most, kMostInSet) && !terms.empty(); ++i) {
    Domain longer = empty;
    longer.compounds[{"cons", 2}] = {terms, std::move(lists)};
    lists = std::move(longer);
  }
  return lists;
}

Domain Domains::numbers_up_to(std::size_t most) {
  while (numbers_.size() <= most)
    numbers_.push_back(names_.number(std::to_string(numbers_.size())));
  Domain result;
  result.constants.insert(numbers_.begin(),
                          numbers_.begin() + static_cast<std::ptrdiff_t>(most) + 1);
  return result;
}

Domain Domains::domain_of(const Expression& term, const Bindings& bindings) {
  Domain result;
  if (term.kind == Kind::Variable) {
    const auto found = bindings.find(term.name);
    return found == bindings.end() ? result : found->second;
  }
  if (term.kind == Kind::Constant) {
    result.constants.insert(names_.number(term.name));
    return result;
  }
  std::vector<Domain> arguments;
  for (const Expression& a : term.arguments) arguments.push_back(domain_of(a, bindings));
  if (std::ranges::none_of(arguments, &Domain::empty)) {
    result.compounds[signature(term)] = std::move(arguments);
  }
  return result;
}

void Domains::report_endless(const Expression& literal) {
  endless_ = true;
  rules_.report(Severity::Error, "endless-numbers",
                "the terms of '" + print(literal) + "' have no end, or are more than " +
                    std::to_string(kMostTerms) +
                    ": say with 'base' which of them the fluents can have",
                literal.where);
}

}  // namespace ludens::gdl::hrf
