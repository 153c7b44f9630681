// SPDX-License-Identifier: MIT
// What is said of a rulesheet as a game: roles, keywords, names, goals.
#include <gtest/gtest.h>

#include "tests/gdl/check/diagnostics_of.h"

namespace ludens::gdl {
namespace {

TEST(CheckGame, HasNothingToSayOfACleanGame) {
  EXPECT_EQ(all_found("(role a)(role b)(init (count 0))(succ 0 1)(succ 1 2)\n"
                      "(<= (legal ?r (add ?n)) (role ?r) (succ ?n ?m))\n"
                      "(<= (next (count ?m)) (true (count ?n)) (does a (add ?x)) (succ ?n ?m))\n"
                      "(<= terminal (true (count 2)))\n"
                      "(<= (goal ?r 100) (role ?r) (true (count 2)))\n"
                      "(<= (goal ?r 0) (role ?r) (not (true (count 2))))\n"),
            "");
}

TEST(CheckGame, MissingKeywords) {
  EXPECT_EQ(all_found(""),
            "1:1: error: no rule for 'legal'\n"
            "1:1: error: no rule for 'role'\n"
            "1:1: error: no rule for 'terminal'\n"
            "1:1: note: no rule for 'init': the game begins with the empty state\n"
            "1:1: note: no rule for 'next': after the first step the state is empty\n");
}

TEST(CheckGame, RolesWithoutGoalOrMove) {
  const std::string text = "(role a)\n(role b)\n(legal a noop)(goal b 100)";
  EXPECT_EQ(found("role-without-goal", text), "1:7: warning: role 'a' has no goal\n");
  EXPECT_EQ(found("role-without-moves", text), "2:7: warning: role 'b' has no rule for 'legal'\n");
  EXPECT_EQ(found("role-without-goal", "(role random)"), "");
  EXPECT_EQ(found("role-without-goal", "(role a)(<= (goal ?r 0) (role ?r))"), "");
}

TEST(CheckGame, NamesThatAreNoRole) {
  EXPECT_EQ(found("not-a-role", "(role a)(goal mummy 0)(<= p (does b m) (not (legal a m)))"),
            "1:15: warning: 'mummy' is not a role\n1:35: warning: 'b' is not a role\n");
}

TEST(CheckGame, GoalValues) {
  const std::string text = "warning: a goal value is an integer from 0 to 100\n";
  EXPECT_EQ(found("goal-value", "(goal a win)"), "1:9: " + text);
  EXPECT_EQ(found("goal-value", "(<= (goal a 101) p)"), "1:13: " + text);
  EXPECT_EQ(found("goal-value", "(goal a -1)(goal a (f 1))"), "1:9: " + text + "1:20: " + text);
  EXPECT_EQ(found("goal-value", "(goal a 0)(goal a 100)(<= (goal a ?v) (p ?v))"), "");
  EXPECT_EQ(found("goal-value",
                  "(<= (goal a ?v) (true (points ?v)))(init (points 0))"
                  "(<= (next (points ?n)) (true (points ?o)) (add ?o ?n))\n"
                  "(add 0 50) (add 50 250)(add 50 -7)"),
            "1:13: warning: goals from -7 to 250 may follow, and 0 to 100 is the rule; they count "
            "as they are\n");
  EXPECT_EQ(found("goal-value", "(goal a 0100)(goal a 070)(goal a -0)"), "") << "machines pay them";
}

TEST(CheckNames, UndefinedRelations) {
  EXPECT_EQ(found("undefined-relation", "(<= terminal (or gameover gameover))"),
            "1:18: warning: 'gameover' is defined nowhere, always false\n");
  EXPECT_EQ(found("undefined-relation", "(gameOver2)(<= p (not gameover))"),
            "1:23: warning: 'gameover' is defined nowhere, always false; did you mean "
            "'gameOver2'?\n");
  EXPECT_EQ(found("undefined-relation", "(init over)(init (at 1))(<= p (at ?x) over)"),
            "1:31: warning: 'at' is defined nowhere, always false; did you mean (true (at ...))?\n"
            "1:39: warning: 'over' is defined nowhere, always false; did you mean (true over)?\n");
}

TEST(CheckNames, SignsThatCompareTermsInOtherLanguages) {
  const std::string differ = "; that two terms differ is (distinct TERM TERM)\n";
  const std::string same =
      "; that two terms are the same is (not (distinct TERM TERM)), or one variable for both\n";
  for (const char* sign : {"/=", "!=", "\\=", "neq"}) {
    EXPECT_EQ(
        found("undefined-relation", "(<= p (q ?x ?y) (" + std::string(sign) + " ?x ?y))(q 1 2)"),
        "1:17: warning: '" + std::string(sign) + "' is defined nowhere, always false" + differ);
  }
  EXPECT_EQ(found("undefined-relation", "(<= p (= 1 2))"),
            "1:7: warning: '=' is defined nowhere, always false" + same);
  EXPECT_EQ(found("undefined-relation", "(<= p (= 1 2))(= 1 1)"), "") << "a relation like others";
}

TEST(CheckNames, ArityOfUseDiffersFromDefinition) {
  EXPECT_EQ(found("undefined-arity", "(q a)(<= p (q a b))"),
            "1:12: warning: 'q' is defined with 1 argument, used with 2\n");
  EXPECT_EQ(found("undefined-arity", "(q a)(q a b)(<= p (q a b c))"),
            "1:19: warning: 'q' is defined with 1 argument or 2 arguments, used with 3\n");
}

TEST(CheckNames, SeveralArities) {
  EXPECT_EQ(found("several-arities", "(q a)\n (q a b)"),
            "2:2: note: 'q' is defined with 1 argument and with 2: taken as different relations\n");
  EXPECT_EQ(found("several-arities", "(p (f a))\n(p (g (f a b)))"),
            "2:7: note: 'f' is a function of 1 argument and of 2: taken as different functions\n");
  EXPECT_EQ(found("several-arities", "(p (f a) f)(f)"), "");
}

TEST(CheckNames, UnusedRelations) {
  EXPECT_EQ(
      found("unused-relation", "(q a)\n(<= (column ?x) (q ?x))\n(<= (column ?x) (q ?x) (q a))"),
      "2:5: note: 'column' is defined but never used\n");
  EXPECT_EQ(found("unused-relation", "(base p)(init p)(role a)"), "");
}

TEST(CheckFluents, ConditionsThatNothingMakesTrue) {
  EXPECT_EQ(
      found("impossible-condition", "(init (cell 1 1 b))\n(<= terminal (true (cell 4 1 ?x)))"),
      "2:14: warning: no state can contain ( cell 4 1 ?x )\n");
  EXPECT_EQ(
      found("impossible-condition", "(init (control a))(<= terminal (not (true (contol a))))"),
      "1:37: warning: no state can contain ( contol a ); did you mean 'control'?\n");
  EXPECT_EQ(found("impossible-condition", "(<= (next ?f) (true ?f))(<= terminal (true (f a)))"),
            "");
  EXPECT_EQ(found("impossible-condition", "(legal a (m 1))(<= (next p) (does a (m 2)))"),
            "1:29: warning: no rule for 'legal' allows ( m 2 )\n");
}

}  // namespace
}  // namespace ludens::gdl
