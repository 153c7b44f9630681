// SPDX-License-Identifier: MIT
#include "gdl/to_hrf/control.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

/// The name of `p(T)` or `true(p(T))` with that T; empty for anything else.
std::pair<std::string, bool> unary(const Expression& literal, const Expression& of) {
  const bool fluent = literal.name == "true" && literal.arguments.size() == 1;
  const Expression& atom = fluent ? literal.arguments[0] : literal;
  if (atom.kind != Kind::Compound || atom.arguments.size() != 1 || atom.arguments[0] != of) {
    return {};
  }
  if (!fluent && (atom.name == "role" || is_about_fluent(atom))) return {};
  return {atom.name, fluent};
}

/// The argument of `p(T)` or `true(p(T))`; the literal itself for anything else.
const Expression& last_argument(const Expression& literal) {
  const bool fluent = literal.name == "true" && literal.arguments.size() == 1;
  const Expression& atom = fluent ? literal.arguments[0] : literal;
  return atom.arguments.size() == 1 ? atom.arguments[0] : literal;
}

bool is_legal_rule(const PrefixRule& rule) {
  return rule.head.name == "legal" && rule.head.arguments.size() == 2;
}

const Signature kControl{"control", 1};

/// Whether the rule brings about or declares a fluent `control`, or is of a relation `control`.
bool is_of_control(const PrefixRule& rule) {
  const Expression& atom = is_about_fluent(rule.head) ? rule.head.arguments[0] : rule.head;
  return is_atom(atom) && signature(atom) == kControl;
}

}  // namespace

Expression waiting_move() {
  return constant("noop", 0);
}

Control::Control(PrefixGame& game) : game_(game) {
  const auto [name, fluent] = chosen();
  if (in_turn() && name.empty()) {
    std::uint32_t where = 0;
    for (const PrefixRule& rule : game_.rules) where = is_legal_rule(rule) ? rule.where : where;
    game_.report(Severity::Error, "not-in-turn",
                 "no fluent or relation says in all rules of 'legal' whose role is in control, as "
                 "'(true (control ?role))' does: HRF is for games in turn",
                 where);
    return;
  }
  if (name != kControl.name) free_name();
  if (!in_turn()) return;
  name_ = name;
  fluent_ = fluent;
  look_at_waiting();
}

/// What occurs in all rules of moves other than waiting, and whether it is a fluent; prefers the
/// name `control`. The name is empty if there is no such thing.
std::pair<std::string, bool> Control::chosen() const {
  std::set<std::pair<std::string, bool>> common;
  bool first = true;
  for (const PrefixRule& rule : game_.rules) {
    if (!is_legal_rule(rule) || (in_turn() && rule.head.arguments[1] == waiting_move())) continue;
    std::set<std::pair<std::string, bool>> own, both;
    for (const Expression& e : rule.body) {
      if (auto found = unary(e, rule.head.arguments[0]); !found.first.empty()) own.insert(found);
    }
    std::ranges::set_intersection(common, own, std::inserter(both, both.begin()));
    common = std::exchange(first, false) ? own : both;
  }
  if (common.empty()) return {};
  const auto control =
      std::ranges::find_if(common, [](const auto& c) { return c.first == kControl.name; });
  return control == common.end() ? *common.begin() : *control;
}

/// To HRF, `control` is what says which role moves: a fluent or relation of that name that does not
/// say so gets another one.
void Control::free_name() {
  const auto of_control = std::ranges::find_if(game_.rules, is_of_control);
  if (of_control == game_.rules.end()) return;
  if (game_.moves.contains(kControl)) {
    return game_.report(Severity::Error, "move-and-fluent",
                        "'control' is both a move and a fluent, which in HRF are one",
                        of_control->where);
  }
  const std::string name = game_.names.fresh(kControl.name);
  if (is_about_fluent(of_control->head)) {
    game_.report(
        Severity::Note, "control-fluent",
        "the fluent 'control' is called '" + name + "', as 'control' of HRF says which role moves",
        of_control->where);
  }
  game_.rename(kControl, name);
}

