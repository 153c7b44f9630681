// SPDX-License-Identifier: MIT
#include "gdl/hrf/operations.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

/// Whether it matches any action of its name.
bool is_general(const Expression& head) {
  Names seen;
  return std::ranges::all_of(head.arguments, [&](const Expression& a) {
    return a.kind == Kind::Variable && seen.insert(a.name).second;
  });
}

std::vector<Expression> numbered_variables(std::size_t count, std::uint32_t where) {
  std::vector<Expression> list;
  for (std::size_t i = 1; i <= count; ++i) list.push_back(variable("A" + std::to_string(i), where));
  return list;
}

/// A variable that is not one of these.
Expression new_variable(std::string name, const Names& taken, std::uint32_t where) {
  while (taken.contains(name)) name += "_";
  return variable(std::move(name), where);
}

bool is_deeper(const Expression& e) {
  return std::ranges::any_of(
      e.arguments, [](const Expression& a) { return a.kind == Kind::Compound && !is_ground(a); });
}

}  // namespace

void Operations::translate() {
  find_chained();
  find_endless();
  for (const Statement& s : sheet_.statements()) {
    if (s.kind == Statement::Kind::Operation) translate(s);
  }
  add_made_relations();
  add_moves_without_operations();
  add_frame();
}

void Operations::find_chained() {
  for (const auto& [name, own] : sheet_.operations()) {
    for (const Statement* s : own) {
      for (const Expression& e : s->effects) {
        if (!is_operation(e)) continue;
        auto& relation = chained_[signature(e)];
        if (relation.empty()) relation = sheet_.fresh(e.name + "_made");
      }
    }
  }
}

/// A chain may return to an operation only if its conditions end it and its terms don't keep
/// growing.
void Operations::find_endless() {
  std::set<Signature> done;
  for (const auto& [name, own] : sheet_.operations()) visit(name, done);
}

bool Operations::is_operation(const Expression& effect) const {
  return is_atom(effect) && !sheet_.operations(signature(effect)).empty();
}

/// Depth first, with the operations on the way on a stack.
void Operations::visit(const Signature& first, std::set<Signature>& done) {
  struct Link {
    const Statement* from;
    const Expression* effect;
  };
  struct Step {
    Signature at;
    std::vector<Link> links;
    std::size_t next = 0;
  };
  std::vector<Step> way;
  std::set<Signature> on_way;
  const auto enter = [&](const Signature& s) {
    if (done.contains(s) || !on_way.insert(s).second) return;
    Step step{s, {}};
    for (const Statement* from : sheet_.operations(s)) {
      for (const Expression& e : from->effects) {
        if (is_operation(e)) step.links.push_back({from, &e});
      }
    }
    way.push_back(std::move(step));
  };
  enter(first);
  while (!way.empty()) {
    Step& top = way.back();
    if (top.next == top.links.size()) {
      done.insert(top.at);
      on_way.erase(top.at);
      way.pop_back();
      continue;
    }
    const Link link = top.links[top.next++];
    const bool back = on_way.contains(signature(*link.effect));
    if (back && (link.from->body.empty() || is_deeper(*link.effect))) {
      report_endless(*link.from, *link.effect);
    }
    enter(signature(*link.effect));
  }
}

void Operations::report_endless(const Statement& operation, const Expression& effect) {
  out_.report(Severity::Error, "endless-operation",
              "the operation '" + print(operation.head) + "' never ends: it brings about '" +
                  print(effect) + "', which leads back to '" + operation.head.name +
                  "' without a condition that could end it; prefix GDL says with 'next' what holds "
                  "in the end",
              effect.where);
}

/// Whether every move of that name triggers `to`, whatever the state.
bool Operations::leads_always(const Signature& move, const Signature& to) const {
  std::set<Signature> seen{move};
  std::vector<Signature> open{move};
  while (!open.empty()) {
    const Signature at = open.back();
    open.pop_back();
    if (at == to) return true;
    for (const Statement* s : sheet_.operations(at)) {
      if (!s->body.empty() || !is_general(s->head)) continue;
      for (const Expression& e : s->effects) {
        if (is_atom(e) && e.arguments.empty() && seen.insert(signature(e)).second) {
          open.push_back(signature(e));
        }
      }
    }
  }
  return false;
}

/// Whether an operation is made in every step, with any arguments. Some role makes a move in every
/// step, which is one of those that can be legal.
bool Operations::always_made(const Statement& operation) const {
  if (!is_general(operation.head) || !sheet_.knows_moves() || sheet_.moves().empty()) return false;
  for (const Expression& a : operation.head.arguments) {
    for (const auto* list : {&operation.body, &operation.effects}) {
      for (const Expression& e : *list) {
        if (variables_of(e).contains(a.name)) return false;
      }
    }
  }
  const Signature to = signature(operation.head);
  return std::ranges::all_of(sheet_.moves(),
                             [&](const Signature& move) { return leads_always(move, to); });
}

