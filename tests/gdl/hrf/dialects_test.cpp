// SPDX-License-Identifier: MIT
// The infix dialects of GDL: which one a text is in, what it means, and what is refused.
#include <gmock/gmock.h>

#include <algorithm>

#include "gdl/hrf/hrf.h"
#include "gdl/hrf/recognise.h"
#include "tests/gdl/hrf/played.h"

namespace ludens::gdl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Dialects, TheTextSaysWhichOneItIs) {
  const std::vector<std::pair<const char*, Dialect>> cases{
      {"(role x)", Dialect::Prefix},
      {"role(x) role(y) control(x) legal(a) a :: p", Dialect::Hrf},
      {"role(x)\nnext(1,2) legal(a)", Dialect::Hrf},  // a relation of that name
      {"base(next(1))\nnext(p) :- q\na :: p ==> ~q", Dialect::Hrf},
      {"role(x)\nnext(p) :- q", Dialect::Infix},
      {"role(x)\nlegal(x,a)", Dialect::Infix},
      {"role(x)\nlegal(x,f(1,2)) :- true(p(1,2)) & ~q", Dialect::Infix},
      {"% a period. In a comment.\nrole(x)\ngoal(x,100) :- does(x,a)", Dialect::Infix},
      {"role(x)\nnext(p)\nlegal(a)", Dialect::Infix},
      {"role(x).", Dialect::Prolog},
      {"over.\nrole(x).", Dialect::Prolog},
      {":- dynamic true/1.\nrole(x).", Dialect::Prolog},
      {"/* a comment */ role(x).", Dialect::Prolog},
      {"terminal <= true(p)", Dialect::Infix},
  };
  for (const auto& [text, dialect] : cases) EXPECT_EQ(dialect_of(text), dialect) << text;
}

TEST(Dialects, IsToldAtTheFirstStatement) {
  const auto told = [](const std::string& text) {
    const ReadRules read = read_rules(text);
    EXPECT_EQ(lines_of(read.errors), "");
    return lines_of(read.normalised.diagnostics);
  };
  EXPECT_THAT(told("% rules\nrole(x)\nlegal(x,a)"),
              StartsWith("2:1: note: the rules are read as infix GDL\n"));
  EXPECT_THAT(told("role(x).\nlegal(x,a)."),
              StartsWith("1:1: note: the rules are read as Prolog GDL\n"));
  EXPECT_THAT(told("role(x)\nlegal(a)\nnext(p)"),
              StartsWith("1:1: note: the rules are read as HRF with simultaneous moves: 'legal' "
                         "names no role"));
  EXPECT_EQ(read_rules("role(x)\nlegal(a)\nnext(p)").dialect, Dialect::Simultaneous);
  EXPECT_EQ(told("role(x)\ncontrol(x)\nlegal(a)\na :: p"), "");
  EXPECT_EQ(told("(role x)(legal x a)"), "");
}

/// A corridor of three squares for two walkers, in turn; who steps on the other's square wins.
constexpr const char* kCorridor = R"(% in prefix GDL it would be (role left) ...
role(left)
role(right)
base(at(R,N)) :- role(R) & square(N)
base(control(R)) :- role(R)
input(R,step) :- role(R)
input(R,noop) :- role(R)
square(1) square(2) square(3)
init(at(left,1))
init(at(right,3))
init(control(left))
legal(R,step) :- true(control(R))
legal(R,noop) :- role(R) & ~true(control(R))
next(at(left,N)) :- does(left,step) & true(at(left,M)) & after(M,N)
next(at(right,N)) :- does(right,step) & true(at(right,M)) & after(N,M)
next(at(R,N)) :- does(R,noop) & true(at(R,N))
next(control(right)) :- true(control(left))
next(control(left)) <= true(control(right))
after(1,2) after(2,3)
met :- true(at(left,N)) & true(at(right,N))
goal(R,100) :- met & ~true(control(R))
goal(R,0) :- met & true(control(R))
goal(R,50) :- role(R) & ~met
terminal :- met
)";

TEST(Dialects, InfixGdlOfTheTextbook) {
  Played game(kCorridor);
  EXPECT_EQ(game.state(), "at(left,1) at(right,3) control(left)");
  EXPECT_EQ(game.legal(0), "step");
  EXPECT_EQ(game.legal(1), "noop");
  game.make({"step", "noop"});
  EXPECT_EQ(game.state(), "at(left,2) at(right,3) control(right)") << "without a frame";
  EXPECT_THAT(game.goals(), ElementsAre(50, 50));
  game.make({"noop", "step"});
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(0, 100));
}

