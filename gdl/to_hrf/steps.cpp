// SPDX-License-Identifier: MIT
#include "gdl/to_hrf/steps.h"

#include <algorithm>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

bool is_next(const PrefixRule& rule) {
  return rule.head.name == "next" && rule.head.arguments.size() == 1;
}

Expression added(const Expression& head) {
  return head.arguments[0];
}
Expression removed(const Expression& head) {
  return negation(head.arguments[0]);
}
Expression itself(const Expression& head) {
  return head;
}

bool all_distinct_variables(const Expression& e) {
  Names seen;
  return std::ranges::all_of(e.arguments, [&](const Expression& a) {
    return a.kind == Kind::Variable && seen.insert(a.name).second;
  });
}

bool mentions(const std::vector<Expression>& list, const std::string& variable) {
  return std::ranges::any_of(
      list, [&](const Expression& e) { return variables_of(e).contains(variable); });
}

}  // namespace

void sort_for_reading(std::vector<Expression>& body) {
  std::stable_partition(body.begin(), body.end(), [](const Expression& e) {
    return !is_negative(e) && e.name != "distinct" && e.name != kDiffer;
  });
}

Steps::Steps(PrefixGame& game, Control& control, std::vector<Statement>& out)
    : game_(game), control_(control), out_(out) {}

void Steps::write() {
  write_deletions();
  for (const PrefixRule& rule : game_.rules) {
    if (!is_next(rule) || frame_.contains(rule.where)) continue;
    const Expression& fluent = rule.head.arguments[0];
    if (is_atom(fluent)) {
      operation(rule, added);
    } else {
      check_fluent(fluent, rule.where);
    }
  }
  for (const Signature& move : game_.moves) {
    const Expression made = pattern(move);
    if (!each_step_.empty()) {
      out_.push_back({Statement::Kind::Operation, made, {}, {constant(each_step_, 0)}, 0});
    } else if (!game_.fluents.contains(move) && std::ranges::none_of(out_, [&](const auto& s) {
                 return s.kind == Statement::Kind::Operation && signature(s.head) == move;
               })) {
      // A move without operations would itself become a fluent.
      out_.push_back({Statement::Kind::Operation, made, {}, {negation(made)}, 0});
    }
  }
  skip_moves_that_stay();
}

/// A fluent with the name of a move is what the move itself adds, and can't be anything else.
void Steps::skip_moves_that_stay() {
  for (const Signature& move : game_.moves) {
    if (!game_.fluents.contains(move)) continue;
    const auto of_move = [&](const Statement& s) {
      return s.kind == Statement::Kind::Operation && signature(s.head) == move;
    };
    const bool only_itself = std::ranges::all_of(out_, [&](const Statement& s) {
      return !of_move(s) ||
             (s.body.empty() && s.effects == std::vector{s.head} && all_distinct_variables(s.head));
    });
    if (!only_itself) {
      game_.report(Severity::Error, "move-and-fluent",
                   "'" + move.name + "' is both a move and a fluent, which in HRF are one", 0);
    }
    std::erase_if(out_, of_move);
  }
}

Expression Steps::state_literal(const Expression& literal, std::uint32_t rule) {
  if (is_negative(literal)) return negation(state_literal(atom_of(literal), rule));
  if (literal.name == "true" && literal.arguments.size() == 1) {
    check_fluent(literal.arguments[0], rule);
    return literal.arguments[0];
  }
  if (literal.name == "legal" && literal.arguments.size() == 2) {
    const Expression& role = literal.arguments[0];
    const Expression& move = literal.arguments[1];
    if (control_.in_turn() && (move.kind == Kind::Variable || move == waiting_move())) {
      game_.report(Severity::Error, "asks-for-waiting",
                   "'" + print(literal) + "' asks whether a role waits, which HRF can't express",
                   rule);
    }
    const char* const who = control_.in_turn() ? "control" : "role";
    return {Kind::And, {}, {compound(who, {role}, rule), compound("legal", {move}, rule)}, rule};
  }
  return literal;
}

// ---- Who makes the moves that a rule names

/// Each move named is made by the role in control, or it is `noop` and its role waits.
std::vector<Steps::Case> Steps::cases_of(const PrefixRule& rule) {
  std::vector<Case> all;
  std::vector<OpenCase> open{{rule, 0, {rule.head, {}, {}, {}}}};
  while (!open.empty()) {
    OpenCase now = std::move(open.back());
    open.pop_back();
    if (now.at == now.rule.body.size()) {
      all.push_back(std::move(now.done));
    } else if (!decide(std::move(now), open)) {
      game_.report(Severity::Error, "two-moves",
                   "the rule names two moves at once, of which one role makes one: HRF can't "
                   "say it",
                   rule.where);
      break;
    }
  }
  return all;
}

