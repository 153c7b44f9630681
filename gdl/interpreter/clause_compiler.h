// SPDX-License-Identifier: MIT
// One clause to one plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/interpreter/procedures.h"
#include "gdl/interpreter/unify.h"

namespace ludens::gdl::interpreter {

/// Orders the body, with tests as early as possible, and writes the operations. A call of a
/// relation with one short clause is replaced by its body; a call of a small relation that binds no
/// variable used elsewhere is evaluated in place.
class ClauseCompiler {
 public:
  ClauseCompiler(Procedures& procedures, const Clause& clause, std::uint32_t relation,
                 const Mode& mode);
  void run();

 private:
  struct Value {
    Operand operand;
    std::int32_t binder;  // the operation that gave it, -1 for none
  };
  using Atoms = std::vector<Atom>;
  static constexpr std::int32_t kNotYet = -2;  // binder while an operation is being built

  void unfold();
  bool unfold_one(std::size_t place);
  void match_head(ClausePlan& plan);
  void body(Atoms atoms);
  void take(const Atom& atom);
  void take_in_order(Atoms atoms);
  std::size_t choose(const Atoms& atoms) const;
  [[nodiscard]] bool ready(const Atom& atom) const;
  void place(const Atom& atom);
  void positive(const Atom& atom);
  void negative(const Atom& atom);
  /// Checks the columns that are known by `key`, which ascend, and matches the others.
  void match_row(const Atom& atom, const Columns& columns, const std::vector<Operand>& key);
  void stored(const Atom& atom, bool negated);
  void call(const Atom& atom, bool negated);
  void filtered_call(const Atom& atom);
  void equal(const Atom& atom);
  void distinct(const Atom& atom);
  void emit();
  void depend_on(const Atom& atom);
  std::optional<std::vector<Atoms>> instances(const Atom& atom);
  void exists(const std::vector<Atoms>& alternatives);
  void not_exists(const Atoms& atoms);
  template <class Inside>
  void region(const Inside& inside);

  Value value(const Pattern& p);
  void match(const Pattern& p, bool column, std::uint32_t source);
  void check(bool column, std::uint32_t source, Operand operand);
  void bind(std::uint32_t variable, std::uint32_t reg);
  void flush_matches(Op& op);
  void depend(std::int32_t binder) { depends_ = std::max(depends_, binder); }
  void test(Op op);
  void generator(Op op);
  void settle_bindings(std::int32_t binder);
  std::uint32_t new_register(std::uint32_t count = 1);
  std::uint32_t new_variables(std::uint32_t count);
  [[nodiscard]] std::int32_t here() const;
  void set_operands(Op& op, const std::vector<Operand>& operands);
  /// Whether an argument of the literal whose occurrences are counted is worth a column.
  [[nodiscard]] bool wanted(const Pattern& p) const;
  void count_occurrences(const Atom& atom, int change);
  void count_binders(const Atom& atom, int change);
  void count_uses(const Atom& atom, int change);
  void count_uses(const Pattern& p, int change);
  [[nodiscard]] bool used(std::uint32_t v) const { return uses_[v] > 0; }

  Procedures& procedures_;
  Program& program_;
  const Clauses& clauses_;
  Clause clause_;
  std::uint32_t relation_;
  const Mode& mode_;

  std::vector<bool> bound_;              // by variable
  std::vector<std::uint32_t> register_;  // of a bound variable
  std::vector<std::int32_t> binder_;     // of a bound variable
  std::vector<int> uses_;                // occurrences in the head and in literals that are not
                                         // placed yet
  std::vector<int> binders_left_;        // occurrences that may bind a variable, in literals of
                                         // this body that are not placed yet
  std::vector<int> occurrences_;         // in the literal being placed; otherwise all 0
  std::vector<std::uint32_t> fresh_;     // variables that the current operation binds
  std::uint32_t registers_ = 0;
  std::int32_t generator_ = -1;  // where to go when candidates are used up
  std::int32_t floor_ = -1;      // never jump back further than this (start of a negation)
  std::int32_t depends_ = -1;    // last binder of what the current operation reads
  std::vector<Match> matches_;   // of the current operation
  bool impossible_ = false;      // a head variable has no value: the clause has no answers
};

}  // namespace ludens::gdl::interpreter
