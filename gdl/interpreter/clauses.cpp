// SPDX-License-Identifier: MIT
#include "gdl/interpreter/clauses.h"

#include <algorithm>
#include <unordered_set>

#include "gdl/rules/components.h"

namespace ludens::gdl::interpreter {

bool is_bound(const Pattern& p, const std::vector<bool>& bound) {
  bool all = true;
  each_variable(p, [&](auto v) { all = all && bound[v]; });
  return all;
}

Clauses::Clauses(const Rules& rules, Program& program)
    : rules_(rules), program_(program), bindings_(rules) {
  intern_ground_terms();
  relations_.resize(rules.relations.size());
  for (std::uint32_t r = 0; r < relations_.size(); ++r) {
    relations_[r].arity = rules.relations[r].arity;
  }
  any_fluent_ = add_stored(1, Level::State, 1);
  plain_fluent_ = add_stored(1, Level::State, 1);
  program_.any_fluent = relations_[any_fluent_].storage;
  program_.plain_fluent = relations_[plain_fluent_].storage;
  Relation& does = relations_[kDoes];
  does.stored = true;
  does.level = Level::Move;
  does.storage = program_.does = static_cast<StorageId>(program_.storages.size());
  does.rows = static_cast<double>(std::max<std::size_t>(rules.roles.size(), 1));
  does.distinct = {does.rows, does.rows};
  program_.storages.push_back({Level::Move, 2, nullptr, {}});
  for (const Term role : rules.roles) {
    program_.roles.push_back(program_.terms.constant(rules.terms.value(role)));
  }
  add_rules();
  separate_facts();
  bind_roles(kLegal);
  bind_roles(kGoal);
  bind_roles(kSees);
  order_relations();
  find_self_negation();
  find_levels();
  for (RelationId r = 0; r < rules.relations.size(); ++r) {
    relations_[r].needs_bound = !bindings_.answers_unasked(r);
  }
}

std::uint32_t Clauses::add_stored(std::uint32_t arity, Level level, std::uint32_t width) {
  Relation relation;
  relation.arity = arity;
  relation.level = level;
  relation.stored = true;
  relation.storage = static_cast<StorageId>(program_.storages.size());
  relation.rows = 16;  // until it is measured
  relation.distinct.assign(width, 4);
  program_.storages.push_back({level, width, nullptr, {}});
  relations_.push_back(std::move(relation));
  return static_cast<std::uint32_t>(relations_.size() - 1);
}

/// The store of terms has no index of them.
FunctorId Clauses::functor(SymbolId symbol, std::size_t arity) {
  const auto count = static_cast<std::uint32_t>(arity);
  const auto [entry, added] = functors_.emplace(std::uint64_t{symbol} << 32 | count, 0);
  if (added) entry->second = program_.terms.functor(symbol, count);
  return entry->second;
}

Pattern Clauses::pattern(Term t) {
  const Terms& terms = rules_.terms;
  switch (terms.kind(t)) {
    case Terms::Kind::Constant:
      return {Pattern::Kind::Constant, ground_[t], {}};
    case Terms::Kind::Variable:
      return {Pattern::Kind::Variable, terms.value(t), {}};
    case Terms::Kind::Compound:
      break;
  }
  const auto arguments = terms.arguments(t);
  if (terms.is_ground(t)) return {Pattern::Kind::Constant, ground_[t], {}};
  Pattern p{Pattern::Kind::Compound, functor(terms.value(t), arguments.size()), {}};
  for (const Term a : arguments) p.arguments.push_back(pattern(a));
  return p;
}

/// Ground terms first, without recursion: arguments have lower numbers than the terms that contain
/// them.
void Clauses::intern_ground_terms() {
  const Terms& terms = rules_.terms;
  ground_.assign(terms.size(), kNone);
  std::vector<TermId> ids;
  for (Term t = 0; t < terms.size(); ++t) {
    if (!terms.is_ground(t)) continue;
    if (terms.kind(t) == Terms::Kind::Constant) {
      ground_[t] = program_.terms.constant(terms.value(t));
      continue;
    }
    ids.clear();
    for (const Term a : terms.arguments(t)) ids.push_back(ground_[a]);
    ground_[t] = program_.terms.compound(functor(terms.value(t), ids.size()), ids.data());
  }
}

/// `true` by the form of its argument. A compound fluent's relation has the functor's arguments as
/// columns and the fluent itself as the last.
Atom Clauses::fluent_atom(Atom::Kind kind, Term fluent) {
  Pattern p = pattern(fluent);
  if (p.kind == Pattern::Kind::Variable) return {kind, any_fluent_, {std::move(p)}};
  const TermStore& terms = program_.terms;
  if (p.kind == Pattern::Kind::Constant && terms.is_constant(p.value)) {
    return {kind, plain_fluent_, {std::move(p)}};
  }
  if (p.kind == Pattern::Kind::Constant) {
    const FunctorId f = terms.functor_of(p.value);
    const TermId* arguments = terms.arguments(p.value);
    Pattern compound{Pattern::Kind::Compound, f, {}};
    for (std::uint32_t i = 0; i < terms.functor_at(f).arity; ++i) {
      compound.arguments.push_back({Pattern::Kind::Constant, arguments[i], {}});
    }
    p = std::move(compound);
  }
  const auto [entry, added] = fluents_of_.emplace(p.value, 0);
  if (added) {
    const auto arity = static_cast<std::uint32_t>(p.arguments.size());
    entry->second = add_stored(arity, Level::State, arity + 1);
    program_.fluents_of[p.value] = relations_[entry->second].storage;
  }
  return {kind, entry->second, std::move(p.arguments)};
}

Atom Clauses::atom(const Literal& literal) {
  auto kind = Atom::Kind::Positive;
  if (literal.kind == Literal::Kind::Negative) kind = Atom::Kind::Negative;
  if (literal.kind == Literal::Kind::Distinct) kind = Atom::Kind::Distinct;
  if (kind != Atom::Kind::Distinct && literal.relation == kTrue) {
    return fluent_atom(kind, literal.arguments[0]);
  }
  Atom a{kind, kind == Atom::Kind::Distinct ? 0 : literal.relation, {}};
  for (const Term t : literal.arguments) a.arguments.push_back(pattern(t));
  return a;
}

/// Patterns are walked by recursion. Ground terms may be of any depth; a term with variables that
/// is nested deeper than this matches nothing that a game could build, and its rule is left out.
bool Clauses::too_deep(const Rule& rule) const {
  constexpr std::uint32_t kDeepest = 1000;
  const auto deep = [&](Term t) {
    return !rules_.terms.is_ground(t) && rules_.terms.depth(t) > kDeepest;
  };
  return std::ranges::any_of(rule.arguments, deep) ||
         std::ranges::any_of(rule.body, [&](const Literal& literal) {
           return std::ranges::any_of(literal.arguments, deep);
         });
}

void Clauses::add_rules() {
  for (const Rule& rule : rules_.rules) {
    if (rule.head == kTrue || rule.head == kDoes) continue;  // an error of the rules
    const bool ground =
        std::ranges::all_of(rule.arguments, [&](Term t) { return rules_.terms.is_ground(t); });
    if (rule.body.empty() && ground) {
      add_fact(rule.head, rule);
      continue;
    }
    if (too_deep(rule)) continue;
    Clause clause;
    clause.variables = static_cast<std::uint32_t>(rule.variables.size());
    for (const Term t : rule.arguments) clause.head.push_back(pattern(t));
    for (const Literal& literal : rule.body) clause.body.push_back(atom(literal));
    relations_[rule.head].clauses.push_back(std::move(clause));
  }
}

void Clauses::add_fact(std::uint32_t relation, const Rule& rule) {
  auto& rows = facts_[relation];
  // A relation without arguments needs a row that can be counted.
  const auto width = std::max<std::uint32_t>(1, relations_[relation].arity);
  if (!rows) rows = std::make_shared<Rows>(width, nullptr);
  std::vector<std::uint32_t> row;
  for (const Term t : rule.arguments) row.push_back(pattern(t).value);
  std::ranges::copy(row, rows->add());
}

/// Facts are stored. If the relation also has rules, or if the machine itself queries it, they are
/// stored under a relation of their own, to which one more rule refers.
void Clauses::separate_facts() {
  std::vector<std::uint32_t> with_facts;
  for (const auto& [relation, rows] : facts_) with_facts.push_back(relation);
  std::ranges::sort(with_facts);
  for (const std::uint32_t r : with_facts) {
    const std::shared_ptr<Rows>& rows = facts_[r];
    const std::uint32_t stored = add_stored(relations_[r].arity, Level::Static, rows->width());
    program_.storages[relations_[stored].storage].rows = rows;
    measure(stored, *rows);
    if (relations_[r].clauses.empty() && (r == kRole || r >= kKeywordCount)) {
      const Relation copy = relations_[stored];
      relations_[r] = copy;
      continue;
    }
    Clause clause;
    for (std::uint32_t i = 0; i < relations_[r].arity; ++i) {
      clause.head.push_back({Pattern::Kind::Variable, clause.variables++, {}});
    }
    clause.body.push_back({Atom::Kind::Positive, stored, clause.head});
    relations_[r].clauses.insert(relations_[r].clauses.begin(), std::move(clause));
  }
}

void Clauses::make_stored(std::uint32_t relation, const std::shared_ptr<Rows>& rows) {
  Relation& r = relations_[relation];
  r.stored = true;
  r.clauses.clear();
  r.storage = static_cast<StorageId>(program_.storages.size());
  program_.storages.push_back({Level::Static, rows->width(), rows, {}});
  measure(relation, *rows);
}

void Clauses::measure(std::uint32_t relation, const Rows& rows) {
  Relation& r = relations_[relation];
  r.rows = rows.count();
  r.distinct.assign(rows.width(), 1);
  std::unordered_set<std::uint32_t> values;
  for (std::uint32_t c = 0; c < rows.width(); ++c) {
    values.clear();
    for (std::uint32_t i = 0; i < rows.count(); ++i) values.insert(rows.row(i)[c]);
    r.distinct[c] = std::max(1.0, static_cast<double>(values.size()));
  }
}

/// A role that nothing in a rule for `legal` or `goal` binds ranges over the roles.
void Clauses::bind_roles(std::uint32_t relation) {
  for (Clause& clause : relations_[relation].clauses) {
    if (clause.head.empty() || clause.head[0].kind != Pattern::Kind::Variable) continue;
    const std::uint32_t role = clause.head[0].value;
    bool bound = false;
    for (const Atom& a : clause.body) {
      if (a.kind != Atom::Kind::Positive) continue;
      for (const Pattern& p : a.arguments) each_variable(p, [&](auto v) { bound |= v == role; });
    }
    if (!bound) clause.body.push_back({Atom::Kind::Positive, kRole, {clause.head[0]}});
  }
}

namespace {

void replace(Pattern& p, const Pattern& what, const Pattern& by) {
  if (p == what) {
    p = by;
    return;
  }
  for (Pattern& a : p.arguments) replace(a, what, by);
}

}  // namespace

/// A fluent that the body finds true and the head repeats need not be built again: it is in the
/// last column of its relation.
void Clauses::reuse_fluents(Clause& clause) const {
  for (Atom& atom : clause.body) {
    if (atom.kind != Atom::Kind::Positive) continue;
    const auto form = std::ranges::find_if(
        fluents_of_, [&](const auto& entry) { return entry.second == atom.relation; });
    if (form == fluents_of_.end() || atom.arguments.size() != relations_[atom.relation].arity) {
      continue;
    }
    const Pattern fluent{Pattern::Kind::Compound, form->first, atom.arguments};
    const Pattern variable{Pattern::Kind::Variable, clause.variables, {}};
    const std::vector<Pattern> before = clause.head;
    for (Pattern& p : clause.head) replace(p, fluent, variable);
    if (clause.head == before) continue;
    ++clause.variables;
    atom.arguments.push_back(variable);
  }
}

/// Members of a cycle are adjacent, come after everything they depend on, and have the same level.
void Clauses::find_levels() {
  for (std::size_t i = 0, end = 0; i < order_.size(); i = end) {
    Level level = Level::Static;
    for (end = i; end < order_.size(); ++end) {
      const Relation& relation = relations_[order_[end]];
      if (relation.component != relations_[order_[i]].component) break;
      if (relation.stored) level = relation.level;
      for (const Clause& clause : relation.clauses) {
        for (const Atom& a : clause.body) {
          if (a.kind == Atom::Kind::Positive || a.kind == Atom::Kind::Negative) {
            level = std::max(level, relations_[a.relation].level);
          }
        }
      }
    }
    for (std::size_t k = i; k < end; ++k) relations_[order_[k]].level = level;
  }
}

bool Clauses::answers(const Atom& atom, const std::vector<bool>& bound) const {
  if (!relations_[atom.relation].needs_bound) return true;
  Known known;
  for (const Pattern& p : atom.arguments) known.push_back(is_bound(p, bound));
  return bindings_.answers(atom.relation, known);
}

bool Clauses::may_bind(const Atom& atom, std::size_t place) const {
  if (!relations_[atom.relation].needs_bound) return true;
  Known known(atom.arguments.size(), true);
  known[place] = false;
  return bindings_.answers(atom.relation, known);
}

void Clauses::order_relations() {
  Graph edges(relations_.size());
  for (std::uint32_t r = 0; r < relations_.size(); ++r) {
    for (const Clause& clause : relations_[r].clauses) {
      for (const Atom& a : clause.body) {
        if (a.kind == Atom::Kind::Positive || a.kind == Atom::Kind::Negative) {
          edges[r].push_back(a.relation);
        }
      }
    }
  }
  const Components components = strong_components(edges);
  std::vector<std::uint32_t> sizes(components.count, 0);
  for (std::uint32_t r = 0; r < relations_.size(); ++r) {
    relations_[r].component = components.of[r];
    ++sizes[components.of[r]];
    order_.push_back(r);
  }
  for (std::uint32_t r = 0; r < relations_.size(); ++r) {
    relations_[r].recursive =
        sizes[relations_[r].component] > 1 || std::ranges::find(edges[r], r) != edges[r].end();
  }
  std::ranges::stable_sort(order_, {}, [&](std::uint32_t r) { return relations_[r].component; });
}

void Clauses::find_self_negation() {
  std::vector<bool> negating(relations_.size(), false);  // by component
  for (const Relation& relation : relations_) {
    for (const Clause& clause : relation.clauses) {
      for (const Atom& a : clause.body) {
        if (a.kind != Atom::Kind::Negative) continue;
        if (relations_[a.relation].component == relation.component) {
          negating[relation.component] = true;
        }
      }
    }
  }
  for (Relation& relation : relations_) relation.negates_itself = negating[relation.component];
}

}  // namespace ludens::gdl::interpreter