bool Control::says_control(const Expression& literal, const Expression& role) const {
  return !name_.empty() && unary(literal, role) == std::pair(name_, fluent_);
}

bool Control::is_waiting(const PrefixRule& rule) const {
  if (!in_turn() || rule.head.arguments[1] != waiting_move()) return false;
  return std::ranges::none_of(
      rule.body, [&](const Expression& e) { return says_control(e, rule.head.arguments[0]); });
}

std::optional<Statement> Control::definition() const {
  if (!in_turn() || name_ == kControl.name) return std::nullopt;
  const Expression role = variable("R", 0);
  return Statement{Statement::Kind::Rule,
                   compound(kControl.name, {role}, 0),
                   {compound(name_, {role}, 0)},
                   {},
                   0};
}

/// `legal(R,noop)` for all roles that are not in control, and for no other reason.
bool Control::waits_by_negation(const PrefixRule& rule) const {
  const Expression& role = rule.head.arguments[0];
  bool negated = false;
  for (const Expression& e : rule.body) {
    const bool is_role = e == compound("role", {role}, 0);
    const bool without = is_negative(e) && says_control(atom_of(e), role);
    if (!is_role && !without) return false;
    negated = negated || without;
  }
  return role.kind == Kind::Variable && negated;
}

/// Checks that all roles except the one in control have `noop` and nothing else. Either the rules
/// say exactly that, or they say it case by case and one role is in control.
void Control::look_at_waiting() {
  std::uint32_t where = 0;
  std::size_t rules = 0;
  bool by_negation = true;
  for (const PrefixRule& rule : game_.rules) {
    if (!is_legal_rule(rule) || !is_waiting(rule)) continue;
    ++rules;
    where = rule.where;
    by_negation = by_negation && waits_by_negation(rule);
  }
  if (rules > 0 && by_negation) return look_for_several(where);
  if (!prove_one(where)) return;
  for (const std::string& role : game_.roles) {
    for (const std::string& other : game_.roles) {
      if (waits(role, other) == (role != other)) continue;
      std::string text = "that '" + role + "' has the move 'noop' and no other ";
      text += role == other ? "only while '" : "while '";
      text += other + "' is in control can't be seen in the rules of 'legal'";
      game_.report(Severity::Error, "waiting", std::move(text), where);
      return;
    }
  }
}

/// Waiting by negation fits any number of roles in control, and HRF only one.
void Control::look_for_several(std::uint32_t waiting) {
  if (is_one()) return;
  const Expression* first = nullptr;
  for (const PrefixRule& rule : game_.rules) {
    if (rule.head.name != "init" || !rule.body.empty()) continue;
    const Expression control = compound("true", {rule.head.arguments[0]}, rule.where);
    const Expression& role = last_argument(control);
    if (!is_role(role) || !says_control(control, role)) continue;
    if (first != nullptr && first->name != role.name) {
      return game_.report(Severity::Error, "control",
                          "'" + first->name + "' and '" + role.name +
                              "' are in control at once at first: HRF is for games in turn",
                          rule.where);
    }
    first = &rule.head.arguments[0].arguments[0];
  }
  game_.report(Severity::Note, "control", not_seen() + ": in HRF one role moves at a time",
               waiting);
}

std::string Control::not_seen() const {
  return "that exactly one role is in control in each state can't be seen in the rules for '" +
         name_ + "'";
}

/// Whether a rule lets the role wait, whatever else holds.
bool Control::waits(const std::string& role, const std::string& in_control) const {
  for (const PrefixRule& rule : game_.rules) {
    if (!is_legal_rule(rule) || !is_waiting(rule)) continue;
    const auto fits = unified(rule.head.arguments[0], constant(role, 0));
    if (!fits) continue;
    bool sure = false;
    for_each_case(substitute(rule, *fits), in_control, [&](const PrefixRule&) { sure = true; });
    if (sure) return true;
  }
  return false;
}

