// SPDX-License-Identifier: MIT
// The rules as the compiler sees them: clauses over relations that are either derived or stored.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gdl/interpreter/program.h"
#include "gdl/rules/bindings.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl::interpreter {

/// A term of a clause. A ground term is one constant, whatever its depth.
struct Pattern {
  enum class Kind : std::uint8_t { Variable, Constant, Compound };
  Kind kind = Kind::Constant;
  std::uint32_t value = 0;  // variable, TermId or FunctorId
  std::vector<Pattern> arguments;

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

/// Calls `visit` for each occurrence of a variable in a pattern.
template <class Visit>
void each_variable(const Pattern& p, const Visit& visit) {
  if (p.kind == Pattern::Kind::Variable) visit(p.value);
  for (const Pattern& a : p.arguments) each_variable(a, visit);
}

/// Whether all variables of a pattern are bound.
bool is_bound(const Pattern& p, const std::vector<bool>& bound);

struct Atom {
  enum class Kind : std::uint8_t { Positive, Negative, Distinct, Equal };
  Kind kind = Kind::Positive;
  std::uint32_t relation = 0;  // Positive and Negative
  std::vector<Pattern> arguments;
};

struct Clause {
  std::vector<Pattern> head;
  std::vector<Atom> body;
  std::uint32_t variables = 0;
};

/// A relation as evaluated. The keyword relations and those of the rules keep their ids; forms of
/// `true` and fact parts follow.
struct Relation {
  std::uint32_t arity = 0;
  Level level = Level::Static;
  bool stored = false;
  StorageId storage = 0;
  std::vector<Clause> clauses;
  std::uint32_t component = 0;  // of the dependency graph; what it needs never has a larger one
  bool recursive = false;
  /// Whether a relation of its component is negated within it: by name, because the rules would
  /// have no meaning if a single call depended on its own negation.
  bool negates_itself = false;
  bool needs_bound = false;  // a call without known arguments may have answers that are not ground
  // What planning assumes about its size: known for facts, measured in some state for the others.
  bool measured = false;  // if derived
  double rows = 0;
  std::vector<double> distinct;  // values of each column
};

/// All relations of a rulesheet. Facts, `true` (by the form of its fluent) and `does` are stored.
class Clauses {
 public:
  /// Fills the program's terms, storages and roles; relations that only have facts are stored in
  /// it.
  Clauses(const Rules& rules, Program& program);

  [[nodiscard]] Relation& operator[](std::uint32_t r) { return relations_[r]; }
  [[nodiscard]] const Relation& operator[](std::uint32_t r) const { return relations_[r]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(relations_.size()); }
  /// Relations in an order in which each comes after those it depends on; relations of a cycle are
  /// adjacent.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// Sets the sizes of a relation from these rows.
  void measure(std::uint32_t relation, const Rows& rows);
  /// Whether each answer to a call is ground where these variables are bound. Not for Distinct or
  /// Equal.
  [[nodiscard]] bool answers(const Atom& atom, const std::vector<bool>& bound) const;
  /// Whether a call may bind the variables at this place.
  [[nodiscard]] bool may_bind(const Atom& atom, std::size_t place) const;
  void reuse_fluents(Clause& clause) const;
  /// Replaces a relation's rules by all that they derive.
  void make_stored(std::uint32_t relation, const std::shared_ptr<Rows>& rows);
  /// The relation that asks for fluents of this form.
  [[nodiscard]] const std::unordered_map<FunctorId, std::uint32_t>& fluent_relations() const {
    return fluents_of_;
  }
  [[nodiscard]] std::uint32_t any_fluent() const { return any_fluent_; }
  [[nodiscard]] std::uint32_t plain_fluent() const { return plain_fluent_; }

 private:
  std::uint32_t add_stored(std::uint32_t arity, Level level, std::uint32_t width);
  void intern_ground_terms();
  FunctorId functor(SymbolId symbol, std::size_t arity);
  Pattern pattern(Term t);
  Atom atom(const Literal& literal);
  Atom fluent_atom(Atom::Kind kind, Term fluent);
  [[nodiscard]] bool too_deep(const Rule& rule) const;
  void add_rules();
  void add_fact(std::uint32_t relation, const Rule& rule);
  void separate_facts();
  void bind_roles(std::uint32_t relation);
  void order_relations();
  void find_self_negation();
  void find_levels();

  const Rules& rules_;
  Program& program_;
  mutable Bindings bindings_;
  std::vector<TermId> ground_;  // by Term
  std::vector<Relation> relations_;
  std::unordered_map<std::uint32_t, std::shared_ptr<Rows>> facts_;
  std::unordered_map<std::uint64_t, FunctorId> functors_;  // by symbol and arity
  std::unordered_map<FunctorId, std::uint32_t> fluents_of_;
  std::uint32_t any_fluent_ = 0, plain_fluent_ = 0;
  std::vector<std::uint32_t> order_;
};

}  // namespace ludens::gdl::interpreter