/// Decides the next literal, and opens the cases that follow from it. False if it names another
/// move than those before it.
bool Steps::decide(OpenCase now, std::vector<OpenCase>& open) {
  const Expression literal = now.rule.body[now.at++];
  if (literal.name != "does" || is_negative(literal)) {
    auto& list = game_.depends(atom_of(literal)) ? now.done.dependent : now.done.state;
    list.push_back(literal);
    open.push_back(std::move(now));
    return true;
  }
  auto waits = waiting(now, literal);
  const Expression& move = literal.arguments[1];
  const bool only_waits =
      control_.in_turn() && move == waiting_move() && !game_.moves.contains(signature(move));
  if (!only_waits) {
    if (!add_made(now.rule, literal, now.done)) return false;
    open.push_back(std::move(now));
  }
  if (waits) open.push_back(*std::move(waits));
  return true;
}

/// The case in which the role of `does` waits; nullopt if it can't be waiting.
std::optional<Steps::OpenCase> Steps::waiting(const OpenCase& now, const Expression& does) const {
  const Expression& role = does.arguments[0];
  const Expression& move = does.arguments[1];
  if (!control_.in_turn()) return std::nullopt;
  if (move.kind == Kind::Variable) {  // from the start, as literals before may have it, too
    PrefixRule rule = substitute(now.rule, {{move.name, waiting_move()}});
    Case none{rule.head, {}, {}, {}};
    return OpenCase{std::move(rule), 0, std::move(none)};
  }
  if (move != waiting_move() || says_control(now.rule, role)) return std::nullopt;
  OpenCase waits = now;
  waits.done.state.push_back(compound("role", {role}, now.rule.where));
  waits.done.state.push_back(negation(compound("control", {role}, now.rule.where)));
  return waits;
}

/// Adds that the role in control makes the move of `does`; false if it makes another one.
bool Steps::add_made(const PrefixRule& rule, const Expression& does, Case& to) {
  const Expression& role = does.arguments[0];
  const Expression& move = does.arguments[1];
  if (to.moves.empty()) to.moves.push_back(move);
  if (to.moves[0] != move) return false;
  if (asks_who(rule, does)) {
    if (control_.in_turn()) control_.prove_one(rule.where);
    const char* const who = control_.in_turn() ? "control" : "role";
    to.state.push_back(compound(who, {role}, rule.where));
  }
  return true;
}

/// Whether the body says that the role is in control.
bool Steps::says_control(const PrefixRule& rule, const Expression& role) const {
  return std::ranges::any_of(rule.body,
                             [&](const Expression& e) { return control_.says_control(e, role); });
}

/// Whether it matters to the rule which role makes the move, beyond being in control.
bool Steps::asks_who(const PrefixRule& rule, const Expression& does) const {
  const Expression& role = does.arguments[0];
  if (role.kind != Kind::Variable || variables_of(rule.head).contains(role.name)) return true;
  return std::ranges::any_of(rule.body, [&](const Expression& e) {
    return e != does && !control_.says_control(e, role) && variables_of(e).contains(role.name);
  });
}

// ---- Operations

void Steps::operation(const PrefixRule& rule, Effect effect) {
  for (const Case& decided : cases_of(rule)) operation(decided, effect, rule.where);
}

void Steps::operation(const Case& decided, Effect effect, std::uint32_t rule) {
  if (!decided.moves.empty()) {
    const Expression& move = decided.moves[0];
    if (is_atom(move)) return under_move(move, decided, effect, rule);
    return for_each_move(decided, effect, rule);
  }
  std::vector<Expression> body;
  for (const Expression& e : decided.state) body.push_back(state_literal(e, rule));
  const auto& dependent = decided.dependent;
  check_fluent(atom_of(effect(decided.head)), rule);
  if (dependent.empty()) {
    if (each_step_.empty()) each_step_ = game_.names.fresh("each_step");
    return add(constant(each_step_, 0), std::move(body), effect(decided.head));
  }
  const bool chains = dependent.size() == 1 && !is_negative(dependent[0]) && chain(dependent[0]);
  if (chains) return add(dependent[0], std::move(body), effect(decided.head));
  for_each_move(decided, effect, rule);
}

