// SPDX-License-Identifier: MIT
#include "gdl/hrf/conditions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

std::size_t uses(const std::string& variable, const Expression& e) {
  std::size_t count = e.kind == Kind::Variable && e.name == variable ? 1 : 0;
  for (const Expression& a : e.arguments) count += uses(variable, a);
  return count;
}

Expression connective(Kind kind, std::vector<Expression> parts, std::uint32_t where) {
  if (parts.size() == 1) return std::move(parts.front());
  return {kind, {}, std::move(parts), where};
}

Expression distinct(const Expression& a, const Expression& b, std::uint32_t where) {
  return compound("distinct", {a, b}, where);
}

/// The term of a set, with the names of its columns.
Expression with_columns(Expression term, const Names& groups, const Names& items) {
  if (term.kind == Kind::Variable) {
    const auto place = [&](const Names& names) {
      return static_cast<std::size_t>(std::distance(names.begin(), names.find(term.name)));
    };
    term.name =
        groups.contains(term.name) ? group_variable(place(groups)) : item_variable(place(items));
  }
  for (Expression& a : term.arguments) a = with_columns(std::move(a), groups, items);
  return term;
}

std::vector<Expression> as_variables(const Names& names, std::uint32_t where) {
  std::vector<Expression> list;
  for (const std::string& name : names) list.push_back(variable(name, where));
  return list;
}

std::string unbound_in_builtin(const std::string& variable, const Expression& builtin) {
  const std::string text = print(builtin);
  return "'" + variable + "' in '" + text + "' is never bound: give the relation that it is " +
         "taken from, as in number(" + variable + ") & " + text;
}

std::string unbound_in_negation(const std::string& variable, const Expression& negated) {
  return "'" + variable + "' is bound by no condition, so '~" + print(negated) +
         "' says nothing of the '" + variable + "' of the head: give the relation that it is " +
         "taken from; prefix GDL calls the rule unsafe";
}

}  // namespace

std::optional<std::vector<Expression>> Conditions::translate(const std::vector<Expression>& body,
                                                             const std::vector<Expression>& head,
                                                             const std::vector<Expression>& given) {
  body_ = &body;
  head_ = &head;
  bound_.clear();
  failed_ = false;
  for (const Expression& e : given) add_variables(e, bound_);
  // `same` passes on what others bind.
  for (std::size_t before = bound_.size() + 1; before != bound_.size();) {
    before = bound_.size();
    for (const Expression& e : body) find_bound(e);
  }
  try {
    Body result = conjunction(body);
    if (!failed_) return result;
  } catch (const Impossible&) {  // reported where it was found
  }
  return std::nullopt;
}

BuiltinKind Conditions::kind(const Expression& atom) const {
  if (sheet_.defines_name(atom.name)) return BuiltinKind::None;
  return builtin_kind(atom.name);
}

void Conditions::find_bound(const Expression& e) {
  if (e.kind == Kind::And || e.kind == Kind::Or) {
    for (const Expression& part : e.arguments) find_bound(part);
  } else if (is_atom(e)) {
    bind_by_atom(e);
  }
}

void Conditions::bind_by_atom(const Expression& atom) {
  switch (kind(atom)) {
    case BuiltinKind::None:
      return add_variables(atom, bound_);
    case BuiltinKind::Function:
    case BuiltinKind::Evaluate:
      if (!atom.arguments.empty()) add_variables(atom.arguments.back(), bound_);
      return;
    case BuiltinKind::Collection:
      // A variable that occurs elsewhere, too, is bound here: there is a count for each of its
      // values.
      for (const std::string& v : variables_of(atom)) {
        if (uses_outside(v, atom) > 0) bound_.insert(v);
      }
      return;
    case BuiltinKind::Structural:
      if (atom.name == "same" && atom.arguments.size() == 2) {
        const Names a = variables_of(atom.arguments[0]), b = variables_of(atom.arguments[1]);
        if (std::ranges::includes(bound_, a)) bound_.insert(b.begin(), b.end());
        if (std::ranges::includes(bound_, b)) bound_.insert(a.begin(), a.end());
      }
      return;
    case BuiltinKind::Test:
    case BuiltinKind::Unknown:
      return;
  }
}

