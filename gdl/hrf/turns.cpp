// SPDX-License-Identifier: MIT
#include "gdl/hrf/turns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gdl/hrf/operations.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

const Signature kControl{"control", 1};

/// Whether a condition that must hold has that variable.
bool binds(const std::vector<Expression>& body, const Expression& variable) {
  return std::ranges::any_of(body, [&](const Expression& e) {
    return is_atom(e) && e.name != "distinct" && variables_of(e).contains(variable.name);
  });
}

}  // namespace

TurnNames turn_names(Sheet& sheet) {
  TurnNames names;
  if (sheet.asks_for_legal()) names.can_move = sheet.fresh("can_move");
  names.reward = sheet.fresh("reward");
  return names;
}

void Turns::translate(const Statement& s) {
  if (!is_atom(s.head)) {
    out_.report(sheet_.is_gdl() ? Severity::Error : Severity::Warning, "neither-fact-nor-rule",
                "'" + print(s.head) + "' is neither a fact nor a rule, and says nothing", s.where);
    return;
  }
  const std::vector<Expression> given = roles_asked(s.head);
  auto body = conditions_.translate(s.body, {s.head}, given);
  if (!body) return;
  for (const Expression& role : given) {
    if (sheet_.is_gdl() && binds(*body, role)) continue;
    body->insert(body->begin(), compound("role", {role}, s.where));
  }
  if (signature(s.head) == Signature{"legal", 1}) return legal(s, *std::move(body));
  Expression head = conditions_.sentence(s.head);
  out_.add(std::move(head), *std::move(body), s.where);
}

/// An end that no rule lets come is stated nevertheless: a game may have none.
void Turns::state_an_end() {
  const auto& own = sheet_.defined({"terminal", 0});
  const auto ends = [](const PrefixRule& rule) { return rule.head.name == "terminal"; };
  if (own.empty() || std::ranges::any_of(out_.rules, ends)) return;
  const std::uint32_t where = own.front()->where;
  const Expression any = constant("false", where);
  out_.add(own.front()->head, {compound("distinct", {any, any}, where)}, where);
}

/// Goals, and in GDL moves, are queried for each role, so a rule need not say that its first
/// argument is a role.
std::vector<Expression> Turns::roles_asked(const Expression& head) const {
  const Signature s = signature(head);
  const bool asked =
      s == Signature{"goal", 2} ||
      (sheet_.is_gdl() && (s == Signature{"legal", 2} || s == Signature{"input", 2}));
  if (!asked || head.arguments[0].kind != Kind::Variable) return {};
  return {head.arguments[0]};
}

Expression Turns::in_control(const Expression& role) const {
  return conditions_.sentence(compound("control", {role}, role.where));
}

bool Turns::has_control() {
  return sheet_.is_view(kControl) || sheet_.is_fluent(kControl);
}

/// A move is legal for the role in control, which most rules name themselves.
void Turns::legal(const Statement& s, std::vector<Expression> body) {
  const Expression& move = s.head.arguments[0];
  if (sheet_.asks_for_legal()) {
    out_.add(compound(names_.can_move, {move}, s.where), body, s.where);
  }
  Names taken = variables_of(s.head);
  for (const Expression& e : body) add_variables(e, taken);
  std::string name = "Role";
  while (taken.contains(name)) name += "_";
  Expression role = variable(name, s.where);
  const auto control = std::ranges::find_if(body, [&](const Expression& literal) {
    const Expression& atom =
        literal.name == "true" && literal.arguments.size() == 1 ? literal.arguments[0] : literal;
    return is_atom(atom) && in_control(variable("R", 0)).name == literal.name &&
           atom.arguments.size() == 1 && literal == in_control(atom.arguments[0]);
  });
  if (control != body.end()) {
    role = control->name == "true" ? control->arguments[0].arguments[0] : control->arguments[0];
  } else {
    body.insert(body.begin(), has_control() ? in_control(role) : compound("role", {role}, s.where));
  }
  out_.add(compound("legal", {role, move}, s.where), std::move(body), s.where);
}

std::uint32_t Turns::place_of(const Signature& s) const {
  const auto& own = sheet_.defined(s);
  return own.empty() ? 0 : own.front()->where;
}

void Turns::complete() {
  const std::uint32_t role = place_of({"role", 1});
  const bool gdl = sheet_.is_gdl();
  if (!gdl && !has_control() && sheet_.has_roles(2)) {
    out_.report(Severity::Error, "no-control",
                "no role is ever in control: there is no 'control', neither as a fluent nor by "
                "rules; prefix GDL says of each role what is legal",
                role);
  }
  const bool in_turn = gdl ? has_control() && !sheet_.defined({"legal", 1}).empty() : true;
  if (in_turn && sheet_.has_roles(2)) add_waiting(role);
  if (!gdl) add_goals(role);
  add_inputs(place_of({"action", 1}));
  state_an_end();
}

void Turns::add_waiting(std::uint32_t where) {
  const Expression role = variable("Role", where);
  out_.add(compound("legal", {role, constant(kWait, where)}, where),
           {compound("role", {role}, where), negation(in_control(role))}, where);
}

/// A role without a goal by the rules has goal 0.
void Turns::add_goals(std::uint32_t where) {
  const Expression role = variable("Role", where), goal = variable("Goal", where);
  const Expression rewarded = compound(sheet_.fresh("rewarded"), {role}, where);
  const Expression reward = compound(names_.reward, {role, goal}, where);
  std::vector<Expression> without{compound("role", {role}, where)};
  if (!sheet_.defined({"goal", 2}).empty()) {
    out_.add(compound("goal", {role, goal}, where), {reward}, where);
    out_.add(rewarded, {reward}, where);
    without.push_back(negation(rewarded));
  }
  out_.add(compound("goal", {role, constant("0", where)}, where), std::move(without), where);
}

void Turns::add_inputs(std::uint32_t where) {
  if (sheet_.defined({"action", 1}).empty()) return;
  const Expression role = variable("Role", where), action = variable("Action", where);
  const Expression is_role = compound("role", {role}, where);
  out_.add(compound("input", {role, action}, where), {is_role, compound("action", {action}, where)},
           where);
  if (!sheet_.has_roles(2) || (sheet_.is_gdl() && !has_control())) return;
  out_.add(compound("input", {role, constant(kWait, where)}, where), {is_role}, where);
}

}  // namespace ludens::gdl::hrf
