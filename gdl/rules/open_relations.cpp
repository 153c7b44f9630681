// SPDX-License-Identifier: MIT
#include "gdl/rules/open_relations.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gdl/rules/rule_size.h"
#include "gdl/rules/substitution.h"

namespace ludens::gdl {

namespace {

/// The most symbols of all rules with a call replaced; if there are more, the rules stay as they
/// are.
constexpr std::size_t kMaxSymbols = 1'000'000;
/// A symbol is renamed, unified, replaced and numbered: the cost in elementary steps.
constexpr std::size_t kStepsOfSymbol = 8;

}  // namespace

std::optional<OpenRelations::Result> OpenRelations::run() {
  const auto open = [&](const Rule& rule) { return leaves_open(rule); };
  if (std::ranges::none_of(rules_.rules, open)) return std::nullopt;
  needs_ = dependencies(rules_);
  find_called();
  open_.resize(rules_.relations.size());
  instead_.resize(rules_.rules.size());
  std::vector<RelationId> order;
  for (RelationId r = 0; r < open_.size(); ++r) order.push_back(r);
  std::ranges::stable_sort(order, {}, [&](RelationId r) { return needs_.components.of[r]; });
  for (const RelationId r : order) {
    rewrite(r);
    if (given_up_) return std::nullopt;
    if (called_[r] && !needs_.is_recursive(r)) set_apart(r);
  }
  if (result_.unfolded.empty()) return std::nullopt;
  for (std::size_t i = 0; i < instead_.size(); ++i) {
    if (!instead_[i]) {
      result_.rules.push_back(std::move(rules_.rules[i]));
      continue;
    }
    for (Rule& rule : *instead_[i]) result_.rules.push_back(std::move(rule));
  }
  return std::move(result_);
}

void OpenRelations::find_called() {
  called_.assign(rules_.relations.size(), false);
  for (const Rule& rule : rules_.rules) {
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) called_[l.relation] = true;
    }
  }
}

bool OpenRelations::leaves_open(const Rule& rule) const {
  if (rule.head < kKeywordCount || rule.variables.empty()) return false;
  const std::vector<bool> bound = bound_variables(rules_.terms, rule, rule.variables.size());
  std::vector<std::uint32_t> head;
  for (const Term t : rule.arguments) rules_.terms.append_variables(t, head);
  return std::ranges::any_of(head, [&](std::uint32_t v) { return !bound[v]; });
}

/// How the relation of a literal of this kind is replaced; null if it is not.
const OpenRelations::Open* OpenRelations::open(const Literal& literal, Literal::Kind kind) const {
  if (literal.kind != kind || literal.relation >= open_.size()) return nullptr;
  const std::optional<Open>& open = open_[literal.relation];
  return open ? &*open : nullptr;
}

void OpenRelations::rewrite(RelationId relation) {
  current_ = relation;
  for (const std::uint32_t i : needs_.rules_of[relation]) {
    const auto is_replaced = [&](const Literal& l) {
      return open(l, Literal::Kind::Positive) != nullptr ||
             open(l, Literal::Kind::Negative) != nullptr;
    };
    if (std::ranges::none_of(rules_.rules[i].body, is_replaced)) continue;
    replace_calls(rules_.rules[i], instead_[i].emplace());
    if (instead_[i]->empty()) result_.impossible.push_back(relation);
    if (given_up_) return;
  }
}

std::span<const Rule> OpenRelations::now(std::uint32_t rule) const {
  if (instead_[rule]) return *instead_[rule];
  return {&rules_.rules[rule], 1};
}

/// Takes the rules of a relation apart, if one leaves something open.
void OpenRelations::set_apart(RelationId relation) {
  Open apart;
  std::vector<const Rule*> others;
  for (const std::uint32_t i : needs_.rules_of[relation]) {
    for (const Rule& rule : now(i)) {
      if (rule.head != relation) continue;
      if (leaves_open(rule)) {
        apart.rules.push_back(rule);
      } else {
        others.push_back(&rule);
      }
    }
  }
  if (apart.rules.empty()) return;
  if (others.size() == 1 && is_link(*others[0])) {
    apart.closed = others[0]->body[0].relation;
  } else if (!others.empty()) {
    apart.closed = move_others(relation);
  }
  open_[relation] = std::move(apart);
  result_.unfolded.push_back(relation);
}

