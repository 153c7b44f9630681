// SPDX-License-Identifier: MIT
// Rules over plain columns: every argument is split into the constants at its leaves, so that
// grounding is Datalog over integers.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// The structure of a term above its constants. Shape 0 is a constant; any other is a functor over
/// shapes. Hash-consed: equal shapes are one number.
class Shapes {
 public:
  using Id = std::uint32_t;
  static constexpr Id kConstant = 0;

  Shapes() { entries_.push_back({}); }
  Id compound(SymbolId functor, const std::vector<Id>& children);
  [[nodiscard]] SymbolId functor(Id shape) const { return entries_[shape].functor; }
  [[nodiscard]] const std::vector<Id>& children(Id shape) const { return entries_[shape].children; }
  [[nodiscard]] unsigned depth(Id shape) const { return entries_[shape].depth; }
  /// Number of constants at the leaves.
  [[nodiscard]] unsigned width(Id shape) const { return entries_[shape].width; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    SymbolId functor = 0;
    std::vector<Id> children;
    unsigned depth = 0, width = 1;
  };
  std::vector<Entry> entries_;
};

/// A relation with one shape per argument: `true (cell _ _ _)` is one, `true (control _)` another.
struct FlatRelation {
  RelationId relation;  // in Rules; kAuxiliary if the grounder made it
  std::vector<Shapes::Id> shapes;
  std::uint32_t columns;  // constants per tuple
};
inline constexpr RelationId kAuxiliary = 0xffffffff;
/// What machines are asked for, or tell themselves.
inline bool is_output_or_given(RelationId r) {
  return r == kNext || r == kLegal || r == kSees || r == kGoal || r == kTerminal || r == kTrue ||
         r == kDoes;
}

/// A column of a literal: a constant (a SymbolId) or a variable of the rule.
struct FlatTerm {
  bool variable;
  std::uint32_t value;
  friend bool operator==(const FlatTerm&, const FlatTerm&) = default;
};

struct FlatLiteral {
  Literal::Kind kind;
  std::uint32_t relation;  // index into FlatProgram::relations; not for Distinct
  std::vector<FlatTerm> columns;
};

struct FlatRule {
  std::uint32_t head;
  std::vector<FlatTerm> columns;
  std::vector<FlatLiteral> body;
  std::uint32_t variables;
  std::uint32_t source;  // index into Rules::rules
  /// Only says what may hold, not why: it is used in the reachability phase and never instantiated.
  bool relaxed_only = false;
};

struct FlatProgram {
  std::shared_ptr<const Rules> rules;
  Shapes shapes;
  std::vector<FlatRelation> relations;
  std::vector<FlatRule> flat_rules;

  /// The relation with this name and these shapes, which is added if there is none yet.
  std::uint32_t relation(RelationId name, const std::vector<Shapes::Id>& shapes);
  std::uint32_t auxiliary(std::uint32_t columns);
  /// `cell/3` with the place of its first rule: for messages.
  [[nodiscard]] std::string name(std::uint32_t flat_relation) const;
};

/// Why a game can't be grounded: an error value, never a crash.
struct GroundingFailure {
  enum class Kind { Stopped, OverBudget, EndlessTerms, UnsafeRule };
  Kind kind;
  std::string text;            // a sentence
  std::uint32_t source = ~0u;  // the rule that is to blame, if there is one
};

/// What `Result::value` calls where there is none.
[[noreturn]] inline void throw_exception_from_error(const GroundingFailure& failure,
                                                    const boost::source_location& /*where*/) {
  throw std::runtime_error(failure.text);
}

/// Which part of the rules is grounded.
enum class GroundScope : std::uint8_t {
  Playing,           // what playing depends on
  WithDeclarations,  // and what `base` and `input` say
};

/// Infers from what the rules derive, to a fixpoint, which shapes each argument can have. A rule
/// becomes one flat rule for each combination of shapes that its variables can have. Rules that
/// nothing in the scope depends on are left out. A role variable that nothing binds ranges over the
/// roles; a variable that occurs only under `not` is quantified there. Terms that can grow without
/// bound, and rules that become millions of literals, are refused. `stop` may be null.
Result<FlatProgram, GroundingFailure> flatten(std::shared_ptr<const Rules> rules,
                                              const StopSignal* stop,
                                              GroundScope scope = GroundScope::Playing);

}  // namespace ludens::gdl