std::size_t Conditions::uses_outside(const std::string& variable, const Expression& e) const {
  std::size_t all = 0;
  for (const Expression& part : *body_) all += uses(variable, part);
  for (const Expression& part : *head_) all += uses(variable, part);
  return all - uses(variable, e);
}

Conditions::Body Conditions::conjunction(const std::vector<Expression>& parts) {
  Body all;
  for (const Expression& part : parts) {
    for (Expression& literal : condition(part)) all.push_back(std::move(literal));
  }
  return all;
}

Conditions::Body Conditions::condition(const Expression& e) {
  switch (e.kind) {
    case Kind::And:
      return conjunction(e.arguments);
    case Kind::Or:
      return alternatives(e);
    case Kind::Not:
      return negated(e.arguments[0]);
    case Kind::Variable:
      out_.report(Severity::Warning, "variable-condition",
                  "the variable '" + e.name + "' is no condition: this never holds", e.where);
      throw Impossible();
    case Kind::Constant:
    case Kind::Compound:
      break;
  }
  return atom(e);
}

Conditions::Body Conditions::alternatives(const Expression& e) {
  Body ways;
  for (const Expression& part : e.arguments) {
    try {
      Body way = condition(part);
      if (way.empty()) return {};  // this one always holds
      ways.push_back(connective(Kind::And, std::move(way), part.where));
    } catch (const Impossible&) {  // one way fewer
    }
  }
  if (ways.empty()) throw Impossible();
  return {connective(Kind::Or, std::move(ways), e.where)};
}

Conditions::Body Conditions::atom(const Expression& e) {
  if (e == constant("true", 0)) return {};
  if (e == constant("false", 0)) throw Impossible();
  if (kind(e) != BuiltinKind::None) return builtin(e);
  return {sentence(e)};
}

Expression Conditions::sentence(const Expression& atom) {
  const Signature s = signature(atom);
  if (s == Signature{"legal", 1}) return compound(names_.can_move, atom.arguments, atom.where);
  if (s == Signature{"goal", 2}) return compound(names_.reward, atom.arguments, atom.where);
  if (is_keyword(s)) return atom;
  if (!sheet_.is_view(s) && sheet_.is_fluent(s)) return compound("true", {atom}, atom.where);
  Expression result = atom;
  result.name = sheet_.relation(s);
  return result;
}

Conditions::Body Conditions::builtin(const Expression& e) {
  std::string what;
  if (!takes(e.name, e.arguments.size(), what)) {
    out_.report(Severity::Error, "builtin-arguments", "'" + e.name + "' takes " + what, e.where);
    throw Impossible();
  }
  switch (kind(e)) {
    case BuiltinKind::Structural:
      return structural(e, false);
    case BuiltinKind::Test:
    case BuiltinKind::Function:
    case BuiltinKind::Evaluate:
      return number_relation(e);
    case BuiltinKind::Collection:
      return collection(e);
    case BuiltinKind::Unknown:
    case BuiltinKind::None:
      break;
  }
  out_.report(Severity::Error, "builtin-not-read",
              "'" + e.name + "' is not read; say it by rules of your own", e.where);
  throw Impossible();
}

/// `mutex` is `distinct` of each two.
Conditions::Body Conditions::structural(const Expression& e, bool negated) {
  const bool equal = (e.name == "same") != negated;
  Body all;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    for (std::size_t k = i + 1; k < e.arguments.size(); ++k) {
      Expression differ = distinct(e.arguments[i], e.arguments[k], e.where);
      all.push_back(equal ? negation(std::move(differ)) : std::move(differ));
    }
  }
  if (!negated) return all;
  return {connective(Kind::Or, std::move(all), e.where)};
}

void Conditions::require_bound(const Expression& e, const Expression& in) {
  for (const std::string& v : variables_of(e)) {
    if (bound_.contains(v)) continue;
    out_.report(Severity::Error, "unbound-builtin", unbound_in_builtin(v, in), in.where);
    failed_ = true;
  }
}

