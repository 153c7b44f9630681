// SPDX-License-Identifier: MIT
#include "gdl/hrf/conditions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

/// Gives names back their value at the end of a scope.
class Kept {
 public:
  explicit Kept(Names& names) : names_(names), value_(names) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { names_ = std::move(value_); }

 private:
  Names& names_;
  Names value_;
};

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
  return "'" + variable + "' is bound by no condition, so '" + print(negation(negated)) +
         "' says nothing of the '" + variable + "' of the head: give the relation that it is " +
         "taken from; prefix GDL calls the rule unsafe";
}

}  // namespace

std::optional<std::vector<Expression>> Conditions::translate(const std::vector<Expression>& body,
                                                             const std::vector<Expression>& head,
                                                             const std::vector<Expression>& given) {
  head_.clear();
  bound_.clear();
  failed_ = false;
  for (const Expression& e : head) add_variables(e, head_);
  for (const Expression& e : given) add_variables(e, bound_);
  left_ = bound_;
  find_bound(body);
  const auto rules = std::ssize(out_.rules), counts = std::ssize(out_.counts);
  try {
    Body result = conjunction(body);
    if (!failed_) return result;
  } catch (const Impossible&) {  // reported where it was found
  }
  // Only this body uses the rules added for it, so they go with it.
  out_.rules.erase(out_.rules.begin() + rules, out_.rules.end());
  out_.counts.erase(out_.counts.begin() + counts, out_.counts.end());
  return std::nullopt;
}

BuiltinKind Conditions::kind(const Expression& atom) const {
  if (sheet_.defines_name(atom.name)) return BuiltinKind::None;
  return builtin_kind(atom.name);
}

/// Adds to what is bound what all conditions of a body bind; `same` passes on what others bind.
void Conditions::find_bound(const std::vector<Expression>& body) {
  for (std::size_t before = bound_.size() + 1; before != bound_.size();) {
    before = bound_.size();
    for (const Expression& e : body) add_bound(e, bound_);
  }
}

void Conditions::add_bound(const Expression& e, Names& bound) const {
  if (e.kind == Kind::And || e.kind == Kind::Or) {
    for (const Expression& part : e.arguments) add_bound(part, bound);
  } else if (is_atom(e)) {
    add_bound_by_atom(e, bound);
  }
}

void Conditions::add_bound_by_atom(const Expression& atom, Names& bound) const {
  if (atom.arguments.empty()) return;
  switch (kind(atom)) {
    case BuiltinKind::None:
      return add_variables(atom, bound);
    case BuiltinKind::Function:
      return add_variables(atom.arguments.back(), bound);
    case BuiltinKind::Evaluate:
    case BuiltinKind::Collection:
      add_variables(atom.arguments.back(), bound);
      // There is a count for each value of a variable of the head.
      if (const auto counted = counted_by(atom)) {
        for (const std::string& v : variables_of(*counted)) {
          if (head_.contains(v)) bound.insert(v);
        }
      }
      return;
    case BuiltinKind::Structural:
      if ((atom.name == "same" || atom.name == kEqual) && atom.arguments.size() == 2) {
        const Names a = variables_of(atom.arguments[0]), b = variables_of(atom.arguments[1]);
        if (std::ranges::includes(bound, a)) bound.insert(b.begin(), b.end());
        if (std::ranges::includes(bound, b)) bound.insert(a.begin(), a.end());
      }
      return;
    case BuiltinKind::Test:
    case BuiltinKind::Unknown:
      return;
  }
}

/// A collection with its result, which may also be written as `evaluate(countofall(T,C),N)`;
/// nullopt for anything else.
std::optional<Expression> Conditions::counted_by(const Expression& e) const {
  if (kind(e) == BuiltinKind::Collection && e.arguments.size() == 3) return e;
  if (e.name != "evaluate" || e.arguments.size() != 2) return std::nullopt;
  Expression inner = e.arguments[0];
  const bool counts =
      is_atom(inner) && kind(inner) == BuiltinKind::Collection && inner.arguments.size() == 2;
  if (!counts) return std::nullopt;
  inner.arguments.push_back(e.arguments[1]);
  return inner;
}

