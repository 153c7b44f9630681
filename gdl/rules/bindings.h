// SPDX-License-Identifier: MIT
// Which arguments of a call must be known before it is asked, where a rule leaves its head open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// By argument of a relation, or by variable of a rule.
using Known = std::vector<bool>;

/// A rule that leaves a variable of its head open, as in `(step ?f 1 ?f 2)`, says something about
/// every value that the variable has where it is called, and nothing where it has none. Which
/// arguments must be known follows through all rules, recursive ones, too: `(step e 1 ?x ?y)` binds
/// ?x and ?y. Answers are kept. For one thread; keeps a reference to the rules, which must not
/// change.
class Bindings {
 public:
  explicit Bindings(const Rules& rules);

  /// Whether each answer to a call with these arguments known has a value for all others, and can
  /// be derived. False also if that takes too long to find out.
  bool answers(RelationId relation, const Known& known);
  /// The same of a call without any.
  bool answers_unasked(RelationId relation) {
    return !open_[relation] || answers(relation, Known(rules_.relations[relation].arity));
  }
  /// Whether the conditions of a rule can be asked in some order in which each has what it needs,
  /// and all variables of the head get a value. If the head is not a keyword, its arguments are
  /// known.
  bool evaluable(const Rule& rule);
  /// A rule that play may ask for and that is not evaluable; null if there is none.
  const Rule* unevaluable_rule();

 private:
  using Call = std::pair<RelationId, Known>;
  struct Entry {
    bool answers = true;  // until the contrary is found
    std::vector<Call> users;
  };

  void find_open();
  [[nodiscard]] bool leaves_open(const Rule& rule) const;
  bool lookup(const Call& call, const Call* user);
  void settle();
  bool holds(const Call& call);
  bool evaluable(const Rule& rule, Known bound, const Call* user);
  bool place_all(const Rule& rule, Known& bound, const Call* user);
  [[nodiscard]] Known known_arguments(const Literal& literal, const Known& bound) const;
  [[nodiscard]] bool all_bound(Term t, const Known& bound) const;
  void bind(Term t, Known& bound) const;

  const Rules& rules_;
  std::vector<std::vector<std::uint32_t>> rules_of_;  // by relation
  std::vector<bool> open_;                            // by relation: some call may leave it open
  std::map<Call, Entry> entries_;
  std::vector<Call> todo_;
  std::size_t work_ = 0;
  mutable std::vector<std::uint32_t> variables_;
};

}  // namespace ludens::gdl
