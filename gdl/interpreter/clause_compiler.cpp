// SPDX-License-Identifier: MIT
#include "gdl/interpreter/clause_compiler.h"

#include <algorithm>

#include "gdl/interpreter/estimate.h"

namespace ludens::gdl::interpreter {

ClauseCompiler::ClauseCompiler(Procedures& procedures, const Clause& clause, std::uint32_t relation,
                               const Mode& mode)
    : procedures_(procedures),
      program_(procedures.program()),
      clauses_(procedures.clauses()),
      clause_(clause),
      relation_(relation),
      mode_(mode) {}

void ClauseCompiler::run() {
  unfold();
  if (impossible_) return;
  clauses_.reuse_fluents(clause_);
  new_variables(clause_.variables);
  for (const Atom& a : clause_.body) count_uses(a, 1);
  for (std::size_t i = 0; i < clause_.head.size(); ++i) {
    if (mode_[i] == 'f') count_uses(clause_.head[i], 1);
  }
  ClausePlan plan;
  match_head(plan);
  plan.first_op = static_cast<std::uint32_t>(program_.ops.size());
  body(clause_.body);
  emit();
  plan.registers = registers_;
  program_.clauses.push_back(plan);
}

/// Replaces calls of small relations by their bodies, so that their literals are ordered with the
/// others.
void ClauseCompiler::unfold() {
  constexpr std::size_t kLongest = 40, kMostSteps = 200;
  std::size_t place = 0, steps = 0;
  while (place < clause_.body.size() && clause_.body.size() < kLongest && steps < kMostSteps &&
         !impossible_) {
    const Atom& a = clause_.body[place];
    if (a.kind == Atom::Kind::Positive && procedures_.unfolded(a.relation) && unfold_one(place)) {
      ++steps;
    } else {
      ++place;
    }
  }
}

bool ClauseCompiler::unfold_one(std::size_t place) {
  const Atom atom = clause_.body[place];
  const Clause& inner = clauses_[atom.relation].clauses[0];
  Unifier unifier(clause_.variables + inner.variables, program_.terms);
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (unifier.unify(atom.arguments[i], shifted(inner.head[i], clause_.variables))) continue;
    impossible_ = !unifier.given_up();
    return impossible_;
  }
  Clause unfolded;
  unfolded.variables = clause_.variables + inner.variables;
  for (const Pattern& p : clause_.head) unfolded.head.push_back(unifier.apply(p));
  for (std::size_t i = 0; i < clause_.body.size(); ++i) {
    if (i != place) {
      unfolded.body.push_back(unifier.apply(clause_.body[i]));
      continue;
    }
    for (Atom a : inner.body) {
      for (Pattern& p : a.arguments) p = shifted(p, clause_.variables);
      unfolded.body.push_back(unifier.apply(a));
    }
  }
  if (unifier.given_up()) return false;
  clause_ = std::move(unfolded);
  return true;
}

void ClauseCompiler::match_head(ClausePlan& plan) {
  registers_ = static_cast<std::uint32_t>(std::ranges::count(mode_, 'b'));
  std::uint32_t key = 0;
  for (std::size_t i = 0; i < clause_.head.size(); ++i) {
    if (mode_[i] == 'b') match(clause_.head[i], false, key++);
  }
  plan.matches = static_cast<std::uint32_t>(program_.matches.size());
  plan.match_count = static_cast<std::uint32_t>(matches_.size());
  program_.matches.insert(program_.matches.end(), matches_.begin(), matches_.end());
  matches_.clear();
  settle_bindings(-1);
  depends_ = -1;
}

void ClauseCompiler::emit() {
  depends_ = -1;
  std::vector<Operand> columns;
  for (std::size_t i = 0; i < clause_.head.size() && !impossible_; ++i) {
    if (mode_[i] != 'f') continue;
    if (!is_bound(clause_.head[i], bound_)) {
      impossible_ = true;
      break;
    }
    const Value v = value(clause_.head[i]);
    columns.push_back(v.operand);
  }
  Op op{impossible_ ? Op::Kind::Fail : Op::Kind::Emit};
  set_operands(op, columns);
  op.fail = op.empty = depends_;  // with this answer given, only what it came from matters
  program_.ops.push_back(op);
}

// ---- order ----

