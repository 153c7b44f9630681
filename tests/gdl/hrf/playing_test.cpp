// SPDX-License-Identifier: MIT
// What games in HRF do when they are played.
#include <gmock/gmock.h>

#include "tests/gdl/hrf/played.h"

namespace ludens::gdl {
namespace {

using testing::ElementsAre;

TEST(HrfPlaying, RolesMoveInTurnAndTheOthersWait) {
  Played game(hrf_game("line"));
  EXPECT_EQ(game.legal(0),
            "mark(1,1) mark(1,2) mark(1,3) mark(2,1) mark(2,2) mark(2,3) mark(3,1) mark(3,2) "
            "mark(3,3)");
  EXPECT_EQ(game.legal(1), "noop");
  game.make({"mark(2,2)", "noop"});
  EXPECT_EQ(game.legal(0), "noop");
  EXPECT_EQ(game.state(),
            "cell(1,1,b) cell(1,2,b) cell(1,3,b) cell(2,1,b) cell(2,2,x) cell(2,3,b) cell(3,1,b) "
            "cell(3,2,b) cell(3,3,b) control(o)");
  game.make({"noop", "mark(1,2)"});
  game.make({"mark(1,1)", "noop"});
  game.make({"noop", "( mark 1 3 )"});  // prefix GDL is understood, too
  EXPECT_FALSE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(50, 50));
  game.make({"mark(3,3)", "noop"});
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(100, 0));
}

TEST(HrfPlaying, OperationsBringAboutOthersAndNumbersAddUp) {
  Played game(hrf_game("harvest"));
  EXPECT_EQ(game.legal(0),
            "pick(1) pick(2) pick(3) pick(4) pick(5) shake(1) shake(2) shake(3) shake(4)");
  game.make({"shake(2)", "noop"});
  EXPECT_EQ(game.state(),
            "basket(ann,1) basket(ben,0) control(ben) day(1) fruit(1) fruit(4) fruit(5)");
  EXPECT_THAT(game.goals(), ElementsAre(20, 0));
  game.make({"noop", "pick(1)"});
  game.make({"pick(5)", "noop"});
  EXPECT_EQ(game.state(), "basket(ann,2) basket(ben,1) control(ben) day(3) fruit(4)");
  EXPECT_FALSE(game.terminal());
  game.make({"noop", "pick(4)"});
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(40, 40));
}

TEST(HrfPlaying, WordsOfPrefixGdlAreNamesLikeOthers) {
  Played game(hrf_game("words"));
  EXPECT_EQ(game.legal(0), "input(2) noop");
  EXPECT_EQ(game.legal(1), "noop");
  game.make({"noop", "noop"});  // the one in control makes a move of that name
  EXPECT_EQ(game.state(), "next(2)");
  EXPECT_EQ(game.legal(0), "noop");
  EXPECT_EQ(game.legal(1), "input(3) noop");
  game.make({"noop", "input(3)"});
  EXPECT_EQ(game.state(), "does(right) next(3)");
  EXPECT_EQ(game.legal(0), "input(4)");
  game.make({"input(4)", "noop"});
  EXPECT_EQ(game.state(), "does(left) does(right) next(4)");
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(70, 70));
}

