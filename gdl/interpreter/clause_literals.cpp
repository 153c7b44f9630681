// SPDX-License-Identifier: MIT
// Literals to operations: rows of stored relations, calls, tests, and bodies in place of calls.
#include <algorithm>
#include <utility>

#include "gdl/interpreter/clause_compiler.h"
#include "gdl/interpreter/estimate.h"

namespace ludens::gdl::interpreter {

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

bool ClauseCompiler::wanted(const Pattern& p) const {
  return p.kind != Pattern::Kind::Variable || used(p.value) || occurrences_[p.value] > 1;
}

void ClauseCompiler::count_occurrences(const Atom& atom, int change) {
  for (const Pattern& p : atom.arguments) {
    each_variable(p, [&](auto v) { occurrences_[v] += change; });
  }
}

void ClauseCompiler::positive(const Atom& atom) {
  const Relation& relation = clauses_[atom.relation];
  if (relation.stored) return stored(atom, false);
  impossible_ = impossible_ || !clauses_.answers(atom, bound_);
  bool open = false;
  for (const Pattern& p : atom.arguments) {
    each_variable(p, [&](auto v) { open = open || (!bound_[v] && used(v)); });
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
  count_occurrences(atom, 1);
  auto known = columns.begin();
  for (std::uint32_t i = 0; i < atom.arguments.size(); ++i) {
    if (known != columns.end() && *known == i) {
      ++known;
    } else if (wanted(atom.arguments[i])) {
      match(atom.arguments[i], true, i);
    }
  }
  count_occurrences(atom, -1);
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
  count_occurrences(atom, 1);
  for (const Pattern& p : atom.arguments) {
    mode += is_bound(p, bound_) ? 'b' : wanted(p) ? 'f' : 'e';
  }
  count_occurrences(atom, -1);
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

}  // namespace ludens::gdl::interpreter
