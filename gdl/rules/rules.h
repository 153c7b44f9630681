// SPDX-License-Identifier: MIT
// The normal form of a rulesheet, on which checker, interpreter and grounder work: Horn clauses
// with negation and `distinct`, without `or`, `and`, nested `not` or needless parentheses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/rules/goal_scale.h"
#include "gdl/rules/symbols.h"
#include "gdl/rules/terms.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/keywords.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl {

using RoleIndex = std::uint32_t;
using RelationId = std::uint32_t;

/// A relation is its name with its arity: `cell/3` and `cell/6` are two. Keyword relations have
/// symbols of their own, always in lower case: a constant called `Legal` keeps its spelling.
struct Relation {
  SymbolId name;
  std::uint32_t arity;
};

struct Literal {
  enum class Kind : std::uint8_t { Positive, Negative, Distinct };
  Kind kind;
  RelationId relation;          // not for Distinct
  std::vector<Term> arguments;  // two for Distinct
  NodeIndex where;              // its node in the syntax tree
};

/// `head <- body`. A fact is a rule without a body. Body literals are in text order; the evaluator
/// chooses the order of evaluation.
struct Rule {
  RelationId head;
  std::vector<Term> arguments;
  std::vector<Literal> body;
  std::vector<std::string> variables;  // spelling of variable i; a rule's variables are 0..size-1
  NodeIndex where;                     // the form it came from; branches of an `or` share it
};

/// The normalised rulesheet. Immutable, shared by all code that works on the game.
struct Rules {
  std::shared_ptr<const SyntaxTree> source;
  std::vector<NodeIndex> forms;  // the nodes of the rulesheet's forms, in text order
  Symbols symbols;
  Terms terms;
  std::vector<Relation> relations;  // keywords first
  std::vector<Rule> rules;          // in text order
  std::vector<Term> roles;          // constants, in the order of the (role R) facts
  std::optional<RoleIndex> random;  // the role `random`, if there is one
  GoalScale goals;                  // all goals that the rules could give

  [[nodiscard]] std::optional<RelationId> find_relation(SymbolId name, std::uint32_t arity) const;
  /// Finds a relation by its name; case does not matter.
  [[nodiscard]] std::optional<RelationId> find_relation(std::string_view name,
                                                        std::uint32_t arity) const;
  /// The id of a relation, which is added if necessary.
  RelationId intern_relation(SymbolId name, std::uint32_t arity);
  /// The name of a relation as first spelled.
  [[nodiscard]] const std::string& name(RelationId relation) const {
    return symbols.spelling(relations[relation].name);
  }
  [[nodiscard]] bool has_rule(RelationId head) const;
  /// The integer that a constant is; nullopt if it is none, or has more than nine digits.
  [[nodiscard]] std::optional<int> number(SymbolId constant) const;
  /// What searches see of a goal of this constant, from 0 to 100; nullopt if it is no integer.
  [[nodiscard]] std::optional<int> goal_value(SymbolId constant) const;
  /// The place of a node; forms are counted within the rulesheet, even in a START message.
  [[nodiscard]] Location location(NodeIndex n) const;
  /// The first place of a variable below a node, or that node if it is not written there.
  [[nodiscard]] NodeIndex place(std::string_view variable, NodeIndex below) const;

  /// `( f a ?x )` with the spelling of the input; variables by their names in `rule`.
  [[nodiscard]] std::string print(Term t, const Rule* rule = nullptr) const;
  [[nodiscard]] std::string print(const Rule& rule) const;
  /// Terms in prefix GDL as people see them: in the language in which the rules were written. For
  /// rules in prefix GDL, the text itself.
  [[nodiscard]] std::string to_user_language(const std::string& terms) const;
  /// Converts terms as people write them, in that language or in prefix GDL, to prefix GDL.
  [[nodiscard]] std::string from_user_language(const std::string& terms) const;
  /// All rules, one per line; parsing and normalising that text gives the same rules.
  [[nodiscard]] std::string print() const;

 private:
  std::unordered_map<std::uint64_t, RelationId> relation_ids_;  // by name and arity
};

/// What a rulesheet may cost. Without these limits splitting has no bound, since `or` in `or`
/// multiplies.
struct NormaliseLimits {
  std::size_t max_rules = 1'000'000;      // that all forms may split into
  std::size_t max_splitting = 4'000'000;  // symbols that may be copied in splitting
  std::size_t max_term_size = 100'000;    // symbols of a term that equalities may build
  std::size_t max_findings = SIZE_MAX;    // diagnostics of each severity that are kept
  const StopSignal* stop = nullptr;       // polled; null: never stops
  /// The rules are counted against it as long as they exist; null: not counted.
  std::shared_ptr<MemoryBudget> memory = nullptr;
};

struct NormalisedRules {
  std::shared_ptr<const Rules> rules;  // whatever could be understood; never null
  Diagnostics diagnostics;             // of syntax: bad heads, wrong arity of keywords, ...
  std::vector<RelationId> left_out;    // heads of rules that are broken or can never apply
  std::vector<RelationId> unfolded;    // relations whose calls were replaced by their rules
  /// A sentence about a rule that play may ask for and no machine can evaluate, because nothing
  /// binds one of its variables: machines do without it. nullopt: there is none.
  std::optional<std::string> unevaluable;
  /// A sentence that says why the rest of the rulesheet was not read: a limit was reached, or it
  /// was stopped.
  std::optional<std::string> given_up;
};

/// Turns forms into rules: folds keywords and names; makes `(p)` and `p` one; turns `(<= head)`
/// into a fact; splits `or` into branches; pushes `not` inwards; turns `(not (distinct a b))` into
/// equality and that into substitution; drops duplicates. A negated conjunction with variables of
/// its own gets a relation of its own, and a rule that leaves a variable of its head open replaces
/// the calls of its relation. A form that can't be understood is left out and reported, as is a
/// declaration (`base`, `input`) that leaves a variable open. `forms` is the list node whose
/// children are the rules (START), or kNoNode for the top level of the tree.
NormalisedRules normalise(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms = kNoNode,
                          const NormaliseLimits& limits = {});

}  // namespace ludens::gdl
