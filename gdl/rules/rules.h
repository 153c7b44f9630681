// The normal form of a rulesheet, on which checker, interpreter and grounder work: Horn clauses
// with negation and `distinct`, without `or`, `and`, nested `not` or needless parentheses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/symbols.h"
#include "gdl/rules/terms.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl {

using RelationId = std::uint32_t;
using RoleIndex = std::uint32_t;

/// The keyword relations have fixed ids, in this order, in every `Rules`.
enum Keyword : RelationId {
  kRole,      // (role R)
  kInit,      // (init F)
  kTrue,      // (true F)
  kNext,      // (next F)
  kLegal,     // (legal R M)
  kDoes,      // (does R M)
  kGoal,      // (goal R V)
  kTerminal,  // terminal
  kBase,      // (base F)
  kInput,     // (input R M)
  kSees,      // (sees R P), GDL-II
  kKeywordCount
};

/// A relation is its name with its arity: `cell/3` and `cell/6` are two.
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

/// `head <- body`. A fact is a rule without a body. Body literals stand in text order; evaluation
/// order is the business of whoever evaluates.
struct Rule {
  RelationId head;
  std::vector<Term> arguments;
  std::vector<Literal> body;
  std::vector<std::string> variables;  // spelling of variable i; a rule's variables are 0..size-1
  NodeIndex where;                     // the form it came from; branches of an `or` share it
};

/// What the normaliser makes of a rulesheet. Immutable, shared by all that work on the game.
struct Rules {
  std::shared_ptr<const SyntaxTree> source;
  Symbols symbols;
  Terms terms;
  std::vector<Relation> relations;  // keywords first
  std::vector<Rule> rules;          // in text order
  std::vector<Term> roles;          // constants, in the order of the (role R) facts
  std::optional<RoleIndex> random;  // the role `random`, if there is one

  [[nodiscard]] std::optional<RelationId> find_relation(SymbolId name, std::uint32_t arity) const;
  /// `( f a ?x )` with the spelling of the input; variables by their names in `rule`.
  [[nodiscard]] std::string print(Term t, const Rule* rule = nullptr) const;
  [[nodiscard]] std::string print(const Rule& rule) const;
  /// All rules, one a line; parsing and normalising that text again gives the same rules.
  [[nodiscard]] std::string print() const;
};

/// What a rulesheet that splits without bound may cost: `or` in `or` multiplies.
struct NormaliseLimits {
  std::size_t max_rules = 1'000'000;
};

struct NormalisedRules {
  std::shared_ptr<const Rules> rules;  // whatever could be understood; never null
  Diagnostics diagnostics;             // of syntax: bad heads, wrong arity of keywords, ...
};

/// Turns forms into rules: folds keywords and names; makes `(p)` and `p` one; turns `(<= head)`
/// into a fact; splits `or` into branches; pushes `not` inwards; turns `(not (distinct a b))` into
/// equality and that into substitution; drops duplicates. A form that can't be understood is left
/// out and reported. `forms` is the list node whose children are the rules (START), or kNoNode for
/// the top level of the tree.
NormalisedRules normalise(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms = kNoNode,
                          const NormaliseLimits& limits = {});

}  // namespace ludens::gdl
