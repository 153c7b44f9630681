// SPDX-License-Identifier: MIT
#include "gdl/rules/bindings.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

/// Arguments that are looked at for one rulesheet, and calls that are kept. Only open relations
/// need any.
constexpr std::size_t kMostWork = 4'000'000, kMostCalls = 100'000;

bool is_by_role(RelationId head) {
  return head == kLegal || head == kGoal || head == kSees;
}

}  // namespace

Bindings::Bindings(const Rules& rules) : rules_(rules), rules_of_(rules.relations.size()) {
  for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
    rules_of_[rules.rules[i].head].push_back(i);
  }
  find_open();
}

/// Marks the relations with a rule that leaves its head open, and those that call one of them.
void Bindings::find_open() {
  open_.assign(rules_.relations.size(), false);
  std::vector<std::vector<RelationId>> callers(rules_.relations.size());
  std::vector<RelationId> todo;
  for (const Rule& rule : rules_.rules) {
    if (!open_[rule.head] && leaves_open(rule)) {
      open_[rule.head] = true;
      todo.push_back(rule.head);
    }
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) callers[l.relation].push_back(rule.head);
    }
  }
  while (!todo.empty()) {
    const RelationId called = todo.back();
    todo.pop_back();
    for (const RelationId caller : callers[called]) {
      if (open_[caller]) continue;
      open_[caller] = true;
      todo.push_back(caller);
    }
  }
}

/// Whether a variable of the head or of a `distinct` is in no positive literal.
bool Bindings::leaves_open(const Rule& rule) const {
  if (rule.variables.empty()) return false;
  Known bound(rule.variables.size());
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    for (const Term t : l.arguments) bind(t, bound);
  }
  const auto open = [&](Term t) { return !all_bound(t, bound); };
  return std::ranges::any_of(rule.arguments, open) ||
         std::ranges::any_of(rule.body, [&](const Literal& l) {
           return l.kind == Literal::Kind::Distinct && std::ranges::any_of(l.arguments, open);
         });
}

bool Bindings::answers(RelationId relation, const Known& known) {
  if (!open_[relation]) return true;
  const Call call{relation, known};
  lookup(call, nullptr);
  settle();
  return entries_.find(call)->second.answers;
}

bool Bindings::evaluable(const Rule& rule) {
  if (!open_[rule.head]) return true;
  Known bound(rule.variables.size());
  if (rule.head >= kKeywordCount) {
    for (const Term t : rule.arguments) bind(t, bound);
  }
  for (;;) {  // what it calls is settled after it was asked for
    const bool result = evaluable(rule, bound, nullptr);
    if (todo_.empty()) return result;
    settle();
  }
}

const Rule* Bindings::unevaluable_rule() {
  std::vector<bool> reached(rules_.relations.size());
  std::vector<RelationId> todo{kInit, kNext, kLegal, kSees, kGoal, kTerminal};
  for (const RelationId r : todo) reached[r] = true;
  while (!todo.empty()) {
    const RelationId r = todo.back();
    todo.pop_back();
    if (!open_[r]) continue;
    for (const std::uint32_t i : rules_of_[r]) {
      const Rule& rule = rules_.rules[i];
      if (!evaluable(rule)) return &rule;
      for (const Literal& l : rule.body) {
        if (l.kind == Literal::Kind::Distinct || reached[l.relation]) continue;
        reached[l.relation] = true;
        todo.push_back(l.relation);
      }
    }
  }
  return nullptr;
}

/// What is known of a call so far. Whoever asked is looked at again if that changes.
bool Bindings::lookup(const Call& call, const Call* user) {
  const auto [entry, is_new] = entries_.try_emplace(call);
  auto& [answers, users] = entry->second;
  if (is_new) todo_.push_back(call);
  if (user != nullptr && answers && (users.empty() || users.back() != *user)) {
    users.push_back(*user);
  }
  return answers;
}

/// The greatest fixpoint: a call answers unless something shows that it does not.
void Bindings::settle() {
  while (!todo_.empty()) {
    const Call call = std::move(todo_.back());
    todo_.pop_back();
    if (!entries_.find(call)->second.answers || holds(call)) continue;
    Entry& entry = entries_.find(call)->second;
    entry.answers = false;
    todo_.insert(todo_.end(), entry.users.begin(), entry.users.end());
    entry.users.clear();
  }
}

bool Bindings::holds(const Call& call) {
  return std::ranges::all_of(rules_of_[call.first], [&](std::uint32_t i) {
    const Rule& rule = rules_.rules[i];
    Known bound(rule.variables.size());
    for (std::size_t k = 0; k < rule.arguments.size(); ++k) {
      if (call.second[k]) bind(rule.arguments[k], bound);
    }
    return evaluable(rule, std::move(bound), &call);
  });
}

bool Bindings::evaluable(const Rule& rule, Known bound, const Call* user) {
  if (is_by_role(rule.head)) bind(rule.arguments[0], bound);  // it ranges over the roles
  if (!place_all(rule, bound, user)) return false;
  const auto is_bound = [&](Term t) { return all_bound(t, bound); };
  return std::ranges::all_of(rule.arguments, is_bound) &&
         std::ranges::all_of(rule.body, [&](const Literal& l) {
           if (l.kind == Literal::Kind::Distinct) return std::ranges::all_of(l.arguments, is_bound);
           // What nothing binds belongs to the negation.
           return l.kind == Literal::Kind::Positive || !open_[l.relation] ||
                  lookup({l.relation, known_arguments(l, bound)}, user);
         });
}

/// Asks each positive condition as soon as it has what it needs. False if one never does.
bool Bindings::place_all(const Rule& rule, Known& bound, const Call* user) {
  std::vector<const Literal*> waiting;
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    if (open_[l.relation]) {
      waiting.push_back(&l);
    } else {
      for (const Term t : l.arguments) bind(t, bound);
    }
  }
  for (std::size_t before = 0; before != waiting.size();) {
    before = waiting.size();
    if (work_ > kMostWork || entries_.size() > kMostCalls) return false;
    std::erase_if(waiting, [&](const Literal* l) {
      work_ += 1 + l->arguments.size();
      if (!lookup({l->relation, known_arguments(*l, bound)}, user)) return false;
      for (const Term t : l->arguments) bind(t, bound);
      return true;
    });
  }
  return waiting.empty();
}

Known Bindings::known_arguments(const Literal& literal, const Known& bound) const {
  Known known;
  for (const Term t : literal.arguments) known.push_back(all_bound(t, bound));
  return known;
}

bool Bindings::all_bound(Term t, const Known& bound) const {
  if (rules_.terms.is_ground(t)) return true;
  variables_.clear();
  rules_.terms.append_variables(t, variables_);
  return std::ranges::all_of(variables_, [&](std::uint32_t v) { return bound[v]; });
}

void Bindings::bind(Term t, Known& bound) const {
  if (rules_.terms.is_ground(t)) return;
  variables_.clear();
  rules_.terms.append_variables(t, variables_);
  for (const std::uint32_t v : variables_) bound[v] = true;
}

}  // namespace ludens::gdl