Conditions::Body Conditions::conjunction(const std::vector<Expression>& parts) {
  const Kept left(left_);
  Body all;
  for (const Expression& part : parts) {
    for (Expression& literal : condition(part)) all.push_back(std::move(literal));
    add_bound(part, left_);
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
      out_.report(sheet_.is_gdl() ? Severity::Error : Severity::Warning, "variable-condition",
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
  if (s == Signature{"goal", 2} && !sheet_.is_gdl())
    return compound(names_.reward, atom.arguments, atom.where);
  if (sheet_.is_keyword(s)) return atom;
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
  const bool equal = (e.name == "same" || e.name == kEqual) != negated;
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
  if (const auto counted = counted_by(e)) return collection(*counted);
  for (std::size_t i = 0; i + (test ? 0 : 1) < e.arguments.size(); ++i) {
    require_bound(e.arguments[i], e);
  }
  out_.builtins.insert(e.name);
  return {e};
}

/// The rows that are counted, or listed, are a relation of their own: the variables that the head,
/// the result and the conditions on the left know, then those of the term. All others are its own,
/// whatever else the rule calls by these names.
Conditions::Body Conditions::collection(const Expression& e) {
  const Expression &term = e.arguments[0], &inner = e.arguments[1], &number = e.arguments[2];
  const Names in_number = variables_of(number);
  Names used = variables_of(term), groups, items;
  add_variables(inner, used);
  for (const std::string& v : used) {
    if (in_number.contains(v) || head_.contains(v) || left_.contains(v)) groups.insert(v);
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
  out_.add(compound(count.rows, std::move(columns), e.where), inside(inner, groups, items),
           e.where);
  Expression literal = compound(count.name, std::move(arguments), e.where);
  out_.counts.push_back(std::move(count));
  return {std::move(literal)};
}

/// Puts a condition into a relation of its own, of what the rule knows and what else its head has.
Conditions::Body Conditions::inside(const Expression& e, const Names& known, const Names& head) {
  const Kept bound(bound_), left(left_), of(head_);
  bound_ = left_ = known;
  head_ = head;
  find_bound({e});
  return condition(e);
}

Conditions::Body Conditions::negated(const Expression& inner) {
  if (inner.kind == Kind::Not) return condition(inner.arguments[0]);
  if (inner.kind == Kind::Variable) return {};  // it never holds, so its negation always does
  if (is_atom(inner)) return negated_atom(inner);
  const auto local = local_to(inner);
  if (!local) return {};
  if (!local->empty()) return without_instance(inner, *local);
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
  const auto local = local_to(e);
  if (!local) return {};
  if (!local->empty()) return without_instance(e, *local);
  Body body = atom(e);
  return {negation(connective(Kind::And, std::move(body), e.where))};
}

/// The variables that nothing outside a negation binds; nullopt if one of them is in the head,
/// which is reported. In GDL, the calls of a relation may bind those of its head: the checker says
/// where they don't.
std::optional<Names> Conditions::local_to(const Expression& negated) {
  Names local;
  for (const std::string& v : variables_of(negated)) {
    if (bound_.contains(v)) continue;
    if (head_.contains(v) && sheet_.is_gdl()) continue;
    if (head_.contains(v)) {
      out_.report(Severity::Error, "unbound-negation", unbound_in_negation(v, negated),
                  negated.where);
      failed_ = true;
      return std::nullopt;
    }
    local.insert(v);
  }
  return local;
}

/// "There is no instance" is the negation of a relation that drops the local variables.
Conditions::Body Conditions::without_instance(const Expression& inner, const Names& local) {
  const std::string base = is_atom(inner) ? inner.name : "condition";
  Names shared = variables_of(inner);
  for (const std::string& v : local) shared.erase(v);
  Expression some =
      compound(sheet_.fresh("some_" + base), as_variables(shared, inner.where), inner.where);
  try {
    out_.add(some, inside(inner, shared, {}), inner.where);
  } catch (const Impossible&) {
    if (failed_) throw;
    return {};
  }
  return {negation(std::move(some))};
}

}  // namespace ludens::gdl::hrf