void ClauseCompiler::body(Atoms atoms) {
  std::vector<int> outside(register_.size(), 0);
  outside.swap(binders_left_);
  for (const Atom& a : atoms) count_binders(a, 1);
  while (!atoms.empty() && procedures_.weighs(atoms.size())) {
    const std::size_t i = choose(atoms);
    const Atom atom = std::move(atoms[i]);
    atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(i));
    take(atom);
  }
  take_in_order(std::move(atoms));
  binders_left_ = std::move(outside);
  binders_left_.resize(register_.size(), 0);
}

void ClauseCompiler::take(const Atom& atom) {
  count_binders(atom, -1);
  count_uses(atom, -1);
  place(atom);
}

/// In the order of the text, each as soon as it is ready.
void ClauseCompiler::take_in_order(Atoms atoms) {
  while (!atoms.empty()) {
    Atoms waiting;
    for (Atom& atom : atoms) {
      ready(atom) ? take(atom) : waiting.push_back(std::move(atom));
    }
    if (waiting.size() == atoms.size()) {  // for what never comes
      take(waiting.front());
      waiting.erase(waiting.begin());
    }
    atoms = std::move(waiting);
  }
}

/// Literals that may bind a variable.
void ClauseCompiler::count_binders(const Atom& atom, int change) {
  if (atom.kind != Atom::Kind::Positive) return;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (!clauses_.may_bind(atom, i)) continue;
    each_variable(atom.arguments[i], [&](auto v) { binders_left_[v] += change; });
  }
}

/// Negations and `distinct` wait for their variables; in a negation, a variable that nothing can
/// bind means "there is none". Some arguments of some relations must be given.
bool ClauseCompiler::ready(const Atom& atom) const {
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (is_bound(atom.arguments[i], bound_)) continue;
    if (atom.kind == Atom::Kind::Distinct) return false;
    if (atom.kind == Atom::Kind::Equal) return true;
    if (atom.kind == Atom::Kind::Negative) {
      bool waits = false;
      each_variable(atom.arguments[i],
                    [&](auto v) { waits = waits || (!bound_[v] && binders_left_[v] > 0); });
      if (waits) return false;
    }
  }
  const bool asks = atom.kind == Atom::Kind::Positive || atom.kind == Atom::Kind::Negative;
  return !asks || clauses_.answers(atom, bound_);
}

std::size_t ClauseCompiler::choose(const Atoms& atoms) const {
  const Estimate estimate(clauses_);
  const bool started = std::ranges::find(bound_, true) != bound_.end();
  std::size_t best = 0;
  double best_cost = 1e300;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Atom& a = atoms[i];
    double cost = 1e299;
    if (ready(a)) {
      if (a.kind == Atom::Kind::Distinct || a.kind == Atom::Kind::Equal) {
        cost = -2;
      } else if (a.kind == Atom::Kind::Negative) {
        cost = clauses_[a.relation].stored ? -1 : 0.5;
      } else {
        cost = estimate.rows(a, bound_);
        bool linked = false, open = false;
        for (const Pattern& p : a.arguments) {
          each_variable(p, [&](auto v) { (bound_[v] ? linked : open) = true; });
        }
        if (!open && clauses_[a.relation].stored) cost = -1.5;
        if (open && !linked && started && cost > 1) cost *= 8;  // a cross product
        if (clauses_[a.relation].component == clauses_[relation_].component && open && !linked) {
          cost = 1.5;  // the relation itself: each of its answers once
        }
      }
    }
    if (cost < best_cost) {
      best_cost = cost;
      best = i;
    }
  }
  return best;
}

// ---- operations ----

/// An operand for a pattern whose variables are bound; compounds are built.
ClauseCompiler::Value ClauseCompiler::value(const Pattern& p) {
  if (p.kind == Pattern::Kind::Constant) return {p.value | kTermBit, -1};
  if (p.kind == Pattern::Kind::Variable) {
    depend(binder_[p.value]);
    return {register_[p.value], binder_[p.value]};
  }
  const std::int32_t before = depends_;
  depends_ = -1;
  std::vector<Operand> arguments;
  for (const Pattern& a : p.arguments) arguments.push_back(value(a).operand);
  const std::int32_t binder = depends_;
  depends_ = std::max(before, binder);
  const bool ground = std::ranges::all_of(arguments, [](Operand o) { return (o & kTermBit) != 0; });
  if (ground) {
    for (Operand& o : arguments) o &= ~kTermBit;
    return {program_.terms.compound(p.value, arguments.data()) | kTermBit, -1};
  }
  Op op{Op::Kind::Build};
  op.subject = p.value;
  op.target = new_register();
  set_operands(op, arguments);
  program_.ops.push_back(op);
  return {op.target, binder};
}