/// Whether a rule only says that all rows of one relation are in another.
bool OpenRelations::is_link(const Rule& rule) const {
  const auto is_variable = [&](Term t) { return rules_.terms.kind(t) == Terms::Kind::Variable; };
  return rule.body.size() == 1 && rule.body[0].kind == Literal::Kind::Positive &&
         rule.body[0].relation >= kKeywordCount && rule.body[0].arguments == rule.arguments &&
         std::ranges::all_of(rule.arguments, is_variable) &&
         rule.variables.size() == rule.arguments.size();
}

/// Gives the rules of a relation that leave nothing open a relation of their own, to which a link
/// then refers.
RelationId OpenRelations::move_others(RelationId relation) {
  const std::string name = rules_.name(relation);
  const std::uint32_t arity = rules_.relations[relation].arity;
  const RelationId closed = fresh_.make(name, arity);
  Rule link{relation, {}, {}, {}, 0};
  for (std::uint32_t k = 0; k < arity; ++k) {
    link.arguments.push_back(rules_.terms.variable(k));
    link.variables.push_back("?x" + std::to_string(k + 1));
  }
  for (const std::uint32_t i : needs_.rules_of[relation]) {
    if (!instead_[i]) instead_[i].emplace(1, rules_.rules[i]);
    for (Rule& rule : *instead_[i]) {
      if (rule.head != relation || leaves_open(rule)) continue;
      rule.head = closed;
      link.where = rule.where;
    }
  }
  link.body.push_back({Literal::Kind::Positive, closed, link.arguments, link.where});
  instead_[needs_.rules_of[relation].back()]->push_back(std::move(link));
  return closed;
}

// ---- calls ----

void OpenRelations::replace_calls(const Rule& rule, std::vector<Rule>& out) {
  std::vector<Rule> pending{rule};
  while (!pending.empty() && !given_up_) {
    const Rule next = std::move(pending.back());
    pending.pop_back();
    const auto call = std::ranges::find_if(
        next.body, [&](const Literal& l) { return open(l, Literal::Kind::Positive) != nullptr; });
    if (call == next.body.end()) {
      replace_negations(next, out);
      continue;
    }
    const Open& called = *open(*call, Literal::Kind::Positive);
    if (!affordable(next, called)) return;
    std::vector<Rule> ways;
    alternatives(next, static_cast<std::size_t>(call - next.body.begin()), called, ways);
    std::move(ways.rbegin(), ways.rend(), std::back_inserter(pending));
  }
}

/// Counts what a call in this rule becomes.
bool OpenRelations::affordable(const Rule& rule, const Open& called) {
  symbols_ += symbols_of_rule(rules_.terms, rule) * (called.rules.size() + 1);
  for (const Rule& by : called.rules) symbols_ += symbols_of_rule(rules_.terms, by);
  given_up_ = given_up_ || symbols_ > kMaxSymbols;
  return !given_up_;
}

bool OpenRelations::go_on(std::size_t symbols) {
  given_up_ = given_up_ || !go_on_(symbols * kStepsOfSymbol, made_bytes_);
  return !given_up_;
}

void OpenRelations::alternatives(const Rule& rule, std::size_t call, const Open& called,
                                 std::vector<Rule>& out) {
  if (called.closed) {
    out.push_back(rule);
    out.back().body[call].relation = *called.closed;
  }
  for (const Rule& by : called.rules) {
    if (!go_on(symbols_of_rule(rules_.terms, rule) + symbols_of_rule(rules_.terms, by))) return;
    unfold(rule, call, by, out);
  }
}

void OpenRelations::unfold(const Rule& rule, std::size_t call, const Rule& by,
                           std::vector<Rule>& out) {
  const Literal& literal = rule.body[call];
  const Inner inner = inner_of(rule, by, literal.where);
  std::vector<bool> own = inner.own;
  add_own(rule, 0, own);
  Rule made{rule.head, rule.arguments, {}, {}, rule.where};
  const auto place = rule.body.begin() + static_cast<std::ptrdiff_t>(call);
  made.body.assign(rule.body.begin(), place);
  made.body.insert(made.body.end(), inner.body.begin(), inner.body.end());
  made.body.insert(made.body.end(), place + 1, rule.body.end());
  solver_.begin();
  for (std::size_t k = 0; k < literal.arguments.size(); ++k) {
    if (!solver_.equate(literal.arguments[k], inner.arguments[k])) return;
  }
  if (solver_.solve(made, inner.names.size()) != RuleSolver::Outcome::Solved) return;
  if (const auto loose = loose_variable(made, own)) {
    result_.left_out.push_back({literal.where, rule.head, literal.relation, inner.names[*loose]});
    return;
  }
  solver_.number(made, inner.names);
  made_bytes_ += sizeof(Rule) + bytes_of_rule(made);
  out.push_back(std::move(made));
}

