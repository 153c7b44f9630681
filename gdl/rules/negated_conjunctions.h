// SPDX-License-Identifier: MIT
// Negated conjunctions that say "there is none for which all of this holds".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/rules/clause_reader.h"
#include "gdl/rules/fresh_relations.h"

namespace ludens::gdl {

/// A variable that nothing binds outside a negation belongs to the negation: `(not (and (q ?z)
/// (r ?z)))` means that no ?z has both. This is not the same as that one of the parts holds for no
/// ?z, so the negation can't be split. Such a conjunction becomes a relation of its own, whose
/// arguments are the variables that it shares with what is outside, and which is negated instead.
/// A conjunction without variables of its own, or with such as occur once, stays as it is. Keeps
/// references to all it is made from.
class NegatedConjunctions {
 public:
  NegatedConjunctions(Rules& rules, FreshRelations& fresh, DiagnosticList& diagnostics,
                      std::size_t& budget, Allowance allowance)
      : rules_(rules),
        fresh_(fresh),
        diagnostics_(diagnostics),
        budget_(budget),
        go_on_(std::move(allowance)) {}

  /// The clause and those of the relations that it now needs. Each symbol that is copied is
  /// subtracted from the budget; nullopt as soon as it is used up, or the allowance ends.
  std::optional<std::vector<Clause>> lift(Clause clause);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Place {
    bool negated;  // by an odd number of `not`
    bool outside;  // of every negated conjunction
    bool certain;  // outside, and part of every branch
  };
  /// How the clause uses a variable.
  struct Uses {
    bool bound = false;    // by the head, or by what every branch has
    bool outside = false;  // of every negated conjunction, in something that may bind it
    std::uint32_t nodes = 0, last = kNone;  // how many nodes have it, and the last of them
    std::uint32_t inside = kNone;           // the last conjunction that was found to have it
  };

  void find_places(const Clause& clause);
  void find_bound(const Clause& clause);
  bool find_whole(const Clause& clause);
  bool rewrite(Clause& clause);
  FormulaNode give_relation(const Clause& clause, std::uint32_t conjunction);
  std::vector<std::uint32_t> variables_in(const Clause& clause, std::uint32_t conjunction);
  void warn(const Clause& clause, const std::vector<std::uint32_t>& own, NodeIndex where);
  const std::vector<std::uint32_t>& variables_of(const std::vector<Term>& arguments);

  Rules& rules_;
  FreshRelations& fresh_;
  DiagnosticList& diagnostics_;
  std::size_t& budget_;
  const Allowance go_on_;
  std::vector<Clause> made_;
  std::size_t made_bytes_ = 0;  // of all that were made of one form
  // What is known of the current clause
  std::vector<Place> places_;  // by node
  std::vector<Uses> uses_;     // by variable
  std::vector<bool> whole_;    // by node: a negated conjunction that can't be split
  std::vector<std::uint32_t> variables_;
};

}  // namespace ludens::gdl