/// The same game in the same words, as collections of Prolog write it.
constexpr const char* kCorridorInProlog = R"(:- module(corridor, [legal/2]).
:- dynamic true/1, does/2.
/* Two walkers. */
role(left).
role(right).
init(at(left,1)). init(at(right,3)).
init(control(left)).
distinct(X,Y) :- X \= Y.
legal(R, step) :- control(R).              % without true(...)
legal(R, noop) :- role(R), not control(R).
next(at(left,N)) :- does(left, step), (true(at(left,M))), after(M, N).
next(at(right,N)) :- does(right,step), true(at(right,_m)), after(N,_m).
next(at(R,N)) :- does(R,'noop'), true(at(R,N)).
next(control(R)) :- true(control(S)), role(R), \+ R = S.
after(1,2). after(2,3).
met :- true(at(left,N)), true(at(Other,N)), Other \== left.
goal(R,100) :- met, \+(true(control(R))).
goal(R,0) :- (met ; fail), true(control(R)).
goal(R,50) :- role(R), not(met).
terminal :- met.
)";

TEST(Dialects, GdlInPrologStyle) {
  Played game(kCorridorInProlog);
  EXPECT_EQ(game.state(), "at(left,1) at(right,3) control(left)");
  EXPECT_EQ(game.legal(0), "step");
  EXPECT_EQ(game.legal(1), "noop");
  game.make({"step", "noop"});
  EXPECT_EQ(game.state(), "at(left,2) at(right,3) control(right)");
  EXPECT_THAT(game.goals(), ElementsAre(50, 50));
  game.make({"noop", "step"});
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(0, 100));
}

/// Each says one number, and who says the higher one wins.
constexpr const char* kAuction = R"(
role(ann)
role(bob)
number(1) number(2)
base(said(R,N)) :- role(R) & number(N)
action(say(N)) :- number(N)
legal(say(N)) :- number(N)
next(said(R,N)) :- does(R,say(N))
terminal :- said(ann,N) & said(bob,M) & distinct(N,M)
won(R) :- said(R,2) & role(O) & distinct(R,O) & said(O,1)
goal(R,100) :- won(R)
goal(R,0) :- role(R) & ~won(R)
)";

TEST(Dialects, HrfWithSimultaneousMoves) {
  Played game(kAuction);
  EXPECT_EQ(game.state(), "");
  EXPECT_EQ(game.legal(0), "say(1) say(2)") << "each role has all moves";
  EXPECT_EQ(game.legal(1), "say(1) say(2)");
  game.make({"say(1)", "say(1)"});
  EXPECT_EQ(game.state(), "said(ann,1) said(bob,1)");
  EXPECT_FALSE(game.terminal());
  game.make({"say(1)", "say(2)"});
  EXPECT_EQ(game.state(), "said(ann,1) said(bob,2)") << "nothing persists by itself";
  EXPECT_TRUE(game.terminal());
  EXPECT_THAT(game.goals(), ElementsAre(0, 100));
}

TEST(Dialects, MovesWithoutARoleAreOfTheOneInControlIfThereIsControl) {
  Played game(
      "role(ann) role(bob) init(control(ann)) legal(go)\n"
      "next(control(bob)) :- control(ann)\nnext(control(ann)) :- control(bob)\n"
      "next(went(R)) :- does(R,go)\nterminal :- went(bob)\ngoal(R,50) :- role(R)");
  EXPECT_EQ(game.legal(0), "go");
  EXPECT_EQ(game.legal(1), "noop");
  game.make({"go", "noop"});
  EXPECT_EQ(game.state(), "control(bob) went(ann)");
  EXPECT_EQ(game.legal(0), "noop");
}