/// Whether a ground literal holds in every state in which that role alone is in control; nullopt if
/// that depends on more.
std::optional<bool> Control::holds(const Expression& literal, const std::string& in_control) const {
  if (is_negative(literal)) {
    const auto inner = holds(atom_of(literal), in_control);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (literal.name == "distinct") return literal.arguments[0] != literal.arguments[1];
  for (const std::string& role : game_.roles) {
    if (says_control(literal, constant(role, 0))) return role == in_control;
  }
  if (is_about_fluent(literal) || game_.depends(literal)) return std::nullopt;
  bool only_facts = true;
  for (const PrefixRule& rule : game_.rules) {
    if (signature(rule.head) != signature(literal)) continue;
    if (!rule.body.empty()) only_facts = false;
    if (rule.body.empty() && unified(rule.head, literal)) return true;
  }
  return only_facts ? std::optional(false) : std::nullopt;
}

/// The ground atoms that can make a literal true while that role is in control: those of `control`
/// and `role`, and facts; nullopt if it depends on more.
std::optional<std::vector<Expression>> Control::instances(const Expression& literal,
                                                          const std::string& in_control) const {
  std::vector<Expression> all;
  if (says_control(literal, last_argument(literal))) {
    const auto fits = unified(last_argument(literal), constant(in_control, 0));
    if (fits) all.push_back(substitute(literal, *fits));
    return all;
  }
  if (is_negative(literal) || is_about_fluent(literal) || game_.depends(literal) ||
      literal.name == "distinct") {
    return std::nullopt;
  }
  for (const PrefixRule& rule : game_.rules) {
    if (signature(rule.head) != signature(literal)) continue;
    if (!rule.body.empty() || !is_ground(rule.head)) return std::nullopt;
    all.push_back(rule.head);
  }
  return all;
}

/// Calls `use` with the rule for each way to fill its variables in which its body surely holds;
/// false if that is unknown for some way.
template <class Use>
bool Control::for_each_case(const PrefixRule& rule, const std::string& in_control,
                            const Use& use) const {
  bool ground = true;
  for (const Expression& e : rule.body) {
    if (is_ground(e)) continue;
    ground = false;
    const auto all = instances(e, in_control);
    if (!all) continue;
    bool known = true;
    for (const Expression& instance : *all) {
      const auto fits = unified(e, instance);
      if (fits) known = for_each_case(substitute(rule, *fits), in_control, use) && known;
    }
    return known;
  }
  if (!ground) return false;
  bool known = true;
  for (const Expression& e : rule.body) {
    const auto value = holds(e, in_control);
    if (value == false) return true;
    known = known && value.has_value();
  }
  if (known) use(rule);
  return known;
}

bool Control::is_role(const Expression& e) const {
  return e.kind == Kind::Constant && std::ranges::find(game_.roles, e.name) != game_.roles.end();
}

bool Control::next_is_one() const {
  const Expression control = compound(name_, {variable("_1", 0)}, 0);
  std::size_t initially = 0;
  for (const PrefixRule& rule : game_.rules) {
    if (rule.head.name != "init" || !unified(rule.head.arguments[0], control)) continue;
    if (!rule.body.empty() || !is_role(rule.head.arguments[0].arguments[0])) return false;
    ++initially;
  }
  if (initially != 1) return false;
  return std::ranges::all_of(game_.roles, [&](const std::string& now) {
    std::set<std::string> then;
    const bool known = std::ranges::all_of(game_.rules, [&](const PrefixRule& rule) {
      if (rule.head.name != "next" || rule.head.arguments.size() != 1) return true;
      const auto fits = unified(rule.head.arguments[0], control);
      if (!fits) return true;
      return for_each_case(substitute(rule, *fits), now, [&](const PrefixRule& sure) {
        then.insert(print(sure.head.arguments[0].arguments[0]));
      });
    });
    return known && then.size() == 1 && is_role(constant(*then.begin(), 0));
  });
}

bool Control::is_one() {
  if (!one_) one_ = fluent_ && next_is_one();
  return *one_;
}

bool Control::prove_one(std::uint32_t rule) {
  if (!in_turn() || is_one()) return true;
  if (!reported_) {
    game_.report(Severity::Error, "control", not_seen() + ": HRF is for games in turn", rule);
  }
  reported_ = true;
  return false;
}

}  // namespace ludens::gdl::hrf
