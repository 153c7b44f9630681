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
  const auto& needs = clauses_[atom.relation].needs_bound;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (i < needs.size() && needs[i]) continue;
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
    const auto& needs = clauses_[atom.relation].needs_bound;
    if (i < needs.size() && needs[i]) return false;
  }
  return true;
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

// ---- literals ----

void ClauseCompiler::place(const Atom& atom) {
  depends_ = -1;
  switch (atom.kind) {
    case Atom::Kind::Positive:
      return positive(atom);
    case Atom::Kind::Negative:
      return negative(atom);
    case Atom::Kind::Distinct:
      return distinct(atom);
    case Atom::Kind::Equal:
      return equal(atom);
  }
}

bool ClauseCompiler::wanted(const Pattern& p, const Atom& atom) const {
  if (p.kind != Pattern::Kind::Variable) return true;
  if (used(p.value)) return true;
  int here = 0;
  for (const Pattern& a : atom.arguments) each_variable(a, [&](auto v) { here += v == p.value; });
  return here > 1;
}

void ClauseCompiler::positive(const Atom& atom) {
  const Relation& relation = clauses_[atom.relation];
  if (relation.stored) return stored(atom, false);
  const auto& needs = relation.needs_bound;
  bool open = false;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (is_bound(atom.arguments[i], bound_)) continue;
    if (needs[i]) impossible_ = true;
    each_variable(atom.arguments[i], [&](auto v) { open = open || (!bound_[v] && used(v)); });
  }
  if (!open) {
    if (const auto bodies = instances(atom)) {
      depend_on(atom);
      return exists(*bodies);
    }
  }
  call(atom, false);
}

void ClauseCompiler::negative(const Atom& atom) {
  if (clauses_[atom.relation].stored) return stored(atom, true);
  const auto bodies = instances(atom);
  if (!bodies) return call(atom, true);
  for (const Atoms& atoms : *bodies) not_exists(atoms);
}

void ClauseCompiler::depend_on(const Atom& atom) {
  for (const Pattern& p : atom.arguments) {
    each_variable(p, [&](auto v) {
      if (bound_[v]) depend(binder_[v]);
    });
  }
}

void ClauseCompiler::match_row(const Atom& atom, const Columns& columns,
                               const std::vector<Operand>& key) {
  const std::int32_t inputs = depends_;
  for (std::size_t i = 0; i < columns.size(); ++i) check(true, columns[i], key[i]);
  for (std::uint32_t i = 0; i < atom.arguments.size(); ++i) {
    const Pattern& p = atom.arguments[i];
    if (std::ranges::find(columns, i) != columns.end()) continue;
    if (p.kind != Pattern::Kind::Variable || wanted(p, atom)) match(p, true, i);
  }
  depends_ = std::max(depends_, inputs);
}

void ClauseCompiler::stored(const Atom& atom, bool negated) {
  const Relation& relation = clauses_[atom.relation];
  Columns columns;
  std::vector<Operand> key;
  bool open = false;
  for (std::uint32_t i = 0; i < atom.arguments.size(); ++i) {
    const Pattern& p = atom.arguments[i];
    if (is_bound(p, bound_)) {
      columns.push_back(i);
      key.push_back(value(p).operand);
    } else {
      each_variable(p, [&](auto v) { open = open || (!bound_[v] && used(v)); });
    }
  }
  const bool is_test = negated || !open;
  Op op{negated ? Op::Kind::NotExists : Op::Kind::Exists};
  if (!is_test) {
    op.kind = columns.empty() ? Op::Kind::Scan : Op::Kind::Lookup;
    op.iterator = new_register();
  }
  op.subject = relation.storage;
  const std::vector<bool> bound = bound_;
  match_row(atom, columns, key);
  set_operands(op, key);
  if (!columns.empty()) {
    Program::Storage& storage = program_.storages[relation.storage];
    if (storage.rows) {
      op.index = storage.rows->require_index(columns);
    } else {
      const auto found = std::ranges::find(storage.indices, columns);
      op.index = static_cast<std::uint32_t>(found - storage.indices.begin());
      if (found == storage.indices.end()) storage.indices.push_back(columns);
    }
  }
  flush_matches(op);
  is_test ? test(op) : generator(op);
  if (negated) bound_ = bound;  // another negation of the variable asks for itself
}