TEST(Dialects, TheConnectivesOfCollections) {
  const std::string game =
      "role(a) legal(a,go) terminal :- true(done) goal(a,50)\n"
      "init(n(1)) init(n(2)) next(n(3)) :- true(n(3)) next(done) :- ";
  for (const auto& [condition, holds] :
       std::vector<std::pair<std::string, bool>>{{"or(distinct(1,1),distinct(1,2))", true},
                                                 {"and(distinct(1,2),distinct(2,1))", true},
                                                 {"not(true(n(3)))", true},
                                                 {"~true(n(X)) | true(n(1))", true},
                                                 {"true(n(X)) & X /= 1 & X != 3 & X \\= 4", true},
                                                 {"true(n(X)) & X = 3", false},
                                                 {"~(true(n(1)) & true(n(2)))", false},
                                                 {"n(2)", true}}) {
    Played played(game + condition);
    played.make({"go"});
    EXPECT_EQ(played.terminal(), holds) << condition;
  }
}

TEST(Dialects, WhatIsNotReadIsRefusedByTheNameOfItsDialect) {
  const auto refused = [](const std::string& text) {
    const ReadRules read = read_rules(text);
    return read.errors.empty() ? "" : lines_of(read.errors);
  };
  EXPECT_THAT(refused("role(x).\nnext(n(Y)) :- true(n(X)), Y is X + 1."),
              StartsWith("2:29: error: read as Prolog GDL: expected ',', ';' or the period"));
  EXPECT_THAT(refused("role(x).\nlegal(x,a) :- role(x), !."),
              StartsWith("2:24: error: read as Prolog GDL: expected a name"));
  EXPECT_THAT(
      refused("role(x).\nlegal(x,a) :- t(p)."),
      StartsWith("2:15: error: read as Prolog GDL: 't' with 1 argument is defined nowhere"));
  EXPECT_THAT(refused("role(x).\nlegal(x,a) :- (p ; q"), HasSubstr("read as Prolog GDL: "));
  EXPECT_THAT(refused("role(x).\nlegal(x,a)"), HasSubstr("the period after a clause"));
  EXPECT_THAT(refused("role(x).\n:- dynamic"), HasSubstr("no period at its end"));
  EXPECT_THAT(refused("role(x)\nlegal(x,a)\nnext(p) :- does(x,a)\ntrue(q) & r"),
              StartsWith("4:1: error: read as infix GDL: 'true(q) & r' is neither a fact nor a"));
  EXPECT_THAT(refused("role(x)\nnext(p) :- X"),
              StartsWith("2:12: error: read as infix GDL: the variable 'X' is no condition"));
  EXPECT_THAT(refused("role(x)\nlegal(x,a) :- p ; q"), HasSubstr("read as infix GDL: expected"));
  EXPECT_THAT(refused("role(x)\nX = Y\nnext(p)"),
              HasSubstr("read as infix GDL: 'X = Y' compares terms"));
}

TEST(Dialects, DirectivesAreToldAndDeclareWhatNothingDefines) {
  const std::string game = "role(x).\nlegal(x,a).\nterminal :- never(1).\ngoal(x,1).\n";
  EXPECT_THAT(lines_of(read_rules(game).errors), HasSubstr("'never' with 1 argument is"));
  const ReadRules read = read_rules(game + ":- dynamic never/1.\n");
  EXPECT_EQ(lines_of(read.errors), "");
  EXPECT_THAT(lines_of(read.normalised.diagnostics), HasSubstr("5:1: note: a directive of Prolog"));
}

TEST(Dialects, ARuleThatNeverHoldsStillSaysThatTheGameHasAnEnd) {
  EXPECT_EQ(problems_of("role(r) control(r) legal(a) goal(r,1)\na :: p\nterminal :- false"),
            "3:1: warning: this rule can never apply\n");
  EXPECT_EQ(problems_of("role(r).\nlegal(r,a).\ngoal(r,1).\nterminal :- fail.\nterminal :- fail."),
            "4:1: warning: this rule can never apply\n");
}

TEST(Dialects, SheetsBesideTheProjectArePlayed) {
  const std::filesystem::path folder = project_folder() + "/../shared/field/round2";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "the sheets are not beside the project: " << folder;
  }
  Played textbook(read_file(folder / "infix_gdl_textbook.hrf").value());
  EXPECT_THAT(textbook.legal(0), StartsWith("mark(1,1) mark(1,2)"));
  EXPECT_EQ(textbook.legal(1), "noop");
  Played simultaneous(read_file(folder / "infix_gdl_simultaneous.hrf").value());
  EXPECT_EQ(simultaneous.legal(0), "play(paper) play(rock) play(scissors)");
  EXPECT_EQ(simultaneous.legal(1), simultaneous.legal(0));
}

}  // namespace
}  // namespace ludens::gdl
