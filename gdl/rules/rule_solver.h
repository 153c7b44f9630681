// SPDX-License-Identifier: MIT
// The last steps to a rule: equations are solved, `distinct` is decided, variables are numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "gdl/rules/unifier.h"

namespace ludens::gdl {

/// Whether a positive literal of the body has the variable; by variable, of `count`.
std::vector<bool> bound_variables(const Terms& terms, const Rule& rule, std::size_t count);

/// Calls use(term) for each argument of the head and of the literals.
template <typename Use>
void for_each_argument(Rule& rule, const Use& use) {
  for (Term& t : rule.arguments) use(t);
  for (Literal& l : rule.body) {
    for (Term& t : l.arguments) use(t);
  }
}

/// Finishes one rule after another: `begin`, then `equate` as often as needed, `solve`, `number`.
/// Keeps a reference to the terms, which grow.
class RuleSolver {
 public:
  enum class Outcome : std::uint8_t {
    Solved,
    Impossible,
    TooLarge,  // a term has more than `max_term_size` symbols
  };

  RuleSolver(Terms& terms, std::size_t max_term_size)
      : terms_(terms), max_term_size_(max_term_size), unifier_(terms) {}

  void begin();
  /// Adds an equation; false if the equations so far can't hold.
  bool equate(Term a, Term b);
  /// Replaces the variables, of which there are `count`, by what the equations say of them. Drops
  /// `distinct` of two terms that always differ.
  Outcome solve(Rule& rule, std::size_t count);
  /// Numbers the variables in the order in which they occur, from 0; `names` is by old number.
  void number(Rule& rule, const std::vector<std::string>& names);

 private:
  bool decide_distinct(Rule& rule) const;

  Terms& terms_;
  const std::size_t max_term_size_;
  Unifier unifier_;
  bool equated_ = false;
  std::vector<std::uint32_t> occurrences_;
};

}  // namespace ludens::gdl
