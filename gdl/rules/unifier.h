// SPDX-License-Identifier: MIT
// Unification of terms without recursion and without exponential cases: classes of equal terms are
// merged (Huet; Baader and Snyder, "Unification theory", 2001, section 2.3) and cycles are searched
// for at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/rules/terms.h"

namespace ludens::gdl {

/// Collects equations between terms of one store. One thread; reusable after `reset`.
class Unifier {
 public:
  /// Variables of two rules share numbers: the side distinguishes them.
  enum class Side : std::uint8_t { Left, Right };

  explicit Unifier(const Terms& terms) : terms_(terms) {}

  void reset();
  /// Adds an equation. False if the equations so far can't hold; the unifier then needs a reset.
  bool unify(Term a, Side side_a, Term b, Side side_b);
  /// Whether finite terms satisfy the equations (the occurs check).
  [[nodiscard]] bool acyclic();
  /// What a variable of the left side is equal to, if that is not just the variable itself: a
  /// constant, a compound (whose variables may be bound in turn), or the variable of the smallest
  /// number. For equations of the left side alone.
  [[nodiscard]] std::optional<Term> binding(Term variable);

 private:
  using ClassId = std::uint32_t;
  static constexpr Term kNoTerm = 0xffffffff;
  enum class Colour : std::uint8_t { White, Grey, Black };
  struct Class {
    ClassId parent;
    Term schema;    // a constant or compound of the class, or kNoTerm
    Term variable;  // the variable of the smallest number, or kNoTerm
    Side side;      // of the schema
    Colour colour;  // in the search for cycles
  };

  ClassId class_of(Term t, Side side);
  ClassId root(ClassId c);
  bool merge(ClassId a, ClassId b);
  bool search_cycle(ClassId start);

  const Terms& terms_;
  std::unordered_map<std::uint64_t, ClassId> ids_;  // by term and side
  std::vector<Class> classes_;
  std::vector<std::pair<ClassId, ClassId>> pending_;
};

/// Whether a sentence of one rule can equal a sentence of another, of the same relation.
bool unifiable(Unifier& scratch, std::span<const Term> left, std::span<const Term> right);

}  // namespace ludens::gdl