/// A variable that the rule uses and nothing binds, where that has no meaning.
std::optional<std::uint32_t> OpenRelations::loose_variable(const Rule& rule,
                                                           const std::vector<bool>& own) const {
  const std::vector<bool> bound = bound_variables(rules_.terms, rule, own.size());
  const bool by_role = rule.head == kLegal || rule.head == kGoal || rule.head == kSees;
  std::vector<bool> in_head(own.size(), false), tested(own.size(), false), used(own.size(), false);
  mark(rule.arguments, in_head);
  for (const Literal& l : rule.body) {
    mark(l.arguments, l.kind == Literal::Kind::Distinct ? tested : used);
  }
  for (std::uint32_t v = 0; v < own.size(); ++v) {
    if (bound[v]) continue;
    const bool role = by_role && rule.arguments[0] == rules_.terms.variable(v);
    const bool given = in_head[v] && (role || rule.head >= kKeywordCount);
    if (!given && (in_head[v] || tested[v] || (used[v] && !own[v]))) return v;
  }
  return std::nullopt;
}

void OpenRelations::mark(const std::vector<Term>& arguments, std::vector<bool>& variables) const {
  std::vector<std::uint32_t> occurring;
  for (const Term t : arguments) rules_.terms.append_variables(t, occurring);
  for (const std::uint32_t v : occurring) variables[v] = true;
}

/// Marks the variables of a rule that occur neither in the head nor in a positive literal; `first`
/// is the number of its first variable in `own`.
void OpenRelations::add_own(const Rule& rule, std::uint32_t first, std::vector<bool>& own) const {
  std::vector<bool> known = bound_variables(rules_.terms, rule, rule.variables.size());
  mark(rule.arguments, known);
  for (std::uint32_t v = 0; v < rule.variables.size(); ++v) own[first + v] = !known[v];
}

OpenRelations::Inner OpenRelations::inner_of(const Rule& outer, const Rule& rule,
                                             NodeIndex where) const {
  Inner inner{{}, rule.body, outer.variables, {}};
  const auto first = static_cast<std::uint32_t>(outer.variables.size());
  Substitution shift(rules_.terms, Substitution::Mode::Once);
  std::unordered_set<std::string> taken;
  for (const std::string& name : outer.variables) taken.insert(fold_case(name));
  for (std::uint32_t v = 0; v < rule.variables.size(); ++v) {
    shift.bind(v, rules_.terms.variable(first + v));
    std::string name = rule.variables[v];
    for (int n = 1; !taken.insert(fold_case(name)).second; ++n) {
      name = rule.variables[v] + '_' + std::to_string(n);
    }
    inner.names.push_back(std::move(name));
  }
  for (const Term t : rule.arguments) inner.arguments.push_back(shift.apply(t));
  for (Literal& l : inner.body) {
    for (Term& t : l.arguments) t = shift.apply(t);
    l.where = where;
  }
  inner.own.assign(inner.names.size(), false);
  add_own(rule, first, inner.own);
  return inner;
}

// ---- negated calls ----

void OpenRelations::replace_negations(Rule rule, std::vector<Rule>& out) {
  std::vector<Rule> rules;
  rules.push_back(std::move(rule));
  for (std::size_t i = 0; i < rules.size() && !given_up_; ++i) {
    const Rule before = rules[i];
    std::vector<Literal> body;
    bool changed = false;
    for (const Literal& l : before.body) {
      const Open* called = open(l, Literal::Kind::Negative);
      if (called != nullptr && affordable(before, *called) &&
          negate(before, l, *called, body, rules)) {
        changed = true;
      } else {
        body.push_back(l);
      }
    }
    if (!changed) continue;
    rules[i].body = std::move(body);
    solver_.number(rules[i], before.variables);
  }
  std::ranges::move(rules, std::back_inserter(out));
}