void ClauseCompiler::call(const Atom& atom, bool negated) {
  const bool whole = procedures_.whole(atom.relation);
  Mode mode;
  for (const Pattern& p : atom.arguments) {
    mode += is_bound(p, bound_) ? 'b' : wanted(p, atom) ? 'f' : 'e';
  }
  const bool columns = mode.find('f') != Mode::npos;
  if (negated && (whole || columns)) {
    depend_on(atom);
    return region([&] { call(atom, false); });
  }
  if (whole) return filtered_call(atom);
  std::vector<Operand> key;
  for (const Pattern& p : atom.arguments) {
    if (is_bound(p, bound_)) key.push_back(value(p).operand);
  }
  Op op{columns ? Op::Kind::Call : negated ? Op::Kind::CallFalse : Op::Kind::CallTrue};
  op.subject = procedures_.require(atom, mode);
  op.iterator = new_register(2);
  const std::int32_t inputs = depends_;
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (mode[i] == 'f') match(atom.arguments[i], true, column++);
  }
  depends_ = std::max(depends_, inputs);
  set_operands(op, key);
  flush_matches(op);
  columns ? generator(op) : test(op);
}

/// A call of a relation that is evaluated whole.
void ClauseCompiler::filtered_call(const Atom& atom) {
  Columns columns;
  std::vector<Operand> key;
  bool open = false;
  for (std::uint32_t i = 0; i < atom.arguments.size(); ++i) {
    if (is_bound(atom.arguments[i], bound_)) {
      columns.push_back(i);
      key.push_back(value(atom.arguments[i]).operand);
    } else {
      each_variable(atom.arguments[i], [&](auto v) { open = open || used(v); });
    }
  }
  Op op{columns.empty() ? Op::Kind::Call : Op::Kind::CallFiltered};
  op.subject = procedures_.require(atom.relation, Mode(atom.arguments.size(), 'f'));
  op.iterator = new_register(2);
  match_row(atom, columns, key);
  if (!columns.empty()) {
    set_operands(op, key);
    auto& indices = program_.procedures[op.subject].indices;
    const auto found = std::ranges::find(indices, columns);
    op.index = static_cast<std::uint32_t>(found - indices.begin());
    if (found == indices.end()) indices.push_back(columns);
  }
  flush_matches(op);
  open ? generator(op) : test(op);
}

void ClauseCompiler::equal(const Atom& atom) {
  match(atom.arguments[1], false, value(atom.arguments[0]).operand);
  Op op{Op::Kind::Compare};
  flush_matches(op);
  test(op);
}

void ClauseCompiler::distinct(const Atom& atom) {
  for (const Pattern& p : atom.arguments) {
    if (!is_bound(p, bound_)) return;  // unsafe: nothing can be said of it
  }
  std::vector<Operand> sides;
  for (const Pattern& p : atom.arguments) sides.push_back(value(p).operand);
  Op op{Op::Kind::Distinct};
  set_operands(op, sides);
  test(op);
}

// ---- bodies in place ----