TEST(HrfPlaying, WhatIsAddedAndDeletedIsThere) {
  Played game(solo("init(p) init(q) go :: ~p & p & ~q & over"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) over p");
}

TEST(HrfPlaying, AllOperationsSeeTheStateBefore) {
  Played game(solo("init(p) base(q) go :: p ==> q & ~p go :: q ==> over"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) q");
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) over q");
}

TEST(HrfPlaying, OperationsMayComeBackToThemselves) {
  Played game(
      solo("init(at(1)) go :: at(X) ==> ~at(X) & sow(X) go :: over\n"
           "sow(X) :: after(X,Y) ==> stone(Y) & sow(Y) after(1,2) after(2,3)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) over stone(2) stone(3)");
}

TEST(HrfPlaying, AnOperationThatDoesNotMatchIsAFluent) {
  Played game(
      solo("init(at(f(1))) init(at(g(1))) go :: at(X) ==> take(X) go :: over\n"
           "take(f(X)) :: taken(X)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "at(f(1)) at(g(1)) control(r) over take(g(1)) taken(1)");
}

TEST(HrfPlaying, AMoveWithoutOperationsIsAdded) {
  Played game(solo("go :: over legal(rest)"));
  game.make({"rest"});
  EXPECT_EQ(game.state(), "control(r) rest");
}

TEST(HrfPlaying, AViewGivesMovesAtEachOfItsPlaces) {
  Played game(
      "role(r) base(n(0)) base(n(1)) init(n(0)) terminal :- n(1) goal(r,100) :- n(1)\n"
      "legal(M) :- pair(M,N) legal(N) :- pair(M,N) pair(M,N) :- first(M) & second(N)\n"
      "first(go) second(stay) go :: step step :: n(0) ==> n(1) & ~n(0) stay :: n(5) ==> n(6)");
  EXPECT_EQ(game.legal(0), "go stay");
  game.make({"stay"});
  EXPECT_EQ(game.state(), "n(0)");
  game.make({"go"});
  EXPECT_EQ(game.state(), "n(1)");
}

TEST(HrfPlaying, NegationOfWhatIsBoundNowhereElseMeansThatThereIsNone) {
  Played game(
      solo("init(p(1,2)) go :: p(X,Y) & ~q(X,Z) ==> ~p(X,Y) & q(X,Y)\n"
           "go :: ~p(X,Y) ==> over"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) q(1,2)");
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) over q(1,2)");
}

TEST(HrfPlaying, NegationsOfOneRuleKeepTheirVariablesApart) {
  Played game(
      solo("p(1) q(2) s(3) base(e(1)) go :: over\n"
           "go :: ~(p(X) & q(X)) & ~(q(X) & s(X)) ==> none\n"
           "go :: ~(p(X) & q(X)) & ~e(X) ==> empty\n"
           "go :: ~(p(X) & q(X)) & ~s(X) ==> wrong\n"
           "go :: p(X) & ~(q(X) & s(Y)) & ~(s(Y) & e(Y)) ==> apart(X)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "apart(1) control(r) empty none over");
}

TEST(HrfPlaying, ConditionsMayBeCombined) {
  Played game(
      solo("init(p(1)) init(p(2)) init(q(2)) init(q(3))\n"
           "go :: n(X) & (p(X) | q(X)) & ~(p(X) & q(X)) ==> one(X)\n"
           "go :: ~~p(X) ==> some go :: true ==> over go :: false ==> p(9)\n"
           "n(1) n(2) n(3) n(4)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) one(1) one(3) over p(1) p(2) q(2) q(3) some");
}

TEST(HrfPlaying, BuiltinsOfTerms) {
  Played game(
      solo("go :: n(X) & n(Y) & n(Z) & mutex(X,Y,Z) ==> all(X,Y,Z)\n"
           "go :: n(X) & same(Y,f(X)) & distinct(X,2) & ~same(X,3) ==> has(Y) go :: over\n"
           "go :: n(X) & ~distinct(X,2) ==> two(X) n(1) n(2) n(3)"));
  game.make({"go"});
  EXPECT_EQ(game.state(),
            "all(1,2,3) all(1,3,2) all(2,1,3) all(2,3,1) all(3,1,2) all(3,2,1) control(r) "
            "has(f(1)) over two(2)");
}

TEST(HrfPlaying, BuiltinsOfNumbers) {
  Played game(
      solo("go :: over pair(7,2) word(a)\n"
           "go :: pair(X,Y) & plus(X,Y,Z) ==> sum(Z)\n"
           "go :: pair(X,Y) & plus(X,Y,1,Z) ==> sum(Z)\n"
           "go :: pair(X,Y) & minus(Y,X,Z) ==> difference(Z)\n"
           "go :: pair(X,Y) & times(X,Y,Z) ==> product(Z)\n"
           "go :: pair(X,Y) & quotient(X,Y,Z) ==> quarter(Z)\n"
           "go :: pair(X,Y) & min(X,Y,Z) & max(X,Y,W) ==> range(Z,W)\n"
           "go :: pair(X,Y) & leq(Y,X) & less(Y,X) & ~less(X,Y) ==> ordered\n"
           "go :: pair(X,Y) & plus(X,Y,10) ==> wrong go :: word(W) & plus(W,1,Z) ==> wrong\n"
           "go :: pair(X,Y) & evaluate(times(plus(X,1),Y),Z) ==> value(Z)"));
  game.make({"go"});
  EXPECT_EQ(game.state(),
            "control(r) difference(-5) ordered over product(14) quarter(3.5) range(2,7) sum(10) "
            "sum(9) value(16)");
}

TEST(HrfPlaying, CountsOverFluentsAndFacts) {
  Played game(
      solo("base(p(X,G)) :- n(X) & g(G) init(p(1,a)) init(p(2,a)) init(p(4,a)) init(p(3,b))\n"
           "n(1) n(2) n(3) n(4) n(5) g(a) g(b) g(c) go :: over\n"
           "go :: g(G) & countofall(X,p(X,G),N) ==> of(G,N)\n"
           "go :: countofall(X,p(X,G),N) ==> all(N)\n"
           "go :: countofall(pair(X,Y),n(X) & n(Y) & less(X,Y),N) ==> pairs(N)\n"
           "go :: evaluate(countofall(G,p(X,G)),N) ==> groups(N)\n"
           "go :: countofall(X,p(X,c),N) ==> none(N)"));
  game.make({"go"});
  EXPECT_EQ(game.state(),
            "all(4) control(r) groups(2) none(0) of(a,3) of(b,1) of(c,0) over p(1,a) p(2,a) p(3,b) "
            "p(4,a) pairs(10)");
}

/// A count knows of the variables that the conditions on its left bind, and of no others.
TEST(HrfPlaying, CountsBindNoVariables) {
  Played game(
      solo("base(p(X,G)) :- n(X) & g(G) init(p(1,a)) init(p(2,a)) init(p(4,a)) init(p(3,b))\n"
           "n(1) n(2) n(3) n(4) n(5) g(a) g(b) g(c) go :: over\n"
           "go :: countofall(X,p(X,a),N) & countofall(X,p(X,b),M) ==> two(N,M)\n"
           "go :: countofall(X,p(X,a),N) & countofall(X,p(X,b),M) & less(M,N) ==> more\n"
           "go :: countofall(X,p(X,a),3) & countofall(X,p(X,c),0) ==> exactly\n"
           "go :: countofall(X,p(X,a),N) & ~p(X,c) ==> empty(N)\n"
           "go :: countofall(X,p(X,a),N) & p(X,b) ==> left(N)\n"
           "go :: p(X,b) & countofall(G,p(X,G),N) ==> right(N)\n"
           "go :: countofall(X,p(X,a) & ~(p(X,G) & distinct(G,a)),N) & g(G) ==> alone(N)\n"
           "go :: countofall(X,n(X) & countofall(G,p(X,G),0),N) ==> nowhere(N)\n"
           "go :: evaluate(countofall(X,p(X,a)),N) & evaluate(countofall(X,n(X)),N) ==> wrong\n"
           "go :: setofall(X,p(X,b),L) & setofall(X,p(X,c),K) ==> sets(L,K)"));
  game.make({"go"});
  EXPECT_EQ(game.state(),
            "alone(3) control(r) empty(3) exactly left(3) more nowhere(1) over p(1,a) p(2,a) "
            "p(3,b) p(4,a) right(1) sets(cons(3,nil),nil) two(3,1)");
}

/// What is counted may be nothing: 0 is a count for every value that a rule asks for.
TEST(HrfPlaying, CountsAreZeroWhereThereIsNothing) {
  Played game(
      "role(white) node(a) node(b) node(c) edge(a,b) number(0) number(1)\n"
      "base(step(1)) base(step(2)) init(step(1)) legal(go) go :: step(1) ==> ~step(1) & step(2)\n"
      "terminal :- step(2) goal(white,100) :- terminal\n"
      "degree(Y,N) :- countofall(X,edge(X,Y),N)\n"
      "sources(Y,S) :- setofall(X,edge(X,Y),S)\n"
      "lonely(Y) :- degree(Y,0) & node(Y)\n"
      "known(Y,N) :- degree(Y,N) itself(Y,Y) legal(known(Y)) :- known(Y,1) & itself(Y,Y)\n"
      "busy(Y) :- node(Y) & ~countofall(X,edge(X,Y),0)\n"
      "legal(lonely(Y)) :- lonely(Y)\n"
      "legal(busy(Y)) :- busy(Y)\n"
      "legal(busier(Y)) :- node(Y) & (false | ~countofall(X,edge(X,Y),0))\n"
      "legal(into(Y)) :- node(Y) & node(X) & same(X,a) & ~countofall(X,edge(X,Y),0)\n"
      "first(Y,N) :- countofall(X,edge(X,Y),N) & node(Y)\n"
      "legal(first(Y)) :- first(Y,0)\n"
      "legal(fed(Y,S)) :- node(Y) & sources(Y,S) & distinct(Y,a)\n"
      "legal(degree(N)) :- degree(Y,N) & number(N) & distinct(N,0)");
  EXPECT_EQ(
      game.legal(0),
      "busier(b) busy(b) degree(1) fed(b,cons(a,nil)) fed(c,nil) first(a) first(c) go into(b) "
      "known(b) lonely(a) lonely(c)");
}

/// A view that asks another one for a count asks for what it is asked for itself.
TEST(HrfPlaying, CountsAreZeroThroughViewsOfViews) {
  Played game(
      solo("node(a) node(b) node(c) edge(a,b) edge(c,b) edge(a,c) go :: over\n"
           "degree(Y,N) :- countofall(X,edge(X,Y),N)\n"
           "known(Y,N) :- degree(Y,N) deep(Y,N) :- known(Y,N)\n"
           "lonely(Y) :- known(Y,0)\n"
           "sources(Y,S) :- setofall(X,edge(X,Y),S) fed(Y,S) :- sources(Y,S)\n"
           "go :: node(Y) & deep(Y,N) ==> of(Y,N)\n"
           "go :: node(Y) & lonely(Y) ==> none(Y)\n"
           "go :: node(Y) & ~fed(Y,nil) ==> some(Y)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) none(a) of(a,0) of(b,2) of(c,1) over some(b) some(c)");
}

TEST(HrfPlaying, SetsAreListsInTheOrderOfTheirTerms) {
  Played game(
      solo("base(p(X,G)) :- n(X) & g(G) init(p(3,a)) init(p(1,a)) init(p(2,b))\n"
           "n(3) n(1) n(2) g(a) g(b) g(c) go :: over\n"
           "go :: setofall(X,n(X),L) ==> facts(L)\n"
           "go :: g(G) & setofall(X,p(X,G),L) ==> of(G,L)\n"
           "go :: setofall(f(X,G),p(X,G) & distinct(G,b),L) ==> terms(L)\n"
           "go :: g(G) & setofall(X,p(X,G),[]) ==> none(G)\n"
           "go :: g(G) & setofall(X,p(X,G),F!L) ==> first(G,F)\n"
           "go :: setofall(X,p(X,a),[1,3]) ==> just\n"
           "go :: evaluate(setofall(G,p(2,G)),L) ==> value(L)"));
  game.make({"go"});
  EXPECT_EQ(game.state(),
            "control(r) facts(cons(1,cons(2,cons(3,nil)))) first(a,1) first(b,2) just none(c) "
            "of(a,cons(1,cons(3,nil))) of(b,cons(2,nil)) of(c,nil) over p(1,a) p(2,b) p(3,a) "
            "terms(cons(f(1,a),cons(f(3,a),nil))) value(cons(b,nil))");
}

TEST(HrfPlaying, WhatASheetDefinesItselfIsNoBuiltin) {
  Played game(solo("go :: plus(1,2,X) & same(X) ==> got(X) go :: over plus(1,2,sand) same(sand)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) got(sand) over");
}

TEST(HrfPlaying, AViewMayLeaveAnArgumentToWhoAsks) {
  Played game(
      solo("go :: n(X) & d(D) & to(X,D,Y) ==> got(D,Y) go :: over any(7)\n"
           "go :: n(X) & any(X) ==> some(X) any(X)\n"
           "to(X,D,X) :- n(X) to(X,D,Z) :- step(X,Y) & to(Y,D,Z)\n"
           "n(1) d(left) d(right) step(1,2)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) got(left,1) got(right,1) over some(1)");
}

TEST(HrfPlaying, VariablesThatDifferInCaseAreTwo) {
  Played game(solo("go :: p(Xa,XA) & q(_,_) ==> got(XA,Xa) go :: over p(1,2) q(3,4)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) got(2,1) over");
}

TEST(HrfPlaying, AVariableWithoutANameIsNoOther) {
  Played game(solo("go :: p(_,_1,X) & p(_,_1,X) ==> got(X) go :: over p(1,2,a) p(3,3,b)"));
  game.make({"go"});
  EXPECT_EQ(game.state(), "control(r) got(a) got(b) over");
}

TEST(HrfPlaying, NamesInQuotationMarksMayHaveCommas) {
  Played game(solo("legal(say(\"a,b\")) say(X) :: said(X) & over"));
  EXPECT_EQ(game.legal(0), "go say(\"a,b\")");
  game.make({"say(\"a,b\")"});
  EXPECT_EQ(game.state(), "control(r) over said(\"a,b\")");
}

TEST(HrfPlaying, BodiesMayAskWhatIsLegalAndWhatItIsWorth) {
  Played game(
      "role(r) init(control(r)) init(n(1)) legal(go) :- n(1)\n"
      "go :: n(1) ==> ~n(1) & n(2)\n"
      "goal(R,100) :- ~n(1) goal(R,30) :- n(1)\n"
      "terminal :- ~legal(M) & goal(r,100)");
  EXPECT_THAT(game.goals(), ElementsAre(30));
  game.make({"go"});
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(100));
}

/// Moves that all make the same step are not written in front of it.
TEST(HrfPlaying, StepsThatEveryMoveMakesDoNotAskForIt) {
  const auto rules = read_rules(hrf_game("line")).normalised.rules->print();
  EXPECT_THAT(rules, testing::HasSubstr("( <= ( next ( control o ) ) ( true ( control x ) ) )"));
}

TEST(HrfPlaying, ConditionsThatDecideNothingAreDropped) {
  const auto rules = read_rules(solo("legal(mark(X,Y)) :- c(A,B) & c(X,Y) & d(Z) & c(C,Y)\n"
                                     "init(c(1,1)) init(d(1)) mark(X,Y) :: over"))
                         .normalised.rules->print();
  EXPECT_THAT(rules, testing::HasSubstr("( <= ( legal ?Role ( mark ?X ?Y ) ) "
                                        "( true ( control ?Role ) ) ( true ( c ?X ?Y ) ) "
                                        "( true ( d ?Z ) ) )"));
}

}  // namespace
}  // namespace ludens::gdl
