// SPDX-License-Identifier: MIT
// What is said of single forms, by the reader: exact texts and places.
#include <gtest/gtest.h>

#include "tests/gdl/check/diagnostics_of.h"

namespace ludens::gdl {
namespace {

TEST(CheckForms, LooseAtoms) {
  EXPECT_EQ(found("loose-atom", "(p)\nrole a"),
            "2:1: error: 'role' stands outside any rule\n"
            "2:6: note: 'a' stands outside any list: a fact\n");
  EXPECT_EQ(found("loose-atom", "Terminal"),
            "1:1: note: 'Terminal' stands outside any list: a fact\n");
  for (const std::string word : {"?x", "not", "<=", "Distinct", "true", "legal", "base", "sees"}) {
    EXPECT_EQ(found("loose-atom", word), "1:1: error: '" + word + "' stands outside any rule\n");
  }
}

TEST(CheckForms, SentencesWithoutName) {
  const std::string text = "error: a relation needs a name here\n";
  EXPECT_EQ(found("no-relation-name", " ()"), "1:2: " + text);
  EXPECT_EQ(found("no-relation-name", "((a) b)"), "1:2: " + text);
  EXPECT_EQ(found("no-relation-name", "(?p a)"), "1:2: " + text);
  EXPECT_EQ(found("no-relation-name", "(<= p (q) ?r (()))"), "1:11: " + text + "1:15: " + text);
  EXPECT_EQ(found("no-relation-name", "(<= ?p q)"), "1:5: " + text);
}

TEST(CheckForms, TermsWithoutName) {
  const std::string text = "error: a function needs a name here\n";
  EXPECT_EQ(found("no-function-name", "(p ())"), "1:4: " + text);
  EXPECT_EQ(found("no-function-name", "(p a (?f b) ((g) b))"), "1:7: " + text + "1:14: " + text);
}

TEST(CheckForms, RuleWithoutHead) {
  EXPECT_EQ(found("no-head", "(p)(<=)"), "1:4: error: rule without a head\n");
}

TEST(CheckForms, WordsThatCannotBeAHead) {
  EXPECT_EQ(found("bad-head", "(<= (not p) q)"), "1:5: error: 'not' can't be a head\n");
  EXPECT_EQ(found("bad-head", "(<= (TRUE p) q)"), "1:5: error: 'true' can't be a head\n");
  EXPECT_EQ(found("bad-head", "(does a b)"), "1:1: error: 'does' can't be a head\n");
  EXPECT_EQ(found("bad-head", "(or p q)"), "1:1: error: 'or' can't be a head\n");
}

TEST(CheckForms, CountsOfArguments) {
  EXPECT_EQ(found("connective-arity", "(<= r (not p q))"),
            "1:7: error: 'not' takes one condition\n");
  EXPECT_EQ(found("connective-arity", "(<= r (not))"), "1:7: error: 'not' takes one condition\n");
  EXPECT_EQ(found("connective-arity", "(<= r (p ?x) (distinct ?x))"),
            "1:14: error: 'distinct' takes two terms\n");
  EXPECT_EQ(found("keyword-arity", "(legal a)"), "1:1: error: 'legal' takes a role and a move\n");
  EXPECT_EQ(found("keyword-arity", "(<= p (goal a) true)"),
            "1:7: error: 'goal' takes a role and a value\n1:16: error: 'true' takes a fluent\n");
  EXPECT_EQ(found("keyword-arity", "(terminal a)"), "1:1: error: 'terminal' takes no arguments\n");
  EXPECT_EQ(found("keyword-arity", "(role a b)"), "1:1: error: 'role' takes a role\n");
  EXPECT_EQ(found("keyword-arity", "(input a)"),
            "1:1: warning: 'input' takes a role and a move; read as a plain relation\n");
}

TEST(CheckForms, ABrokenRuleIsNotReportedAsMissing) {
  EXPECT_EQ(found("missing-keyword", "(role a)(terminal)(legal a)"), "");
  EXPECT_EQ(found("undefined-relation", "(<= p ()) (<= terminal p)"), "");
}

TEST(CheckForms, MisplacedConnective) {
  EXPECT_EQ(found("misplaced-connective", "(<= p (<= q r))"),
            "1:7: error: '<=' can't stand inside a rule\n");
}

TEST(CheckForms, EmptyConnectives) {
  EXPECT_EQ(found("empty-connective", "(<= p (or))"), "1:7: warning: an empty 'or' never holds\n");
  EXPECT_EQ(found("empty-connective", "(<= p (and))"),
            "1:7: warning: an empty 'and' always holds\n");
}

TEST(CheckForms, RolesThatAreNoConstants) {
  const std::string text = "error: roles are constants, fixed before the game\n";
  EXPECT_EQ(found("role-not-constant", "(role ?x)"), "1:1: " + text);
  EXPECT_EQ(found("role-not-constant", "(role (f a))"), "1:1: " + text);
  EXPECT_EQ(found("role-not-constant", "(<= (role a) (true p))"), "1:5: " + text);
}

TEST(CheckForms, KeywordsOutOfPlace) {
  EXPECT_EQ(found("misplaced-keyword", "(<= p (next q))"),
            "1:7: warning: keyword 'next' is out of place; read as a plain relation\n");
  EXPECT_EQ(found("misplaced-keyword", "(init (f does))"),
            "1:10: warning: keyword 'does' is out of place; read as a plain constant\n");
  EXPECT_EQ(found("misplaced-keyword", "(init (DOES a))(init (does b))"),
            "1:8: warning: keyword 'does' is out of place; read as a plain function\n");
}

TEST(CheckForms, RuleWithoutBody) {
  EXPECT_EQ(found("rule-without-body", "(role a)\n(<= (legal a noop))"),
            "2:1: note: rule without a body: a fact\n");
}

TEST(CheckForms, NeedlessParentheses) {
  EXPECT_EQ(found("needless-parentheses", "(p)(init (Q))(init (q))(<= r (p))"),
            "1:10: note: needless parentheses: read as 'Q'\n"
            "1:30: note: needless parentheses: read as 'p'\n");
}

TEST(CheckForms, TwoSpellings) {
  EXPECT_EQ(found("two-spellings", "(p)\n(q)\n (init timeOut)\n(init timeout)(init timeout)"),
            "4:7: warning: 'timeOut' and 'timeout' are taken as one symbol, first spelled at "
            "3:8\n");
  EXPECT_EQ(found("two-spellings", "(ROLE a)(role b)(<= TERMINAL (true x))(terminal)"), "");
  EXPECT_EQ(found("two-spellings", "(<= (p ?x) (q ?X))"),
            "1:15: warning: '?x' and '?X' are taken as one variable, first spelled at 1:8\n");
}

TEST(CheckForms, ConstantsWithAndWithoutParentheses) {
  EXPECT_EQ(found("two-spellings", "(p rock)\n(legal a (rock))(q rock)(r (rock))"),
            "2:10: warning: 'rock' and '( rock )' are taken as one constant, first written at 1:4; "
            "others may take them for two\n");
  EXPECT_EQ(found("two-spellings", "(p (rock))(legal a (rock))(q (f (rock)))(rock rock)"),
            "1:47: warning: 'rock' and '( rock )' are taken as one constant, first written at 1:4; "
            "others may take them for two\n");
  EXPECT_EQ(found("two-spellings", "(p (rock))(rock)(rock a)(<= (q (rock b)) (rock))"), "");
}

TEST(CheckForms, Duplicates) {
  EXPECT_EQ(found("duplicate", "(p a)\n (p  a)"), "2:2: note: fact already stated at 1:1\n");
  EXPECT_EQ(found("duplicate", "(<= p q)\n (<= p (or q r))"),
            "2:2: note: rule already stated at 1:1\n");
}

TEST(CheckForms, ImpossibleRules) {
  EXPECT_EQ(found("impossible-rule", "(q)\n(<= p (distinct a a))"),
            "2:1: warning: this rule can never apply\n");
  EXPECT_EQ(found("undefined-relation", "(<= p (distinct a a)) (<= r p)"), "");
}

}  // namespace
}  // namespace ludens::gdl