/// The condition that an action is made: by the role in control, or by an operation that triggers
/// it.
std::vector<Expression> Operations::made(const Expression& action, const Names& taken) {
  const auto chained = chained_.find(signature(action));
  if (chained != chained_.end()) {
    return {compound(chained->second, action.arguments, action.where)};
  }
  const Expression role = new_variable("Role", taken, action.where);
  std::vector<Expression> body{compound("does", {role, action}, action.where)};
  if (action == constant(kWait, 0) &&
      sheet_.has_roles(2)) {  // a role that waits makes a move of that name, too
    body.push_back(conditions_.sentence(compound("control", {role}, action.where)));
  }
  return body;
}

void Operations::translate(const Statement& operation) {
  std::vector<Expression> head;
  for (const Expression& e : operation.effects) head.push_back(e);
  auto body = conditions_.translate(operation.body, head, {operation.head});
  if (!body) return;
  std::vector<Expression> all;
  if (!always_made(operation)) {
    Names taken = variables_of(operation.head);
    for (const auto* list : {&operation.body, &operation.effects}) {
      for (const Expression& e : *list) add_variables(e, taken);
    }
    all = made(operation.head, taken);
  }
  for (Expression& literal : *body) all.push_back(std::move(literal));
  for (const Expression& effect : operation.effects) add_effect(operation, effect, all);
}

void Operations::add_effect(const Statement& operation, const Expression& effect,
                            const std::vector<Expression>& body) {
  const Expression& atom = effect.kind == Kind::Not ? effect.arguments[0] : effect;
  if (!is_atom(atom)) {
    out_.report(Severity::Error, "effect",
                "'" + print(effect) + "' is no effect: a fluent, '~' and a fluent, or an operation",
                effect.where);
    return;
  }
  if (effect.kind != Kind::Not) return add_fluent_or_operation(operation, effect, body);
  if (sheet_.is_view(signature(atom))) {
    out_.report(
        Severity::Warning, "effect-on-view",
        "'" + atom.name + "' has rules of its own: that '" + print(effect) + "' changes nothing",
        effect.where);
    return;
  }
  if (deleted_.empty()) deleted_ = sheet_.fresh("deleted");
  out_.add(compound(deleted_, {atom}, effect.where), body, operation.where);
}

void Operations::add_fluent_or_operation(const Statement& operation, const Expression& effect,
                                         std::vector<Expression> body) {
  const auto chained = chained_.find(signature(effect));
  if (chained != chained_.end()) {
    out_.add(compound(chained->second, effect.arguments, effect.where), std::move(body),
             operation.where);
    return;
  }
  out_.add(compound("next", {effect}, effect.where), std::move(body), operation.where);
}

void Operations::add_made_relations() {
  for (const auto& [action, relation] : chained_) {
    const std::uint32_t where = sheet_.operations(action).front()->where;
    const Expression made = compound(relation, numbered_variables(action.arity, where), where);
    add_legal_moves(action, made);
    const auto& own = sheet_.operations(action);
    if (std::ranges::none_of(own, [](const Statement* s) { return is_general(s->head); })) {
      add_unmatched(action, made);
    }
  }
}

/// An action that others trigger may be a move, too.
void Operations::add_legal_moves(const Signature& action, const Expression& made) {
  if (sheet_.knows_moves() && !sheet_.moves().contains(action)) return;
  const Expression move = compound(action.name, made.arguments, made.where);
  const Expression role = variable("Role", made.where);
  std::vector<Expression> body{compound("does", {role, move}, made.where)};
  if (move == constant(kWait, 0) && sheet_.has_roles(2)) {
    body.push_back(conditions_.sentence(compound("control", {role}, made.where)));
  }
  out_.add(made, std::move(body), made.where);
}

/// An action that is made and matches none of the operations of its name is itself what is added.
void Operations::add_unmatched(const Signature& action, const Expression& made) {
  Expression matched = made;
  matched.name = sheet_.fresh(action.name + "_matched");
  for (const Statement* s : sheet_.operations(action)) {
    out_.add(compound(matched.name, s->head.arguments, s->where),
             {compound(made.name, s->head.arguments, s->where)}, s->where);
  }
  const Expression added = compound(action.name, made.arguments, made.where);
  out_.add(compound("next", {added}, made.where), {made, negation(matched)}, made.where);
}

/// To the venue's reasoner, a move that no operation expands is itself what the step adds.
void Operations::add_moves_without_operations() {
  for (const Signature& move : sheet_.moves()) {
    if (!sheet_.operations(move).empty() || sheet_.is_view(move)) continue;
    const std::uint32_t where = sheet_.defined({"legal", 1}).front()->where;
    const Expression action = compound(move.name, numbered_variables(move.arity, where), where);
    out_.add(compound("next", {action}, where), made(action, {}), where);
  }
}

void Operations::add_frame() {
  const std::uint32_t where = sheet_.statements().empty() ? 0 : sheet_.statements().front().where;
  const Expression fluent = variable("Fluent", where);
  std::vector<Expression> body{compound("true", {fluent}, where)};
  if (!deleted_.empty()) body.push_back(negation(compound(deleted_, {fluent}, where)));
  out_.add(compound("next", {fluent}, where), std::move(body), where);
}

}  // namespace ludens::gdl::hrf
