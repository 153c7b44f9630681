// SPDX-License-Identifier: MIT
// HRF as text: what is refused and where, and what is taken for HRF at all.
#include <gmock/gmock.h>

#include <algorithm>

#include "gdl/hrf/hrf.h"
#include "gdl/hrf/recognise.h"
#include "tests/gdl/hrf/played.h"

namespace ludens::gdl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(HrfReading, TheTextSaysWhichLanguageItIs) {
  for (const char* hrf : {"% a comment", "role(x)", " \n role(x)", "\xef\xbb\xbfrole(x)",
                          "terminal :- over", "tick :: over", "open & shut", "-1(x)"}) {
    EXPECT_EQ(dialect_of(hrf), Dialect::Hrf) << hrf;
  }
  for (const char* prefix : {"", " ", "(role x)", "; a comment\n(role x)", "#| c |#", "flag",
                             "flag (role x)", "\xef\xbb\xbf(role x)", "?x", ")", "X(y)"}) {
    EXPECT_EQ(dialect_of(prefix), Dialect::Prefix) << prefix;
  }
}

struct Case {
  const char* text;
  const char* problem;  // the beginning of the first line
};

void expect_problems(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_THAT(problems_of(c.text), StartsWith(c.problem)) << c.text;
}

TEST(HrfReading, ErrorsOfSyntaxHaveAPlaceAndSayWhatPrefixGdlSays) {
  expect_problems({
      {"role(x)\nlegal(a) :- ",
       "2:13: error: expected a name, a variable, '~' or '(', found the end of the text; in prefix "
       "GDL a rule is (<= HEAD CONDITION ...)\n"},
      {"role(x)\n  p :- q & & r",
       "2:12: error: expected a name, a variable, '~' or '(', found '&'"},
      {"role(x)\np(a b)",
       "2:5: error: expected ',' or ')' after an argument, found 'b'; in prefix GDL a sentence is "
       "(NAME TERM ...)\n"},
      {"role(x)\n\np(a, f(b)",
       "3:1: error: expected ',' or ')' after an argument: what begins here is never closed"},
      {"role(x)\np :- (q", "2:6: error: expected ')' to close the '(': what begins here is never"},
      {"role(x) )", "1:9: error: expected a name, a variable, '~' or '(', found ')'"},
      {"role(x)\nX :- p", "2:1: error: expected a name before ':-', found 'X'"},
      {"role(x)\n~p :: q", "2:1: error: expected a name before '::', found '~p'"},
      {"role(x)\np ==> q", "2:3: error: there is no action before '==>': ACTION :: CONDITION"},
      {"role(x)\nf(X) := X", "2:6: error: functions that are defined by ':=' are not read"},
      {"role(x)\np(\"two words\")", "2:3: error: a name in quotation marks"},
      {"role(x)\np :- q(X) & X = 1",
       "2:15: error: expected a name, a variable, '~' or '(', found '='; HRF compares terms by "
       "same(X,Y) and distinct(X,Y)"},
      {"role(x)\np :- q ; r", "2:8: error: expected a name, a variable, '~' or '(', found ';'"},
  });
  const std::string deep(1'000, '(');
  EXPECT_THAT(problems_of("role(x) :- " + deep), HasSubstr("nested deeper than 200"));
  EXPECT_THAT(problems_of("role(x) :- " + std::string(1'000, '~') + "p"),
              HasSubstr("nested deeper than 200"));
}

TEST(HrfReading, OperationsThatNeverEnd) {
  expect_problems({
      {"role(r) control(r) legal(a) terminal\na :: b\nb :: p & a",
       "3:10: error: the operation 'b' never ends: it brings about 'a', which leads back to 'b'"},
      {"role(r) control(r) legal(a) terminal\na :: a", "2:6: error: the operation 'a' never ends"},
      {"role(r) control(r) legal(a(1)) terminal\na(X) :: p(X) ==> a(f(X))",
       "2:18: error: the operation 'a(X)' never ends: it brings about 'a(f(X))'"},
      {"role(r) control(r) legal(a) terminal\na :: n(X) & plus(X,1,Y) ==> n(Y)\ninit(n(1))",
       "2:13: error: the terms of 'plus(X,1,Y)' have no end"},
  });
}

TEST(HrfReading, NegationThatMeansNothing) {
  expect_problems({
      {"role(r) control(r) legal(a) terminal\np(X) :- ~q(X) & r\nq(1) r",
       "2:10: error: 'X' is bound by no condition, so '~q(X)' says nothing of the 'X' of the head"},
      {"role(r) control(r) legal(a) terminal\na :: ~q(X) ==> q(X)",
       "2:7: error: 'X' is bound by no condition"},
      {"role(r) control(r) legal(a) terminal\np(X) :- ~(q(X) & r)\nq(1) r",
       "2:11: error: 'X' is bound by no condition, so '~(q(X) & r)' says nothing of the 'X' of"},
  });
}

TEST(HrfReading, CountsOfRulesThatNeverHold) {
  const std::string game = "role(r) control(r) legal(go) terminal q(1,a)\n";
  for (const auto& [rule, problem] : std::vector<std::pair<std::string, std::string>>{
           {"p(N) :- g(G) & countofall(X,q(X,G),N)", "2:9: warning: 'g' is defined nowhere"},
           {"p(G,N) :- q(G,z) & countofall(X,q(X,G),N)", ""},
           {"p(L) :- g(G) & setofall(X,q(X,G),L)", "2:9: warning: 'g' is defined nowhere"},
           {"p(N) :- q(M,G) & countofall(X,q(X,G),N) & false", ""},
           {"p(N) :- q(M,G) & countofall(X,q(X,G),N) & Y", "2:43: warning: the variable 'Y' is no"},
           {"p(N) :- q(M,G) & countofall(X,q(X,G),N) & leq(N,Y)",
            "2:43: error: 'Y' in 'leq(N,Y)' is never bound"}}) {
    const std::string found = problems_of(game + rule);
    EXPECT_THAT(found, StartsWith(problem)) << rule;
    EXPECT_EQ(found.empty(), problem.empty()) << found;
  }
}

TEST(HrfReading, BodiesMayBeLong) {
  std::string text = "role(r) init(control(r)) base(p(0)) legal(go) terminal :- p(0)";
  for (int i = 0; i < 50'000; ++i) text += " & p(" + std::to_string(i) + ") & n(X)";
  const ReadRules read = read_rules(text + " n(1)");
  EXPECT_EQ(lines_of(read.errors), "");
  const auto& rules = read.normalised.rules->rules;
  const auto terminal = std::ranges::find(rules, kTerminal, &Rule::head);
  ASSERT_NE(terminal, rules.end());
  EXPECT_EQ(terminal->body.size(), 50'001U) << "each condition once";
}

TEST(HrfReading, BuiltinsThatCanNotBeKnown) {
  expect_problems({
      {"role(r) control(r) legal(a) terminal\np(X) :- plus(X,Y,3)",
       "2:9: error: 'X' in 'plus(X,Y,3)' is never bound: give the relation"},
      {"role(r) control(r) legal(a) terminal\np :- leq(1)", "2:6: error: 'leq' takes two numbers"},
      {"role(r) control(r) legal(a) terminal\np :- mutex(1)",
       "2:6: error: 'mutex' takes two arguments or more"},
      {"role(r) control(r) legal(a) terminal\np(L) :- setofall(pair(X,Y),q(X) & q(Y),L)\n"
       "q(1) q(2) q(3) q(4)",
       "2:9: error: this set may have more than 12 terms, and there would be a list for each"},
      {"role(r) control(r) legal(a) terminal\np(L) :- setofall(X,L)",
       "2:9: error: 'setofall' takes a term, a condition and the result"},
      {"role(r) control(r) legal(a) terminal\np([1,2)",
       "2:7: error: expected ',' or ']' in a list, found ')'; in prefix GDL a list is (cons"},
      {"role(r) control(r) legal(a) terminal\np(L) :- if(q,1,L)", "2:9: error: 'if' is not read"},
  });
}

/// Each of two numbers that grow has an end, however their variables are called.
TEST(HrfReading, NumbersGrowByThemselves) {
  std::string text = "role(white) init(a(0)) init(b(3)) legal(go) legal(jump)\n";
  for (int i = 0; i <= 400; ++i) text += "index(" + std::to_string(i) + ")\n";
  text +=
      "go :: a(X) & plus(X,1,Y) & index(Y) ==> ~a(X) & a(Y)\n"
      "terminal :- a(400) goal(white,100) :- terminal\n";
  EXPECT_EQ(problems_of(text + "jump :: b(U) & plus(U,1,V) & index(V) ==> ~b(U) & b(V)"), "");
  EXPECT_EQ(problems_of(text + "jump :: b(X) & plus(X,1,Y) & index(Y) ==> ~b(X) & b(Y)"), "");
}

TEST(HrfReading, ACountOfOneThingIsNoProblem) {
  const std::string game = "role(r) control(r) legal(go) terminal edge(a,b)\n";
  EXPECT_EQ(problems_of(game + "legal(to(N)) :- countofall(X,edge(X,b),N)"), "");
  EXPECT_EQ(problems_of(game + "legal(to(N)) :- countofall(X,edge(X,a),N)"), "");
}

TEST(HrfReading, RulesThatMeanNothing) {
  expect_problems({
      {"role(r) role(s) legal(a) terminal", "1:1: error: no role is ever in control"},
      {"role(r) control(r) legal(a) terminal\np(aB) q(ab)",
       "2:9: error: 'ab' and 'aB' differ only in"},
      {"role(r) control(r) legal(a) terminal\na :: X", "2:6: error: 'X' is no effect"},
      {"role(r) control(r) legal(a) terminal\na :: ~control(r)",
       "2:6: warning: 'control' has rules of its own"},
      {"role(r) control(r) legal(a) terminal :- p &(X) ~q & s\np q s terminal",
       "1:45: warning: the variable 'X' is no condition: this never holds\n"
       "1:48: warning: '~q & s' is neither a fact nor a rule, and says nothing\n"},
  });
}

/// The checker speaks of the places of the text, too.
TEST(HrfReading, WhatTheCheckerFindsHasAPlace) {
  EXPECT_THAT(problems_of("role(r) control(r)\nlegal(a) :-\n  pp(1)\nterminal p(1)"),
              StartsWith("3:3: warning: 'pp' is defined nowhere, always false; did you mean 'p'?"));
}

/// In the words of the sheet: prefix GDL has `?Z`.
TEST(HrfReading, WhatTheCheckerFindsIsSaidInItsLanguage) {
  EXPECT_EQ(problems_of("role(r) control(r) base(p(1)) init(p(1))\nlegal(a(Z)) :- p(X)\nterminal"),
            "2:9: error: Z is bound by no positive literal\n");
}

TEST(HrfReading, CommasMayStandBetweenStatements) {
  const std::string text = hrf_game("line");
  std::string commas = "role(x),role(o),control(x),legal(a),terminal :- p & q,a :: p & ~q";
  EXPECT_EQ(problems_of(commas), "");
}

TEST(HrfReading, TermsInBothLanguages) {
  EXPECT_EQ(hrf_terms("( mark 1 ( f a b ) )"), "mark(1,f(a,b))");
  EXPECT_EQ(hrf_terms("noop ( mark 1 ( f a ) c )"), "noop mark(1,f(a),c)");
  EXPECT_EQ(prefix_terms("( mark(1, f(a,b)) noop )"), "( (mark 1  (f a b)) noop )");
  EXPECT_EQ(prefix_terms("( ( mark 1 2 ) noop )"), "( ( mark 1 2 ) noop )");
  EXPECT_EQ(prefix_terms("put([1,2])"), "(put (cons 1 (cons 2 nil)))");
  EXPECT_EQ(prefix_terms("put(1![],b)"), "(put (cons 1 nil) b)");
  EXPECT_EQ(prefix_terms("( put [1 2] )"), "( put [1 2] )");
  EXPECT_EQ(prefix_terms("say(\"a,b\")"), "(say \"a,b\")");
  EXPECT_EQ(prefix_terms("( say(\"a,b\",c) \"d,\" )"), "( (say \"a,b\" c) \"d,\" )");
  EXPECT_EQ(prefix_terms("( say \"a,b\" )"), "( say \"a,b\" )");
  EXPECT_EQ(prefix_terms("say(\"a,b c)"), "(say \"a b c)") << "never closed";
}

TEST(HrfReading, PublicSheetsAreReadWithoutErrors) {
  const std::filesystem::path folder = project_folder() + "/../shared/gamemaster/rules";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "the public rulesheets are not beside the project: " << folder;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const ReadRules read = read_rules(read_file(entry.path()).value());
    EXPECT_EQ(lines_of(read.errors), "") << entry.path();
    EXPECT_FALSE(has_error(check(read.normalised))) << entry.path();
  }
}

}  // namespace
}  // namespace ludens::gdl
