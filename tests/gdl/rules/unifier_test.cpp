// SPDX-License-Identifier: MIT
#include "gdl/rules/unifier.h"

#include <gtest/gtest.h>

#include "gdl/rules/substitution.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

using Side = Unifier::Side;

/// Whether the sentences (l ...) and (r ...) of two rules can be equal, their variables apart.
bool meet(const std::string& left, const std::string& right) {
  const NormalisedRules result = normalise_text("(l " + left + ")(r " + right + ")");
  Unifier unifier(result.rules->terms);
  const bool met =
      unifiable(unifier, result.rules->rules[0].arguments, result.rules->rules[1].arguments);
  EXPECT_EQ(met,
            unifiable(unifier, result.rules->rules[1].arguments, result.rules->rules[0].arguments));
  return met;
}

TEST(Unifier, ComparesConstantsAndFunctions) {
  EXPECT_TRUE(meet("a", "A"));
  EXPECT_FALSE(meet("a", "b"));
  EXPECT_FALSE(meet("a", "(a a)"));
  EXPECT_FALSE(meet("(f a)", "(g a)"));
  EXPECT_FALSE(meet("(f a)", "(f a b)"));
}

TEST(Unifier, KeepsTheVariablesOfTwoRulesApart) {
  EXPECT_TRUE(meet("?x", "(f ?x)"));
  EXPECT_TRUE(meet("(f ?x ?y)", "(f ?y ?x)"));
}

TEST(Unifier, BindsAVariableOnce) {
  EXPECT_FALSE(meet("?x ?x", "a b"));
  EXPECT_TRUE(meet("?x ?x", "?a ?b"));
  EXPECT_FALSE(meet("?x ?x ?x", "?a b c"));
  EXPECT_FALSE(meet("?x (f ?x)", "a (f b)"));
  EXPECT_TRUE(meet("(h ?x ?y ?x)", "(h ?a ?a ?b)"));
}

TEST(Unifier, FindsThatATermCannotContainItself) {
  EXPECT_FALSE(meet("?x ?x", "?y (f ?y)"));
  EXPECT_FALSE(meet("?x (f ?x)", "(f ?y) ?y"));
}

// Two towers x0 = f(x1, x1), x1 = f(x2, x2), ... whose tops are equal.
TEST(Unifier, NeedsNoExponentialTime) {
  std::string towers;
  for (const std::string name : {"?x", "?y"}) {
    for (int i = 0; i < 200; ++i) {
      const std::string below = name + std::to_string(i + 1);
      towers += ' ' + name + std::to_string(i) + " (f " + below + ' ' + below + ')';
    }
  }
  const NormalisedRules result = normalise_text("(p" + towers + " ?x0 ?y0)");
  const auto& arguments = result.rules->rules[0].arguments;
  Unifier unifier(result.rules->terms);
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    EXPECT_TRUE(unifier.unify(arguments[i], Side::Left, arguments[i + 1], Side::Left));
  }
  EXPECT_TRUE(unifier.acyclic());
}

TEST(Substitution, FollowsBindings) {
  Symbols symbols;
  Terms terms;
  const Term a = terms.constant(symbols.intern("a"));
  const Term x = terms.variable(0), y = terms.variable(1);
  const SymbolId f = symbols.intern("f");
  const Term fy = terms.compound(f, std::vector{y});
  Substitution substitution(terms, Substitution::Mode::Follow);
  substitution.bind(0, fy);
  substitution.bind(1, a);
  EXPECT_EQ(substitution.apply(x), terms.compound(f, std::vector{a}));
  EXPECT_EQ(substitution.apply(a), a);
}

TEST(Substitution, SwapsVariablesInARenaming) {
  Symbols symbols;
  Terms terms;
  const Term x = terms.variable(0), y = terms.variable(1);
  const SymbolId f = symbols.intern("f");
  Substitution renaming(terms, Substitution::Mode::Once);
  renaming.bind(0, y);
  renaming.bind(1, x);
  const Term fxy = terms.compound(f, std::vector{x, y});
  EXPECT_EQ(renaming.apply(fxy), terms.compound(f, std::vector{y, x}));
}

}  // namespace
}  // namespace ludens::gdl
