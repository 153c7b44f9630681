// SPDX-License-Identifier: MIT
// Safety, stratification, recursion and dependence: exact texts and places.
#include <gtest/gtest.h>

#include "tests/gdl/check/diagnostics_of.h"

namespace ludens::gdl {
namespace {

TEST(CheckSafety, VariablesThatNothingBinds) {
  const std::string text = " is bound by no positive literal\n";
  EXPECT_EQ(found("unsafe-variable", "(<= (next (at ?x)) (does a go))"), "1:15: error: ?x" + text);
  EXPECT_EQ(found("unsafe-variable", "(<= (legal a ?m) (true p))"), "1:14: error: ?m" + text);
  EXPECT_EQ(found("unsafe-variable", "(init (at ?x))"), "1:11: error: ?x" + text);
  EXPECT_EQ(found("unsafe-variable", "(<= terminal p (distinct ?x a))"), "1:26: error: ?x" + text);
  EXPECT_EQ(found("unsafe-variable", "(<= (p a) (q b)\n (not (q ?x)) (distinct ?x a))"),
            "2:10: error: ?x" + text);
}

TEST(CheckSafety, ARoleVariableRangesOverTheRoles) {
  const std::string text = " is unbound; taken to range over all roles\n";
  EXPECT_EQ(found("unsafe-variable", "(<= (goal ?r 0) (true over))"), "1:11: warning: ?r" + text);
  EXPECT_EQ(found("unsafe-variable", "(<= (legal ?p ?p) (cell 1 1))"), "1:12: warning: ?p" + text);
  EXPECT_EQ(found("unsafe-variable", "(<= (goal ?p 0) (not (on ?p)))"), "1:11: warning: ?p" + text);
}

TEST(CheckSafety, AVariableOnlyUnderNotMeansThereIsNone) {
  EXPECT_EQ(found("unsafe-variable", "(<= terminal (not (true (cell ?x b))))"),
            "1:31: warning: ?x occurs only under 'not'; read as 'there is none'\n");
  EXPECT_EQ(found("unsafe-variable", "(<= terminal (not (and (p ?x) (q ?x))))(p a)(q b)"),
            "1:27: warning: ?x occurs only under 'not'; read as 'there is none'\n");
  EXPECT_EQ(found("unsafe-variable", "(<= (base (at a)) (not (p ?y)))(p a)"),
            "1:27: warning: ?y occurs only under 'not'; read as 'there is none'\n");
}

TEST(CheckSafety, AnOpenHeadWorksWhereItIsCalledBound) {
  EXPECT_EQ(found("unsafe-variable", "(<= (other ?x ?y) (distinct ?x ?y))"),
            "1:12: warning: ?x is unbound; 'other' is taken to hold where it is called with a "
            "value for it\n"
            "1:15: warning: ?y is unbound; 'other' is taken to hold where it is called with a "
            "value for it\n");
}

TEST(CheckSafety, AnOpenDeclarationIsLeftOut) {
  EXPECT_EQ(found("unsafe-variable", "(<= (base (at ?x)) (p ?y))"),
            "1:15: warning: ?x is bound by no positive literal; this declaration is left out\n");
}

TEST(CheckSafety, AVariableBoundByAnOpenArgumentOnly) {
  const std::string open = "(<= (other ?x ?y) (p ?x) (distinct ?x ?y))(p a)";
  EXPECT_EQ(found("loosely-bound-variable", open + "\n(<= (q ?z) (other a ?z))\n(<= r (q ?v))"),
            "3:10: error: ?v stays unbound: 'q' has a rule that leaves it open, which is left out "
            "here\n");
  EXPECT_EQ(found("loosely-bound-variable", open + "(<= (q ?z) (other ?z a) (p ?z))"), "");
  // Only recursive relations are still called where they leave a variable open.
  const std::string path =
      "(path ?x ?x) (<= (path ?x ?z) (path ?y ?z) (e ?x ?y)) (e 1 2) (<= terminal\n (path ";
  EXPECT_EQ(found("loosely-bound-variable", path + "?v ?v))"),
            "2:8: error: ?v stays unbound: 'path' has a rule that leaves it open\n");
  EXPECT_EQ(found("loosely-bound-variable", path + "1 ?v))"), "");
  EXPECT_EQ(found("loosely-bound-variable", path + "?v 1))"), "");
}

TEST(CheckSafety, SaysOfBranchesOnceWhatTheyShare) {
  EXPECT_EQ(found("unsafe-variable", "(<= (next ?x) (or (p a) (p b) (true ?x)))"),
            "1:11: error: ?x is bound by no positive literal\n");
}

TEST(CheckSafety, LateBinders) {
  EXPECT_EQ(found("late-binder", "(<= p (distinct ?x a) (not (q ?x)) (r ?x) (not (q ?x)))"),
            "1:7: note: 'distinct' stands before the literal that binds ?x; tested once it is "
            "bound\n"
            "1:28: note: 'not' stands before the literal that binds ?x; tested once it is bound\n");
}

TEST(CheckStratification, ARuleThatDependsOnItsOwnNegation) {
  EXPECT_EQ(found("negation-cycle", "(<= p (not q)) (<= q (not p))"),
            "1:12: error: 'p' depends on its own negation: p, q, p\n");
  EXPECT_EQ(found("negation-cycle", "(<= p (not p))"),
            "1:12: error: 'p' depends on its own negation: p, p\n");
  EXPECT_EQ(found("negation-cycle",
                  "(<= (a ?x) (b ?x))\n(<= (b ?x) (c ?x))\n"
                  "(<= (c ?x) (d ?x) (not (a ?x)))"),
            "3:24: error: 'c' depends on its own negation: c, a, b, c\n");
}

TEST(CheckStratification, RulesThatDoNotMeetByTheirArguments) {
  const std::string text = "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n(<= (goal a 100) won)";
  EXPECT_EQ(found("negation-cycle", text), "");
  EXPECT_EQ(found("negation-cycle-by-name", text),
            "1:32: note: 'goal' depends on its own negation by name alone, no rule on itself\n");
}

TEST(CheckStratification, ASecondRuleMayCloseTheCycle) {
  EXPECT_EQ(found("negation-cycle", "(<= (g ?x 0) (q ?x) (not (g ?x 1)))\n(<= (g ?x 1) (g ?x ?v))"),
            "1:26: error: 'g' depends on its own negation: g, g, g\n");
}

TEST(CheckStratification, ManyRulesOfOneRelation) {
  std::string text = "(<= (p ?x ?y) (q ?x ?y) (not (p 1999 ?y)))\n";
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i);
    text += "(<= (p " + n + " ?y) (q ?y) (not (p z" + n + " ?y)))";
  }
  EXPECT_EQ(found("stratification-not-tested", text), "");
  EXPECT_TRUE(
      found("negation-cycle", text).starts_with("1:30: error: 'p' depends on its own negation"));
}

