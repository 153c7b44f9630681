// SPDX-License-Identifier: MIT
// What rules mean: each odd form of rulesheet, in the smallest game that has it.
#include "tests/gdl/interpreter/position.h"

namespace ludens::gdl {
namespace {

/// A game of one role that can do `m` when `p` holds, and `n` always.
std::string asks(const std::string& rules) {
  return "(role a) (<= (legal a m) p) (legal a n) (<= terminal (true over)) (goal a 0)" + rules;
}

bool holds(const std::string& rules) {
  return Position(asks(rules)).legal() == Names{"m", "n"};
}

// Whatever was asked before, no move is made in a state of which only the state is asked.
TEST(InterpreterRules, MovesAreKnownToNothingButTheNextState) {
  Position game(R"((role a) (init (n 0)) (<= (next (n 0)) (true (n 0))) (legal a n)
    (<= (legal a m) (does a ?m)) (<= terminal (does a ?m))
    (<= (goal a 100) (does a ?m)) (<= (goal a 10) (not (does a n))))");
  for (int asked = 0; asked < 2; ++asked) {
    EXPECT_EQ(game.legal(), Names{"n"});
    EXPECT_FALSE(game.terminal());
    EXPECT_EQ(game.goals(), std::vector<int>{10});
    game.make({"n"});  // the state stays the same
  }
}

TEST(InterpreterRules, RelationWithoutRulesIsFalse) {
  EXPECT_FALSE(holds(""));
  EXPECT_TRUE(holds("(<= p (not q))"));
}

TEST(InterpreterRules, PropositionInParenthesesIsTheSame) {
  EXPECT_TRUE(holds("(<= (p) q) (q)"));
}

TEST(InterpreterRules, AtomOutsideAnyListIsAFact) {
  EXPECT_TRUE(holds("(<= p flag) flag"));
  EXPECT_TRUE(holds("flag (<= p FLAG)"));
  EXPECT_FALSE(holds("(<= p (not flag)) flag"));
  Position game(
      "(role p) (legal p x) (next y) (init z) flag (<= (goal p 42) flag)"
      "(<= terminal (true y) flag)");
  EXPECT_FALSE(game.terminal());
  EXPECT_EQ(game.goals(), std::vector<int>{42});
  game.make({"x"});
  EXPECT_TRUE(game.terminal());
  EXPECT_TRUE(Position("(role p) (legal p x) terminal").terminal());
}

TEST(InterpreterRules, DistinctAndNegationWaitForTheirVariables) {
  const std::string facts = "(cell 1 2) (cell 1 1) (bad 2)";
  EXPECT_TRUE(holds("(<= p (distinct ?x ?y) (not (bad ?x)) (cell ?x ?y))" + facts));
  EXPECT_TRUE(holds("(<= p (cell ?x ?y) (not (bad ?x)) (distinct ?x ?y))" + facts));
  EXPECT_FALSE(holds("(<= p (not (bad ?y)) (distinct ?x ?y) (cell ?x ?y))" + facts));
}

TEST(InterpreterRules, VariableOnlyUnderNotMeansThereIsNone) {
  EXPECT_FALSE(holds("(<= p (not (q ?x))) (q 1)"));
  EXPECT_TRUE(holds("(<= p (not (q ?x ?x))) (q 1 2)"));
  EXPECT_FALSE(holds("(<= p (not (q ?x ?x))) (q 1 2) (q 3 3)"));
  EXPECT_FALSE(holds("(<= p (not (q ?x))) (<= (q ?x) (r ?x) (not (s ?x))) (r 1) (r 2) (s 1)"));
  EXPECT_TRUE(holds("(<= p (not (q ?x))) (<= (q ?x) (r ?x) (not (s ?x))) (r 1) (s 1)"));
  EXPECT_FALSE(holds("(<= p (not (q ?x 1)) (not (r ?x))) (q 1 2) (r 2)")) << "there is an r";
  EXPECT_TRUE(holds("(<= p (not (q ?x 1)) (not (r ?x 1))) (q 1 2) (r 2 3)"));
}

TEST(InterpreterRules, RelationFunctionAndConstantOfOneNameAreKeptApart) {
  EXPECT_TRUE(holds("(<= p (cell (cell cell))) (cell (cell cell))"));
  EXPECT_FALSE(holds("(<= p (cell cell)) (cell (cell cell))"));
}

TEST(InterpreterRules, OneNameWithTwoAritiesIsTwoRelations) {
  EXPECT_FALSE(holds("(<= p (q 1)) (q 1 2)"));
  EXPECT_TRUE(holds("(<= p (q (f 1) (f 1 2))) (q (f 1) (f 1 2))"));
  EXPECT_FALSE(holds("(<= p (q (f 1) (f 1))) (q (f 1) (f 1 2))"));
}

TEST(InterpreterRules, RepeatedVariablesInHeadAndCallUnify) {
  const std::string rules = "(<= (h ?x ?y ?x) (n ?x) (n ?y)) (n 1) (n 2)";
  EXPECT_TRUE(holds("(<= p (h ?a ?a ?b) (distinct ?b 1))" + rules));
  EXPECT_FALSE(holds("(<= p (h ?a ?a ?b) (distinct ?a ?b))" + rules));
  EXPECT_TRUE(holds("(<= p (h ?a ?b ?c) (distinct ?a ?b))" + rules));
  EXPECT_FALSE(holds("(<= p (h 1 2 2))" + rules));
}

TEST(InterpreterRules, CompoundsAreTakenApartAndBuilt) {
  EXPECT_TRUE(holds("(<= p (q (f ?x (g ?y))) (r ?y ?x)) (q (f 1 (g 2))) (r 2 1)"));
  EXPECT_FALSE(holds("(<= p (q (f ?x (g ?x)))) (q (f 1 (g 2)))"));
  EXPECT_TRUE(holds("(<= p (q ?x) (r (f ?x))) (q 1) (r (f 1))"));
  EXPECT_TRUE(holds("(<= (r (f ?x)) (q ?x)) (q 1) (<= p (r ?y) (s ?y)) (s (f 1))"));
  EXPECT_FALSE(holds("(<= p (q ?x ?y) (distinct (f ?x) (f ?y))) (q 1 1)"));
}

TEST(InterpreterRules, HeadVariableThatNothingBindsWorksWhenCalledBound) {
  const std::string rules =
      "(<= (other ?x ?y ?m ?n) (distinct ?x ?m)) (<= (other ?x ?y ?m ?n) (distinct ?y ?n))"
      "(at 1 1) (at 1 2)";
  EXPECT_TRUE(holds("(<= p (other ?x ?y ?m ?n) (at ?x ?y) (at ?m ?n))" + rules));
  EXPECT_FALSE(holds("(<= p (at ?x ?y) (other ?x ?y ?x ?y))" + rules));
}

TEST(InterpreterRules, FreeRoleRangesOverTheRoles) {
  Position position(
      "(role a) (role b) (init (p)) (<= (legal ?p ?p) (true p)) (<= (goal ?r 100) (true p))"
      "(<= (goal ?r 0) (not (goal ?r 100))) (<= terminal (legal ?r stop))");
  EXPECT_EQ(position.legal(0), Names{"a"});
  EXPECT_EQ(position.legal(1), Names{"b"});
  EXPECT_EQ(position.goals(), (std::vector{100, 100}));
  EXPECT_FALSE(position.terminal());
}

TEST(InterpreterRules, NegationOfTheOwnRelationForOtherArguments) {
  Position position(
      "(role a) (role b) (init (won a)) (legal a m) (legal b m) (<= terminal (true (won ?r)))"
      "(<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))");
  EXPECT_EQ(position.goals(), (std::vector{100, 0}));
}

/// `s` asks for those answers of `r` that do not depend on it.
TEST(InterpreterRules, NegationOfTheOwnRelationForTermsOfAnotherForm) {
  Position position(R"((role z) (q 1) (init (a 1)) (<= terminal (true over)) (goal z 0)
    (<= (r ?x (g 0)) (q ?x) (not (s ?x))) (<= (s ?x) (r ?x (f ?y)))
    (<= (r ?x (f 1)) (true (a ?x))) (<= (legal z (m ?v)) (r 1 ?v)))");
  EXPECT_EQ(position.legal(), Names{"( m ( f 1 ) )"});
}

TEST(InterpreterRules, NoInitIsTheEmptyState) {
  Position position(
      "(role a) (legal a m) (<= (next p) (does a m)) (<= terminal (true p))"
      "(goal a 100)");
  EXPECT_EQ(position.facts(), "( )");
  EXPECT_FALSE(position.terminal());
  position.make({"m"});
  EXPECT_EQ(position.facts(), "( p )");
  EXPECT_TRUE(position.terminal());
  EXPECT_EQ(position.goals(), std::vector{100});
}

TEST(InterpreterRules, StateMayBecomeEmptyAgain) {
  Position position(
      "(role a) (init (p 1)) (legal a m) (<= terminal (not (true (p 1))))"
      "(goal a 50)");
  EXPECT_FALSE(position.terminal());
  position.make({"m"});
  EXPECT_EQ(position.facts(), "( )");
  EXPECT_TRUE(position.terminal());
}

TEST(InterpreterRules, InitMayHaveABody) {
  Position position(
      "(role a) (<= (init (cell ?x b)) (n ?x)) (n 1) (n 2) (legal a m)"
      "(<= terminal (true over)) (goal a 0)");
  EXPECT_EQ(position.facts(), "( ( cell 1 b ) ( cell 2 b ) )");
}

TEST(InterpreterRules, FluentsAndMovesAsVariables) {
  Position position(
      "(role a) (init (on 1)) (init off) (<= (legal a ?m) (move ?m)) (move m)"
      "(move (set 3)) (<= (next ?f) (true ?f)) (<= (next (did ?m)) (does a ?m))"
      "(<= terminal (true (did ?x))) (goal a 0)");
  EXPECT_EQ(position.legal(), (Names{"( set 3 )", "m"}));
  position.make({"( set 3 )"});
  EXPECT_EQ(position.facts(), "( ( did ( set 3 ) ) ( on 1 ) off )");
}

TEST(InterpreterRules, FluentHandedOnIsTheSameFluent) {
  Position position(
      "(role a) (init (cell 1 2 x)) (init (cell 2 2 o)) (legal a m)"
      "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c o))"
      "(<= (next (seen (cell ?x ?y ?c))) (true (cell ?x ?y ?c)))"
      "(<= terminal (true over)) (goal a 0)");
  position.make({"m"});
  EXPECT_EQ(position.facts(), "( ( cell 1 2 x ) ( seen ( cell 1 2 x ) ) ( seen ( cell 2 2 o ) ) )");
}

TEST(InterpreterRules, TerminalMayDependOnLegalAndGoalOnTerminal) {
  Position position(
      "(role a) (init (left 1)) (<= (legal a take) (true (left 1)))"
      "(<= (next (left 0)) (does a take)) (<= terminal (not playable))"
      "(<= playable (legal a ?m)) (<= (goal a 70) terminal)"
      "(<= (goal a 0) (not terminal))");
  EXPECT_FALSE(position.terminal());
  EXPECT_EQ(position.goals(), std::vector{0});
  position.make({"take"});
  EXPECT_TRUE(position.terminal());
  EXPECT_EQ(position.goals(), std::vector{70});
}

TEST(InterpreterRules, GoalOfAConstantThatIsNoRoleIsIgnored) {
  Position position("(role a) (legal a m) (legal b m) (terminal) (goal b 100) (goal a 30)");
  EXPECT_TRUE(position.terminal());
  EXPECT_EQ(position.goals(), std::vector{30});
}

TEST(InterpreterRules, GoalValuesAreIntegers) {
  const auto paid = [](const std::string& value) {
    return Position("(role a) (legal a m) (terminal) (goal a " + value + ")").goals().front();
  };
  EXPECT_EQ(paid("0100"), 100);
  EXPECT_EQ(paid("070"), 70);
  EXPECT_EQ(paid("101"), 100) << "the best, as searches see it";
  EXPECT_EQ(paid("win"), 0);
}

TEST(InterpreterRules, NamesKeepTheSpellingOfTheRulesheet) {
  Position position(
      "(ROLE White) (INIT (timeOut 1)) (LEGAL white Go) (<= TERMINAL (true Over))"
      "(<= (next (TIMEOUT 1)) (true (timeout 1))) (goal WHITE 5)");
  EXPECT_EQ(position.machine().role_name(0), "White");
  EXPECT_EQ(position.legal(), Names{"Go"});
  position.make({"gO"});
  EXPECT_EQ(position.facts(), "( ( timeOut 1 ) )");
}

// ---- recursion ----

TEST(InterpreterRecursion, CircleWithoutBaseIsFalse) {
  EXPECT_FALSE(holds("(<= p q) (<= q p)"));
  EXPECT_TRUE(holds("(<= p (not q)) (<= q r) (<= r q)"));
}

const std::string kGraph = "(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (edge 5 1)";

TEST(InterpreterRecursion, ClosureOfACyclicGraphEnds) {
  for (const std::string rules :
       {"(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))",     // right
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))",     // left
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"}) {  // both
    EXPECT_TRUE(holds("(<= p (path 5 4) (path 1 1))" + rules + kGraph)) << rules;
    EXPECT_FALSE(holds("(<= p (path 4 ?x))" + rules + kGraph)) << rules;
    EXPECT_FALSE(holds("(<= p (path ?x 5))" + rules + kGraph)) << rules;
  }
}

TEST(InterpreterRecursion, ClosureOverTheState) {
  std::string init;
  for (const std::string edge : {"1 2", "2 3", "3 1", "3 4", "5 1"}) {
    init += "(init (edge " + edge + "))";
  }
  for (const std::string rules :
       {"(<= (path ?x ?y) (true (edge ?x ?y)))"
        "(<= (path ?x ?z) (true (edge ?x ?y)) (path ?y ?z))",
        "(<= (path ?x ?y) (true (edge ?x ?y)))"
        "(<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))",
        "(<= (path ?x ?y) (true (edge ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"}) {
    Position position(
        "(role a) (<= (legal a (reach ?x ?y)) (path ?x ?y))"
        "(<= (legal a (not ?x)) (n ?x) (not (path ?x 1)))"
        "(n 1) (n 2) (n 3) (n 4) (n 5) (<= terminal (true over)) (goal a 0)" +
        init + rules);
    EXPECT_EQ(
        position.legal(),
        (Names{"( not 4 )", "( reach 1 1 )", "( reach 1 2 )", "( reach 1 3 )", "( reach 1 4 )",
               "( reach 2 1 )", "( reach 2 2 )", "( reach 2 3 )", "( reach 2 4 )", "( reach 3 1 )",
               "( reach 3 2 )", "( reach 3 3 )", "( reach 3 4 )", "( reach 5 1 )", "( reach 5 2 )",
               "( reach 5 3 )", "( reach 5 4 )"}))
        << rules;
  }
}

TEST(InterpreterRecursion, MutualRecursionWithSwappedArguments) {
  const std::string rules =
      "(<= (even ?x ?y) (zero ?x) (n ?y))"
      "(<= (even ?x ?y) (succ ?z ?x) (odd ?y ?z))"
      "(<= (odd ?y ?x) (succ ?z ?x) (even ?z ?y))"
      "(zero 0) (n a) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)";
  EXPECT_TRUE(holds("(<= p (even 4 a) (odd a 3))" + rules));
  EXPECT_FALSE(holds("(<= p (odd a 4))" + rules));
}

TEST(InterpreterRecursion, GrowingTermsEndWhereTheRulesEndThem) {
  const std::string rules = "(<= (r ?v (f ?v)) (r ?w ?v) (q ?w)) (r 0 (f 0)) (q 0)";
  EXPECT_TRUE(holds("(<= p (r (f 0) (f (f 0))))" + rules));
  EXPECT_FALSE(holds("(<= p (r (f (f 0)) ?x))" + rules));
}

TEST(InterpreterRecursion, InfiniteRelationIsFineWhenCalledBound) {
  const std::string rules = "(n z) (<= (n (s ?x)) (n ?x))";
  EXPECT_TRUE(holds("(<= p (n (s (s (s z)))))" + rules));
  EXPECT_FALSE(holds("(<= p (n (s (s (s y)))))" + rules));
}

std::string tower(int height, const std::string& top) {
  std::string term;
  for (int i = 0; i < height; ++i) term += "(f ";
  return term + top + std::string(static_cast<std::size_t>(height), ')');
}

TEST(InterpreterRecursion, DeepTermsDoNotUseTheStack) {
  EXPECT_TRUE(holds("(<= p (q " + tower(9000, "a") + ")) (q " + tower(9000, "a") + ")"));
  EXPECT_TRUE(
      holds("(<= p (q " + tower(900, "?x") + ") (r ?x)) (r a) (q " + tower(900, "a") + ")"));
  EXPECT_FALSE(holds("(<= p (q " + tower(9000, "?x") + ")) (q " + tower(10, "a") + ")"));
  Position position("(role a) (init " + tower(9000, "b") +
                    ") (legal a m) (<= (next ?x) (true ?x))"
                    "(<= terminal (true over)) (goal a 0)");
  const std::string before = position.facts();
  position.make({"m"});
  EXPECT_EQ(position.facts(), before);
}

TEST(InterpreterRecursion, LongChainDoesNotUseTheStack) {
  constexpr int kLength = 30'000;
  std::string rules =
      "(<= (down ?x) (succ ?y ?x) (down ?y)) (<= (down 0) (true (start)))"
      "(<= p (down n" +
      std::to_string(kLength) + ")) (init (start)) (succ 0 n1)";
  for (int i = 1; i < kLength; ++i) {
    rules += "(succ n" + std::to_string(i) + " n" + std::to_string(i + 1) + ")";
  }
  EXPECT_TRUE(holds(rules));
}

/// The circle of d0 and d1 is entered again below a call that was found true at once; the load of
/// such rules did not end.
TEST(InterpreterRules, WhatATrueCallHasCalledMayStillBeUnknown) {
  const std::string rules =
      "(init (at a)) (dom a) (succ a b) (succ b c) "
      "(<= (d0 (f ?c) ?c) (d1 ?a) (or (succ ?b ?a) (succ ?a ?b)) (dom ?c)) "
      "(<= (d0 (f ?a) ?a) (d1 ?a)) (<= (d0 (f a) ?b) (true (at ?b))) "
      "(<= (d1 ?a) (d0 (f a) ?a)) (<= (d1 ?d) (d0 ?x ?a) (succ ?d c))";
  EXPECT_TRUE(holds("(<= p (d1 ?x))" + rules));
  EXPECT_TRUE(holds("(<= p (d1 ?x) (distinct ?x a))" + rules));
  EXPECT_FALSE(holds("(<= p (d1 ?x) (distinct ?x a) (distinct ?x b))" + rules));
}

}  // namespace
}  // namespace ludens::gdl
