// SPDX-License-Identifier: MIT
// Which shapes the terms of rules can have: what becomes columns when rules are flattened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// The work of flattening: polls the stop signal, and records why a game is refused.
struct FlatteningWork {
  /// False once there is a failure, which includes a stop.
  bool go_on(std::uint64_t steps);

  StopPoll poll;
  std::optional<GroundingFailure> failure = {};
};

/// Infers which shapes each argument of a relation can have from what the rules derive, to a
/// fixpoint.
class ShapeInference {
 public:
  using ShapeSet = std::set<Shapes::Id>;
  /// [variable]; empty: not bound by a positive literal.
  using Binding = std::vector<ShapeSet>;
  /// The cost of examining one shape, in elementary steps.
  static constexpr std::uint64_t kShapeWork = 16;
  /// For a variable that has no shape yet.
  static constexpr Shapes::Id kUnchosen = 0xffffffff;

  /// Keeps references to all of these.
  ShapeInference(const Rules& rules, GroundScope scope, Shapes& shapes, FlatteningWork& work);

  /// Reports a failure to `work` if terms can grow without bound.
  void run();
  /// Whether the scope depends on the relation.
  [[nodiscard]] bool is_needed(RelationId relation) const { return needed_[relation]; }
  /// The shapes of each variable that all positive literals allow; nullopt if the body can't hold.
  std::optional<Binding> bind(const Rule& rule);
  /// The variable of the role in the head of `legal` or `goal`, if it is one: it ranges over the
  /// roles where nothing binds it.
  [[nodiscard]] std::optional<std::uint32_t> free_role(const Rule& rule) const;
  /// The shapes of all variables with which the literal may hold, given those that are chosen.
  /// Reports a failure to `work`, with the index of the rule, if they are too many.
  std::vector<std::vector<Shapes::Id>> forms(const Literal& literal,
                                             const std::vector<Shapes::Id>& chosen,
                                             std::uint32_t rule);
  /// Whether some rule can derive the relation with these shapes.
  [[nodiscard]] bool derivable(RelationId relation, const std::vector<Shapes::Id>& shapes);
  /// The shape of a term, given those of the variables.
  Shapes::Id shape_of(Term t, const std::vector<Shapes::Id>& chosen);

 private:
  // What `role`, `init`, `next`, `legal`, `goal`, `terminal` depend on, and what the scope asks
  // for.
  void find_needed();
  // False: some are too deep to be walked by recursion, or stopped.
  bool terms_are_shallow();
  ShapeSet& at(RelationId relation, std::size_t argument);
  // Pairs of a variable and a shape that it takes, in any order and perhaps repeated. Most literals
  // have few of the variables of their rule.
  using Met = std::vector<std::pair<std::uint32_t, Shapes::Id>>;
  // Adds which shapes the variables of `t` take where `t` has `shape`. False if it can't have it;
  // then the added pairs mean nothing.
  bool match(Term t, Shapes::Id shape, Met& out) const;
  // Keeps what is also among `here`, which it sorts. False if nothing is left for a variable.
  static bool narrow(Binding& bound, std::vector<bool>& seen, Met& here);
  void bind_roles(const Rule& rule, Binding& bound) const;
  // All shapes that a term can have, given those of its variables.
  ShapeSet shapes_of(Term t, const Binding& bound);
  void infer();
  bool infer_rule(std::uint32_t index);
  // `true` holds what `init` and `next` derive; it is looked up under `next`.
  bool add_shape(RelationId head, std::size_t argument, Shapes::Id shape, std::uint32_t rule);
  // If shapes grow without end when each argument is considered alone, whole rows of them may not:
  // a literal that ties two arguments together can bound a recursion.
  void infer_rows();
  // Continues with the literals of a rule's body, starting at `literal`.
  void match_rows(std::uint32_t index, std::size_t literal, std::vector<Shapes::Id> chosen);
  bool choose_shape(Term t, Shapes::Id shape, std::vector<Shapes::Id>& chosen) const;
  void derive_row(std::uint32_t index, std::vector<Shapes::Id> chosen);

  const Rules& rules_;
  const Terms& terms_;
  const GroundScope scope_;
  Shapes& shapes_;
  FlatteningWork& work_;
  std::vector<bool> needed_;
  std::map<std::pair<RelationId, std::size_t>, ShapeSet> found_;
  // Used only if arguments alone are not enough:
  std::map<RelationId, std::set<std::vector<Shapes::Id>>> rows_;
  std::size_t row_count_ = 0;
  std::uint32_t row_work_ = 20'000;
};

}  // namespace ludens::gdl