/// Once for each kind of move.
void Steps::for_each_move(const Case& decided, Effect effect, std::uint32_t rule) {
  for (const Signature& kind : game_.moves) {
    const Expression move = pattern(kind);
    Case under = decided;
    if (!decided.moves.empty()) {
      const Substitution by{{decided.moves[0].name, move}};
      under.head = substitute(under.head, by);
      for (auto* list : {&under.state, &under.dependent}) {
        for (Expression& e : *list) e = substitute(e, by);
      }
    }
    under_move(move, under, effect, rule);
  }
}

void Steps::under_move(const Expression& move, const Case& decided, Effect effect,
                       std::uint32_t rule) {
  if (!game_.moves.contains(signature(move))) return;  // it is never made
  check_fluent(atom_of(effect(decided.head)), rule);
  std::vector<Expression> body;
  for (const Expression& e : decided.state) body.push_back(state_literal(e, rule));
  for (const Expression& e : decided.dependent) body.push_back(given(e, move, rule));
  add(move, std::move(body), effect(decided.head));
}

void Steps::check_fluent(const Expression& fluent, std::uint32_t rule) {
  if (is_atom(fluent)) return;
  game_.report(
      Severity::Error, "any-fluent",
      "the rule is about whatever fluent '" + print(fluent) + "' stands for, which HRF can't say",
      rule);
}

void Steps::add(const Expression& trigger, std::vector<Expression> body, const Expression& effect) {
  sort_for_reading(body);
  if (!out_.empty() && out_.back().kind == Statement::Kind::Operation &&
      out_.back().head == trigger && out_.back().body == body) {
    out_.back().effects.push_back(effect);
    return;
  }
  out_.push_back({Statement::Kind::Operation, trigger, std::move(body), {effect}, 0});
}

// ---- Relations that depend on the move

bool Steps::leads_to_itself(const Signature& s) const {
  std::set<Signature> seen;
  std::vector<Signature> open{s};
  while (!open.empty()) {
    const Signature at = open.back();
    open.pop_back();
    for (const PrefixRule& rule : game_.rules) {
      if (signature(rule.head) != at) continue;
      for (const Expression& e : rule.body) {
        const Signature to = signature(atom_of(e));
        if (to == s) return true;
        if (game_.dependent.contains(to) && seen.insert(to).second) open.push_back(to);
      }
    }
  }
  return false;
}

/// Makes the relation an operation that others trigger; false if it can't be one.
bool Steps::chain(const Expression& atom) {
  const Signature s = signature(atom);
  if (chained_.contains(s)) return true;
  if (leads_to_itself(s) || game_.fluents.contains(s) || game_.moves.contains(s)) return false;
  chained_.insert(s);
  // An action that no operation of this name matches would be added as a fluent.
  out_.push_back({Statement::Kind::Operation, pattern(s), {}, {negation(pattern(s))}, 0});
  for (const PrefixRule& rule : game_.rules) {
    if (signature(rule.head) == s) operation(rule, itself);
  }
  return true;
}

/// A literal of a relation that depends on the move, where that is `move`: a view that knows it.
Expression Steps::given(const Expression& literal, const Expression& move, std::uint32_t rule) {
  const Expression& atom = atom_of(literal);
  std::vector<Expression> arguments = move.arguments;
  for (const Expression& a : atom.arguments) arguments.push_back(a);
  Expression view =
      compound(view_given(signature(atom), signature(move)), std::move(arguments), rule);
  return is_negative(literal) ? negation(std::move(view)) : view;
}

std::string Steps::view_given(const Signature& what, const Signature& move) {
  const auto [entry, is_new] = views_.try_emplace({what, move});
  if (!is_new) return entry->second;
  std::string name = game_.names.fresh(what.name + "_after_" + move.name);
  entry->second = name;
  write_view(what, move, name);
  return name;
}