/// The bodies that can replace a literal, in the variables of this clause. Bound variables stay; if
/// a clause requires something else, an equality remains to be tested. Nullopt: it is to be called.
std::optional<std::vector<ClauseCompiler::Atoms>> ClauseCompiler::instances(const Atom& atom) {
  constexpr std::size_t kMostVariables = 2000;  // each literal in place looks at all
  if (!procedures_.inlined(atom.relation) || bound_.size() > kMostVariables) return std::nullopt;
  std::vector<Atoms> result;
  for (const Clause& inner : clauses_[atom.relation].clauses) {
    const std::uint32_t offset = new_variables(inner.variables);
    Unifier unifier(offset + inner.variables, program_.terms);
    for (std::uint32_t v = 0; v < offset; ++v) {
      if (bound_[v]) unifier.make_rigid(v);
    }
    bool possible = true;
    for (std::size_t i = 0; i < atom.arguments.size() && possible; ++i) {
      possible = unifier.unify(atom.arguments[i], shifted(inner.head[i], offset));
    }
    if (unifier.given_up()) return std::nullopt;
    if (!possible) continue;
    Atoms atoms = unifier.equalities();
    for (Atom a : inner.body) {
      for (Pattern& p : a.arguments) p = shifted(p, offset);
      atoms.push_back(unifier.apply(a));
    }
    if (unifier.given_up()) return std::nullopt;
    result.push_back(std::move(atoms));
  }
  return result;
}

/// Runs `inside`, whose bindings, candidates and uses of variables stay local. Continues after it
/// when it fails, and fails when it succeeds.
template <class Inside>
void ClauseCompiler::region(const Inside& inside) {
  const auto bound = bound_;
  const auto uses = uses_;
  const std::int32_t generator = generator_, floor = floor_;
  const std::int32_t outside = depends_;
  const std::int32_t start = generator_ = floor_ = here();
  program_.ops.push_back({Op::Kind::Alternative});
  depends_ = -1;
  inside();
  generator_ = generator;
  floor_ = floor;
  Op fail{Op::Kind::Fail};
  fail.fail = fail.empty = std::max(floor, outside);
  program_.ops.push_back(fail);
  program_.ops[static_cast<std::size_t>(start)].target = static_cast<std::uint32_t>(here());
  bound_ = bound;
  bound_.resize(register_.size(), false);
  uses_ = uses;
  uses_.resize(register_.size(), 0);
}

void ClauseCompiler::not_exists(const Atoms& atoms) {
  depends_ = -1;
  for (const Atom& a : atoms) depend_on(a);
  region([&] {
    std::ranges::fill(uses_, 0);
    for (const Atom& a : atoms) count_uses(a, 1);
    body(atoms);
  });
}

/// One of these bodies holds; the first that does is enough.
void ClauseCompiler::exists(const std::vector<Atoms>& alternatives) {
  const auto bound = bound_;
  const auto uses = uses_;
  const std::int32_t generator = generator_, floor = floor_;
  for (const Atoms& atoms : alternatives) {
    for (const Atom& a : atoms) depend_on(a);
  }
  // The test of a clause's head may decide before any literal does.
  const std::int32_t inputs = std::max(floor, depends_);
  std::vector<std::size_t> jumps;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const bool last = i + 1 == alternatives.size();
    const auto start = static_cast<std::size_t>(here());
    generator_ = floor_ = last ? inputs : here();
    if (!last) program_.ops.push_back({Op::Kind::Alternative});
    bound_ = bound;
    bound_.resize(register_.size(), false);
    uses_.assign(register_.size(), 0);
    for (const Atom& a : alternatives[i]) count_uses(a, 1);
    body(alternatives[i]);
    if (last) break;
    jumps.push_back(static_cast<std::size_t>(here()));
    program_.ops.push_back({Op::Kind::Jump});
    program_.ops[start].target = static_cast<std::uint32_t>(here());
  }
  if (alternatives.empty()) {
    Op fail{Op::Kind::Fail};
    fail.fail = fail.empty = inputs;
    program_.ops.push_back(fail);
  }
  for (const std::size_t jump : jumps) {
    program_.ops[jump].target = static_cast<std::uint32_t>(here());
  }
  generator_ = generator;
  floor_ = floor;
  bound_ = bound;
  bound_.resize(register_.size(), false);
  uses_ = uses;
  uses_.resize(register_.size(), 0);
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