TEST(CheckDependence, StateAndMovesWhereTheyMayNotMatter) {
  EXPECT_EQ(found("forbidden-dependence", "(<= (init p) (true q))"),
            "1:14: error: 'init' depends on 'true'\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= terminal (does a b))"),
            "1:14: error: 'terminal' depends on 'does'\n");
  EXPECT_EQ(
      found("forbidden-dependence", "(<= (legal a m) (x))\n(<= x (not y))\n(<= y (does a m))"),
      "1:17: error: 'legal' depends on 'does' through x, y\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (goal a 0) legal_now)(<= legal_now (does a m))"),
            "1:16: error: 'goal' depends on 'does' through legal_now\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (base p) (true q))"),
            "1:14: warning: 'base' depends on 'true'\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (next p) (does a m))(<= terminal (legal a m))"), "");
}

TEST(CheckDependence, NothingButPlayersDependsOnPercepts) {
  EXPECT_EQ(found("forbidden-dependence", "(<= (next p) heard)\n(<= heard (sees a bell))"),
            "1:14: error: 'next' depends on 'sees' through heard\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (legal a m) (sees a b))"),
            "1:17: error: 'legal' depends on 'sees'\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (goal a 0) (sees a b))"),
            "1:16: warning: 'goal' depends on 'sees'\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (sees a b) (sees b c))(<= (sees b c) (does a m))"),
            "1:16: error: 'sees' depends on 'sees'\n");
  EXPECT_EQ(found("forbidden-dependence", "(<= (sees a b) (does a m) (true p))"), "");
}

TEST(CheckRecursion, TheRecursionRestriction) {
  EXPECT_EQ(found("recursion-restriction", "(<= (p ?x) (q ?x) (p ?y))"),
            "1:22: warning: 'p' recurs with '?y', which neither the head nor a literal outside "
            "the recursion limits\n");
  EXPECT_EQ(found("recursion-restriction", "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"), "");
  EXPECT_EQ(found("recursion-restriction", "(<= (p ?x) (q ?x ?y) (p (f ?y)))"),
            "1:25: warning: 'p' recurs with '( f ?y )', which neither the head nor a literal "
            "outside the recursion limits\n");
}

TEST(CheckRecursion, TermsThatMayGrow) {
  EXPECT_EQ(found("growing-terms", "(<= (p (f ?x)) (p ?x))"),
            "1:8: warning: 'p' may build ever larger terms; in play their depth is bounded\n");
  EXPECT_EQ(found("growing-terms", "(<= (p ?x) (q (f ?x)))(<= (q (f ?x)) (p ?x))"), "");
  EXPECT_EQ(found("growing-terms", "(<= (p ?x) (q ?x))(<= (q (f ?x)) (p ?x))"),
            "1:26: warning: 'q' may build ever larger terms; in play their depth is bounded\n");
  EXPECT_EQ(found("growing-terms", "(<= (p (f ?x)) (p ?x) (number ?x))"), "");
  EXPECT_EQ(found("growing-terms", "(<= (p ?x) (p (f ?x)))"), "");
  EXPECT_EQ(found("growing-terms", "(<= (next (count (s ?n))) (true (count ?n)))"), "");
}

}  // namespace
}  // namespace ludens::gdl