void Steps::write_view(const Signature& what, const Signature& move, const std::string& name) {
  const Expression made = pattern(move);
  const auto view = [&](const Expression& by, const Expression& head,
                        std::vector<Expression> body) {
    std::vector<Expression> arguments = by.arguments;
    for (const Expression& a : head.arguments) arguments.push_back(a);
    body.insert(body.begin(), compound("legal", {by}, 0));
    sort_for_reading(body);
    out_.push_back(
        {Statement::Kind::Rule, compound(name, std::move(arguments), 0), std::move(body), {}, 0});
  };
  if (what == Signature{"does", 2}) {
    const Expression role = variable("R", 0);
    if (control_.in_turn()) control_.prove_one(0);
    const char* const who = control_.in_turn() ? "control" : "role";
    view(made, compound("does", {role, made}, 0), {compound(who, {role}, 0)});
    if (!control_.in_turn()) return;
    return view(made, compound("does", {role, waiting_move()}, 0),
                {compound("role", {role}, 0), negation(compound("control", {role}, 0))});
  }
  for (const PrefixRule& rule : game_.rules) {
    if (signature(rule.head) != what) continue;
    for (const Case& decided : cases_of(rule)) {
      Substitution by;
      if (!decided.moves.empty()) {
        const auto fits = unified(decided.moves[0], made);
        if (!fits) continue;
        by = *fits;
      }
      const Expression under = substitute(made, by);
      std::vector<Expression> body;
      for (const Expression& e : decided.state) {
        body.push_back(state_literal(substitute(e, by), rule.where));
      }
      for (const Expression& e : decided.dependent) {
        body.push_back(given(substitute(e, by), under, rule.where));
      }
      view(under, substitute(decided.head, by), std::move(body));
    }
  }
}

// ---- The frame

/// `(<= (next ?f) (true ?f))`, or with `(not (deleted ?f))` as well: what HRF does without a rule.
bool Steps::is_general_frame(const PrefixRule& rule, Signature& deleted) const {
  if (!is_next(rule) || rule.head.arguments[0].kind != Kind::Variable) return false;
  const Expression& fluent = rule.head.arguments[0];
  deleted = {};
  for (const Expression& e : rule.body) {
    if (e == compound("true", {fluent}, 0)) continue;
    const Expression& atom = atom_of(e);
    const bool deletes = is_negative(e) && atom.arguments.size() == 1 &&
                         atom.arguments[0] == fluent && deleted.name.empty();
    if (!deletes || is_about_fluent(atom)) return false;
    deleted = signature(atom);
  }
  return mentions(rule.body, fluent.name);
}

/// Fluents that are not kept are deleted, and those that are added hold nevertheless: additions
/// win.
void Steps::write_deletions() {
  Signature deleted;
  for (const PrefixRule& rule : game_.rules) {
    if (!is_general_frame(rule, deleted)) continue;
    frame_.insert(rule.where);
    if (deleted.name.empty()) return;
    for (const PrefixRule& of : game_.rules) {
      if (signature(of.head) == deleted) operation(of, removed);
    }
    return;
  }
  for (const Signature& fluent : game_.fluents) delete_unless_kept(fluent);
}

/// Whether a rule keeps a fluent of that kind as it is.
bool Steps::keeps(const PrefixRule& rule, const Signature& fluent) const {
  if (!is_next(rule)) return false;
  const Expression& head = rule.head.arguments[0];
  if (!is_atom(head) || signature(head) != fluent) return false;
  return std::ranges::find(rule.body, compound("true", {head}, 0)) != rule.body.end();
}

void Steps::delete_unless_kept(const Signature& fluent) {
  std::vector<const PrefixRule*> keeping;
  for (const PrefixRule& rule : game_.rules) {
    if (!keeps(rule, fluent)) continue;
    const bool alone = rule.body.size() == 1 && all_distinct_variables(rule.head.arguments[0]);
    if (alone) {  // forever
      frame_.insert(rule.where);
      return;
    }
    const bool of_move =
        std::ranges::any_of(rule.body, [&](const auto& e) { return game_.depends(atom_of(e)); });
    if (!of_move) keeping.push_back(&rule);
    if (of_move) {
      game_.report(Severity::Note, "frame",
                   "whether '" + fluent.name +
                       "' stays depends on the move made: the step deletes it and adds it again",
                   rule.where);
    }
  }
  const Expression any = pattern(fluent);
  std::vector<Expression> body{any};
  if (!keeping.empty()) {
    const std::string stays = game_.names.fresh(fluent.name + "_stays");
    for (const PrefixRule* rule : keeping) {
      std::vector<Expression> conditions;
      for (const Expression& e : rule->body) conditions.push_back(state_literal(e, rule->where));
      sort_for_reading(conditions);
      out_.push_back({Statement::Kind::Rule,
                      compound(stays, rule->head.arguments[0].arguments, rule->where),
                      std::move(conditions),
                      {},
                      rule->where});
      frame_.insert(rule->where);
    }
    body.push_back(negation(compound(stays, any.arguments, 0)));
  }
  if (each_step_.empty()) each_step_ = game_.names.fresh("each_step");
  add(constant(each_step_, 0), std::move(body), negation(any));
}

}  // namespace ludens::gdl::hrf