/// The literals that say the same as a negated call, and the rules that they need. False if the
/// call must stay, because its variables are only known where the rule itself is called.
bool OpenRelations::negate(const Rule& rule, const Literal& call, const Open& called,
                           std::vector<Literal>& literals, std::vector<Rule>& made) {
  std::vector<Term> known;
  for (const std::uint32_t v : known_variables(rule, call)) {
    known.push_back(rules_.terms.variable(v));
  }
  std::vector<Rule> instances;
  for (const Rule& of : called.rules) {
    if (!go_on(symbols_of_rule(rules_.terms, rule) + symbols_of_rule(rules_.terms, of)))
      return false;
    Rule one{0, known, {}, {}, rule.where};
    const auto possible = instance(rule, call, of, one);
    if (!possible) return false;
    if (*possible) instances.push_back(std::move(one));
  }
  if (called.closed) {
    literals.push_back({Literal::Kind::Negative, *called.closed, call.arguments, call.where});
  }
  if (instances.empty()) return true;
  const std::string prefix = auxiliary_.contains(call.relation) ? "" : "some_";
  const RelationId some =
      fresh_.make(prefix + rules_.name(call.relation), static_cast<std::uint32_t>(known.size()));
  literals.push_back({Literal::Kind::Negative, some, known, call.where});
  for (Rule& one : instances) {
    one.head = some;
    made.push_back(std::move(one));
  }
  return true;
}

/// A rule that holds where the called rule does: `made` has the variables of the call that its
/// rule knows as arguments. Where the called rule leaves them open, what binds them in the calling
/// rule is added. False if it can never hold; nullopt if something stays open.
std::optional<bool> OpenRelations::instance(const Rule& rule, const Literal& call, const Rule& of,
                                            Rule& made) {
  const Inner inner = inner_of(rule, of, call.where);
  std::vector<bool> own = inner.own;
  if (auxiliary_.contains(call.relation)) add_own(rule, 0, own);
  const std::vector<Term> head = made.arguments;
  for (const bool restricted : {false, true}) {
    made.arguments = head;
    made.body = inner.body;
    if (restricted) {
      for (const Term t : head) add_binder(rule, rules_.terms.value(t), made.body);
    }
    solver_.begin();
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      if (!solver_.equate(call.arguments[k], inner.arguments[k])) return false;
    }
    const RuleSolver::Outcome outcome = solver_.solve(made, inner.names.size());
    if (outcome == RuleSolver::Outcome::Impossible) return false;
    if (outcome == RuleSolver::Outcome::TooLarge) return std::nullopt;
    made.head = kTerminal;  // a keyword: its arguments must be bound
    if (loose_variable(made, own)) continue;
    solver_.number(made, inner.names);
    made_bytes_ += sizeof(Rule) + bytes_of_rule(made);
    return true;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> OpenRelations::known_variables(const Rule& rule,
                                                          const Literal& call) const {
  std::vector<bool> wanted = bound_variables(rules_.terms, rule, rule.variables.size());
  mark(rule.arguments, wanted);
  std::vector<std::uint32_t> all, known;
  for (const Term t : call.arguments) rules_.terms.append_variables(t, all);
  for (const std::uint32_t v : all) {
    if (wanted[v]) known.push_back(v);
    wanted[v] = false;
  }
  return known;
}

/// Adds a literal that binds a variable in a rule, if one does that does not need the rule itself.
void OpenRelations::add_binder(const Rule& rule, std::uint32_t variable,
                               std::vector<Literal>& body) {
  if (!go_on(symbols_of_rule(rules_.terms, rule) + body.size())) return;
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive || !has_variable(l.arguments, variable)) continue;
    const bool is_new = l.relation >= open_.size();
    if (!is_new && needs_.in_same_component(l.relation, current_)) continue;
    const bool there = std::ranges::any_of(body, [&](const Literal& other) {
      return other.kind == l.kind && other.relation == l.relation && other.arguments == l.arguments;
    });
    if (!there) body.push_back(l);
    return;
  }
  const bool by_role = rule.head == kLegal || rule.head == kGoal || rule.head == kSees;
  if (by_role && rule.arguments[0] == rules_.terms.variable(variable)) {
    body.push_back({Literal::Kind::Positive, kRole, {rule.arguments[0]}, rule.where});
  }
}

bool OpenRelations::has_variable(const std::vector<Term>& arguments, std::uint32_t variable) const {
  std::vector<std::uint32_t> variables;
  for (const Term t : arguments) rules_.terms.append_variables(t, variables);
  return std::ranges::find(variables, variable) != variables.end();
}

}  // namespace ludens::gdl