void ClauseCompiler::check(bool column, std::uint32_t source, Operand operand) {
  matches_.push_back(
      {column ? Match::Kind::CheckColumn : Match::Kind::CheckRegister, source, operand});
}

void ClauseCompiler::bind(std::uint32_t variable, std::uint32_t reg) {
  bound_[variable] = true;
  register_[variable] = reg;
  binder_[variable] = kNotYet;
  fresh_.push_back(variable);
}

/// Compares a column or register with a pattern, and binds the variables that have no value yet.
void ClauseCompiler::match(const Pattern& p, bool column, std::uint32_t source) {
  if (p.kind == Pattern::Kind::Constant) return check(column, source, p.value | kTermBit);
  if (p.kind == Pattern::Kind::Variable && bound_[p.value]) {
    if (binder_[p.value] != kNotYet) depend(binder_[p.value]);
    return check(column, source, register_[p.value]);
  }
  if (p.kind == Pattern::Kind::Variable) {
    if (!column) return bind(p.value, source);
    bind(p.value, new_register());
    matches_.push_back({Match::Kind::BindColumn, source, register_[p.value]});
    return;
  }
  const std::uint32_t first = new_register(static_cast<std::uint32_t>(p.arguments.size()));
  matches_.push_back({column ? Match::Kind::DecomposeColumn : Match::Kind::DecomposeRegister,
                      source, first, p.value});
  for (std::uint32_t i = 0; i < p.arguments.size(); ++i) match(p.arguments[i], false, first + i);
}

void ClauseCompiler::flush_matches(Op& op) {
  op.matches = static_cast<std::uint32_t>(program_.matches.size());
  op.match_count = static_cast<std::uint32_t>(matches_.size());
  program_.matches.insert(program_.matches.end(), matches_.begin(), matches_.end());
  matches_.clear();
}

/// An operation that holds or not: no candidates to come back to.
void ClauseCompiler::test(Op op) {
  settle_bindings(depends_);
  op.fail = generator_;
  op.empty = std::max(floor_, depends_);
  program_.ops.push_back(op);
}

void ClauseCompiler::generator(Op op) {
  settle_bindings(here());
  op.fail = generator_;
  op.empty = std::max(floor_, depends_);
  generator_ = here();
  program_.ops.push_back(op);
}

/// Variables bound by the current operation get their value from `binder`.
void ClauseCompiler::settle_bindings(std::int32_t binder) {
  for (const std::uint32_t v : fresh_) binder_[v] = binder;
  fresh_.clear();
}

std::uint32_t ClauseCompiler::new_register(std::uint32_t count) {
  registers_ += count;
  return registers_ - count;
}

std::uint32_t ClauseCompiler::new_variables(std::uint32_t count) {
  const auto first = static_cast<std::uint32_t>(register_.size());
  bound_.resize(first + count, false);
  register_.resize(first + count, kNone);
  binder_.resize(first + count, -1);
  uses_.resize(first + count, 0);
  binders_left_.resize(first + count, 0);
  occurrences_.resize(first + count, 0);
  return first;
}

std::int32_t ClauseCompiler::here() const {
  return static_cast<std::int32_t>(program_.ops.size());
}

void ClauseCompiler::set_operands(Op& op, const std::vector<Operand>& operands) {
  op.operands = static_cast<std::uint32_t>(program_.operands.size());
  op.operand_count = static_cast<std::uint32_t>(operands.size());
  program_.operands.insert(program_.operands.end(), operands.begin(), operands.end());
}

void ClauseCompiler::count_uses(const Atom& atom, int change) {
  for (const Pattern& p : atom.arguments) count_uses(p, change);
}

void ClauseCompiler::count_uses(const Pattern& p, int change) {
  each_variable(p, [&](auto v) { uses_[v] += change; });
}

}  // namespace ludens::gdl::interpreter