Conditions::Body Conditions::number_relation(const Expression& e) {
  const bool test = kind(e) == BuiltinKind::Test;
  const Expression& first = e.arguments[0];
  const bool counts = e.name == "evaluate" && is_atom(first) &&
                      kind(first) == BuiltinKind::Collection && first.arguments.size() == 2;
  if (counts) {
    Expression literal = first;
    literal.arguments.push_back(e.arguments[1]);
    return collection(literal);
  }
  for (std::size_t i = 0; i + (test ? 0 : 1) < e.arguments.size(); ++i) {
    require_bound(e.arguments[i], e);
  }
  out_.builtins.insert(e.name);
  return {e};
}

/// The rows that are counted, or listed, are a relation of their own: the variables that the rest
/// of the rule knows, then those of the term.
Conditions::Body Conditions::collection(const Expression& e) {
  const Expression &term = e.arguments[0], &inner = e.arguments[1], &number = e.arguments[2];
  Names groups, items;
  for (const std::string& v : variables_of(e)) {
    const bool in_number = uses(v, number) > 0;
    const bool inside = uses(v, term) + uses(v, inner) > 0;
    if (inside && (in_number || uses_outside(v, e) > 0)) groups.insert(v);
  }
  for (const std::string& v : variables_of(term)) {
    if (!groups.contains(v)) items.insert(v);
  }
  Count count{sheet_.fresh("count"), sheet_.fresh("counted"), groups.size(), items.size(), e.where};
  if (e.name == "setofall") count.term = with_columns(term, groups, items);
  std::vector<Expression> columns = as_variables(groups, e.where);
  std::vector<Expression> arguments = columns;
  for (Expression& v : as_variables(items, e.where)) columns.push_back(std::move(v));
  arguments.push_back(number);
  out_.add(compound(count.rows, std::move(columns), e.where), inside(inner), e.where);
  Expression literal = compound(count.name, std::move(arguments), e.where);
  out_.counts.push_back(std::move(count));
  return {std::move(literal)};
}

/// Puts a condition into a relation of its own, which binds variables of its own.
Conditions::Body Conditions::inside(const Expression& e) {
  const Names outside = bound_;
  find_bound(e);
  Body body = condition(e);
  bound_ = outside;
  return body;
}

Conditions::Body Conditions::negated(const Expression& inner) {
  if (inner.kind == Kind::Not) return condition(inner.arguments[0]);
  if (inner.kind == Kind::Variable) return {};  // what never holds does not hold
  if (is_atom(inner)) return negated_atom(inner);
  Names local;
  for (const std::string& v : variables_of(inner)) {
    if (uses_outside(v, inner) == 0) local.insert(v);
  }
  if (!local.empty()) return without_instance(inner, local);
  try {
    Body body = condition(inner);
    if (body.empty()) throw Impossible();
    return {negation(connective(Kind::And, std::move(body), inner.where))};
  } catch (const Impossible&) {
    if (failed_) throw;
  }
  return {};
}

Conditions::Body Conditions::negated_atom(const Expression& e) {
  if (e == constant("true", 0)) throw Impossible();
  if (e == constant("false", 0)) return {};
  if (kind(e) == BuiltinKind::Structural) return structural(e, true);
  Names local;
  for (const std::string& v : variables_of(e)) {
    if (bound_.contains(v)) continue;
    bool in_head = false;
    for (const Expression& h : *head_) in_head = in_head || uses(v, h) > 0;
    if (in_head) {
      out_.report(Severity::Error, "unbound-negation", unbound_in_negation(v, e), e.where);
      failed_ = true;
      return {};
    }
    local.insert(v);
  }
  if (!local.empty()) return without_instance(e, local);
  Body body = atom(e);
  return {negation(connective(Kind::And, std::move(body), e.where))};
}

/// "There is no instance" is the negation of a relation that drops the local variables.
Conditions::Body Conditions::without_instance(const Expression& inner, const Names& local) {
  const std::string base = is_atom(inner) ? inner.name : "condition";
  Names shared = variables_of(inner);
  for (const std::string& v : local) shared.erase(v);
  Expression some =
      compound(sheet_.fresh("some_" + base), as_variables(shared, inner.where), inner.where);
  try {
    out_.add(some, inside(inner), inner.where);
  } catch (const Impossible&) {
    if (failed_) throw;
    return {};
  }
  return {negation(std::move(some))};
}

}  // namespace ludens::gdl::hrf
