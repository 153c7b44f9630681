// SPDX-License-Identifier: MIT
// Rulesheets from one language to the other, and what can't be said there.
#include <gmock/gmock.h>

#include <regex>

#include "gdl/hrf/hrf.h"
#include "gdl/to_hrf/to_hrf.h"
#include "tests/gdl/hrf/played.h"
#include "tests/gdl/to_hrf/same_game.h"

namespace ludens::gdl {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string in_prefix(const std::string& hrf) {
  return read_rules(hrf).normalised.rules->source->text();
}

WrittenHrf written(const std::string& prefix) {
  return write_hrf(*read_rules(prefix).normalised.rules);
}

std::string in_hrf(const std::string& prefix) {
  const WrittenHrf result = written(prefix);
  EXPECT_EQ(lines_of(result.diagnostics), "");
  return result.text;
}

const std::string kNotSeen = "that exactly one role is in control in each state can't be seen";

/// In HRF, of rules that don't show that one role is in control.
std::string in_hrf_with_a_note(const std::string& prefix) {
  const WrittenHrf result = written(prefix);
  EXPECT_EQ(result.diagnostics.size(), 1U) << lines_of(result.diagnostics);
  EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("note: " + kNotSeen));
  return result.text;
}

/// The first thing that is said of rules that HRF can't say.
std::string refusal(const std::string& prefix) {
  const WrittenHrf result = written(prefix);
  EXPECT_TRUE(has_error(result.diagnostics)) << result.text;
  EXPECT_EQ(result.text, "");
  return lines_of(result.diagnostics);
}

TEST(HrfConverting, TermsOfAnyNames) {
  EXPECT_EQ(hrf_terms("( mark 1 ( f a b ) ) noop"), "mark(1,f(a,b)) noop");
  EXPECT_EQ(hrf_terms("( mark 1,2 ) ,"), "mark(1,2) ,");  // commas are part of names there
  EXPECT_EQ(prefix_terms("( mark(1,f(a)) noop )"), "( (mark 1 (f a)) noop )");
  EXPECT_EQ(prefix_terms(",a,"), " a ");
}

TEST(HrfConverting, ThereAndBackNoStateChanges) {
  for (const char* name : {"line", "harvest", "words"}) {
    SCOPED_TRACE(name);
    const std::string game = hrf_game(name);
    // Read as prefix GDL, fluents with the names of keywords are warned of.
    if (name != std::string("words")) expect_same_game(game, in_prefix(game));
    expect_same_game(game, in_hrf_with_a_note(in_prefix(game)));
  }
}

/// Two roles in turn; who waits is said case by case, and the frame asks for the move.
constexpr const char* kTicTacToe = R"(
(role white) (role black)
(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(init (control white)) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (cell ?m ?n white)) (does white (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n black)) (does black (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))
(<= (next (cell ?m ?n b)) (does ?r (mark ?j ?k)) (true (cell ?m ?n b)) (distinct_cell ?m ?n ?j ?k))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (distinct_cell ?m ?n ?j ?k) (true (cell ?m ?n ?w)) (true (cell ?j ?k ?v)) (or (distinct ?m ?j) (distinct ?n ?k)))
(<= (legal ?r (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?r)))
(<= (legal white noop) (true (control black)))
(<= (legal black noop) (true (control white)))
(<= (owns ?r) (true (cell ?m 1 ?r)) (true (cell ?m 2 ?r)) (role ?r))
(<= (goal ?r 100) (owns ?r))
(<= (goal ?r 40) (role ?r) (not (owns ?r)))
(<= terminal (true (step 5)))
(<= terminal (owns ?r))
)";

TEST(HrfConverting, GamesInTurnThatWereWrittenInPrefixGdl) {
  const WrittenHrf result = written(kTicTacToe);
  EXPECT_FALSE(has_error(result.diagnostics)) << lines_of(result.diagnostics);
  EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("whether 'cell' stays depends on the move"));
  EXPECT_THAT(result.text, Not(HasSubstr("noop")));
  expect_same_game(kTicTacToe, result.text);
}

TEST(HrfConverting, FramesBecomeWhatPersists) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (kept 1)) (init (sometimes 1)) (init (never 1)) (init (n 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (true (control ?r)))
(<= (legal ?r stay) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (kept ?x)) (true (kept ?x)))
(<= (next (sometimes ?x)) (true (sometimes ?x)) (not (true (n 1))))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= (next (went ?r)) (does ?r go))
(<= terminal (true (n 3)))
(<= (goal a 100) (true (went a))) (<= (goal a 0) (not (true (went a)))) (goal b 50))";
  const std::string text = in_hrf(rules);
  expect_same_game(rules, text);
  EXPECT_THAT(text, Not(HasSubstr("~kept(")));
  EXPECT_THAT(text, HasSubstr("sometimes_stays"));
  EXPECT_THAT(text, HasSubstr("never(X1) ==> ~never(X1)"));
}

TEST(HrfConverting, WhatWaitingRolesDoIsACondition) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (take ?x)) (true (control ?r)) (succ ?x ?y))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control ?r)) (does ?r noop))
(<= (next (last ?r ?m)) (does ?r ?m))
(<= (next (idle ?r)) (role ?r) (not (made ?r)))
(<= (made ?r) (does ?r (take ?x)) (distinct ?x 1))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal a 10) (goal b 20))";
  // That control passes to who waits is no more than the general rule: the proof needs facts.
  EXPECT_THAT(refusal(rules), HasSubstr("exactly one role is in control"));
  std::string provable = rules;
  const std::string rule = "(<= (next (control ?r)) (does ?r noop))";
  provable.replace(
      provable.find(rule), rule.size(),
      "(other a b) (other b a) (<= (next (control ?r)) (true (control ?q)) (other ?q ?r))");
  expect_same_game(provable, in_hrf(provable));
}

TEST(HrfConverting, RelationsOfTheMoveThatNothingFollowsFromLeaveNoFluent) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (take ?x)) (true (control ?r)) (succ ?x ?y))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (taken ?x) (does ?r (take ?x)))
(<= (next (first)) (taken 0))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal a 10) (goal b 20))";
  expect_same_game(rules, in_hrf(rules));
}

TEST(HrfConverting, ARoleAloneMayDoNothing) {
  const std::string rules = R"(
(role robot) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal robot noop) (legal robot go)
(<= (next (waited)) (does robot noop))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal robot 7))";
  expect_same_game(rules, in_hrf(rules), 1);
}

TEST(HrfConverting, OneRoleNeedsNoControl) {
  const std::string rules = R"(
(role robot) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal robot (go ?y)) (true (at ?x)) (succ ?x ?y))
(legal robot rest)
(<= (next (at ?y)) (does robot (go ?y)))
(<= (next (at ?x)) (does robot rest) (true (at ?x)))
(<= (next (rested ?x)) (does robot rest) (true (at ?x)))
(<= (next (rested ?x)) (true (rested ?x)))
(<= terminal (true (at 3))) (<= (goal robot 90) (true (at 3))) (<= (goal robot 5) (not (true (at 3)))))";
  const WrittenHrf result = written(rules);
  EXPECT_FALSE(has_error(result.diagnostics)) << lines_of(result.diagnostics);
  EXPECT_THAT(result.text, Not(HasSubstr("control")));
  expect_same_game(rules, result.text, 1);
}

TEST(HrfConverting, RelationsGiveWayToFluentsOfTheirName) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (cell 1)) (cell 2) (cell 3)
(<= (legal ?r (put ?x)) (true (control ?r)) (cell ?x) (not (true (cell ?x))))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x)) (does ?r (put ?x)))
(<= (next (cell ?x)) (true (cell ?x)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= open (cell ?x) (not (true (cell ?x))))
(<= terminal (not open)) (goal a 30) (goal b 70))";
  expect_same_game(rules, in_hrf(rules));
}

/// A view says whose turn it is, after the fluent of that name.
std::string turns_by_a_view(const std::string& fluent) {
  const std::string a = "(" + fluent + " a)", b = "(" + fluent + " b)";
  return "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (init " + a + ")\n" +
         "(<= (next " + b + ") (true " + a + ")) (<= (next " + a + ") (true " + b + "))\n" +
         "(<= (my_turn ?r) (true (" + fluent + R"( ?r)) (not (true (blocked))))
(<= (legal ?r go) (my_turn ?r)) (<= (legal ?r stop) (my_turn ?r))
(<= (legal ?r noop) (role ?r) (not (my_turn ?r)))
(<= (next (blocked)) (true (blocked)))
(<= (next (blocked)) (does ?r stop))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3))) (<= terminal (true (blocked))) (goal a 1) (goal b 2))";
}

TEST(HrfConverting, RelationsCalledControlGetAnotherNameIfTheyDoNotSayWhoMoves) {
  const std::string rules =
      turns_by_a_view("turn") + "(control a) (<= (next (seen ?x)) (control ?x) (true (n 1)))";
  expect_same_game(rules, in_hrf_with_a_note(rules));
}

TEST(HrfConverting, FluentsCalledControlGetAnotherNameIfTheyDoNotSayWhoMoves) {
  const WrittenHrf result = written(turns_by_a_view("control"));
  EXPECT_THAT(lines_of(result.diagnostics),
              StartsWith("1:65: note: the fluent 'control' is called 'control_2', as 'control' of "
                         "HRF says which role moves\n"));
  expect_same_game(turns_by_a_view("control_2"), result.text);
  EXPECT_THAT(refusal(turns_by_a_view("control") + "(legal a jump)"), Not(HasSubstr("note")));
}

TEST(HrfConverting, ARoleAloneMayHaveAnotherFluentCalledControl) {
  const std::string rules = R"(
(role robot) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (init (control valve))
(legal robot noop) (<= (legal robot go) (true (control valve)))
(<= (next (control pump)) (does robot go))
(<= (next (control valve)) (does robot noop))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal robot 7))";
  Played first(rules), second(written(rules).text);
  EXPECT_EQ(first.legal(0), second.legal(0));
  EXPECT_EQ(second.state(), "control_2(valve) n(0)");
}

TEST(HrfConverting, AMoveThatIsAFluentCalledControlIsAnError) {
  const std::string rules =
      "(<= (legal ?r (control x)) (my_turn ?r)) (<= (next seen) (does ?r (control x)))";
  expect_same_game(turns_by_a_view("turn") + rules,
                   in_hrf_with_a_note(turns_by_a_view("turn") + rules));
  EXPECT_THAT(refusal(turns_by_a_view("control") + rules),
              HasSubstr("'control' is both a move and a fluent"));
}

/// Which the venue's reader wants, too.
TEST(HrfConverting, EveryVariableBeginsWithACapital) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (p 1 1)) (init (q 1)) (n 1) (n 2)
(<= (legal ?r (go ?x1)) (true (control ?r)) (n ?x1))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (p ?1 ?x1)) (does ?1 (go ?x1)))
(<= (next (p ?x1 1)) (true (p ?x1 1)) (not (true (q ?x1))))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (p a 2))) (goal a 1) (goal b 2))";
  const std::string text = in_hrf(rules);
  EXPECT_FALSE(std::regex_search(text, std::regex("[^A-Za-z0-9_]_"))) << text;
  expect_same_game(rules, text);
}

TEST(HrfConverting, NamesWithOtherSignsGetOthersThatNoneElseHas) {
  const std::string rules =
      "(role a) (role b) (init (control a)) (init (at-x 1)) (init (at_x 1)) (init (n +))\n"
      "(<= (legal ?r (go - comma)) (true (control ?r)))\n"
      "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n"
      "(<= (next (n -)) (does a (go - comma))) (<= (next (n caf\u00e9)) (does b (go - comma)))\n"
      "(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))\n"
      "(<= terminal (true (n -)) (true (at-x 1))) (goal a 1) (goal b 2)";
  const WrittenHrf result = written(rules);
  EXPECT_FALSE(has_error(result.diagnostics)) << lines_of(result.diagnostics);
  EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("1:38: note: 'at-x' is called 'at_x_2'"));
  EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("'+' is called 'plus_sign'"));
  Played game(result.text);
  EXPECT_EQ(game.state(), "at_x(1) at_x_2(1) control(a) n(plus_sign)");
  EXPECT_EQ(game.legal(0), "go(minus_sign,comma_2)");
  game.make({"go(minus_sign,comma_2)", "noop"});
  EXPECT_EQ(game.state(), "control(b) n(minus_sign)");
  EXPECT_EQ(result.names.at("at-x"), "at_x_2");
}

TEST(HrfConverting, TermsGetTheNamesOfTheText) {
  const std::map<std::string, std::string> names{{"a-1", "a_1"}, {"x", "x"}};
  EXPECT_EQ(with_names("( mark A-1 ( f x a-1 ) )", names), "( mark a_1 ( f x a_1 ) )");
  EXPECT_EQ(with_names("noop", names), "noop");
  EXPECT_EQ(with_names("a-1", names), "a_1");
}

TEST(HrfConverting, AnEndThatNeverComesIsStillOne) {
  const std::string rules =
      "(role a) (role b) (init (control a)) (<= (next (control b)) (true (control a)))\n"
      "(<= (next (control a)) (true (control b))) (goal a 1) (goal b 2)\n"
      "(<= (legal ?r go) (true (control ?r)))\n"
      "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n";
  for (const char* end :
       {"(<= terminal (true finished))", "(<= terminal (distinct a a))", "(<= terminal (never))"}) {
    const std::string text = in_hrf(rules + end);
    EXPECT_THAT(text, HasSubstr("terminal :- distinct(a,a)\n")) << end;
    EXPECT_EQ(problems_of(text), "7:1: warning: this rule can never apply\n");
    EXPECT_THAT(written(in_prefix(text)).text, HasSubstr("terminal :- distinct(a,a)\n"));
  }
}

TEST(HrfConverting, RulesOfNoRoleHaveNoEnd) {
  for (const char* rules : {"", "(next heads)"}) {
    EXPECT_THAT(written(rules).text, Not(HasSubstr("terminal"))) << rules;
  }
}

TEST(HrfConverting, WhatHrfCannotSayIsAnErrorWithItsPlace) {
  const std::string in_turn =
      "(role a) (role b) (init (control a)) (<= (next (control b)) (true (control a)))\n"
      "(<= (next (control a)) (true (control b))) (<= terminal (true done)) (goal a 1) (goal b 2)\n"
      "(<= (legal ?r go) (true (control ?r)))\n"
      "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n";
  EXPECT_NE(in_hrf(in_turn), "");
  EXPECT_THAT(refusal(in_turn + "(<= (sees ?r done) (role ?r))"), HasSubstr("sees"));
  EXPECT_THAT(refusal(in_turn + "(<= (sees ?r ?m) (does ?r ?m))"), HasSubstr("5:1: error: 'sees'"));
  EXPECT_THAT(refusal(in_turn + "(<= (sees ?r done) (true never))"), HasSubstr("sees"));
  EXPECT_THAT(refusal(in_turn + "(<= gone (not (does a go))) (<= (goal a 5) gone)"),
              HasSubstr("'goal' depends on the moves made"));
  EXPECT_THAT(refusal(in_turn + "(<= (next done) (does a go) (does b ?m) (distinct ?m noop))"),
              HasSubstr("two moves at once"));
  EXPECT_THAT(
      refusal("(role a) (role b) (legal ?r go) (<= (legal ?r go) (role ?r))\n"
              "(<= (next done) (does a go)) (<= terminal (true done)) (goal a 1) (goal b 1)"),
      HasSubstr("HRF is for games in turn"));
  EXPECT_THAT(
      refusal(
          "(role a) (role b) (init (control a)) (<= (next (control b)) (does a go))\n"
          "(<= (legal ?r go) (true (control ?r))) (<= (legal a noop) (true (control b)))\n"
          "(<= (legal b noop) (true (control a))) (<= terminal (true done)) (goal a 1) (goal b 1)"),
      HasSubstr("exactly one role is in control"));
}

TEST(HrfConverting, AGameOfHiddenInformationIsRefused) {
  const auto game =
      read_file(project_folder() + "/config/games/kriegspiel_tic_tac_toe.kif").value();
  EXPECT_THAT(refusal(game), HasSubstr("HRF is for games of perfect information"));
}

TEST(HrfConverting, RulesMayAskForTheInputsOfARole) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(input a (m 1)) (input b (m 2)) (<= (input ?r noop) (role ?r)) (<= (input ?r (m 3)) (role ?r))
(<= (legal ?r (m ?x)) (true (control ?r)) (input ?r (m ?x)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (next (waits ?r)) (true (n 1)) (input ?r noop) (not (input ?r (m 2))))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3))) (goal a 1) (goal b 2))";
  // `check` warns of the keyword in conditions, where any other name says the same.
  expect_same_game(std::regex_replace(rules, std::regex("input"), "allowed"), in_hrf(rules));
}

TEST(HrfConverting, ARoleAloneIsAskedByName) {
  const std::string rules = R"(
(role robot) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (name robot) (name other)
(legal robot a) (<= (legal robot b) (true (n 1)))
(<= (able ?r) (legal ?r b))
(<= (next (able ?r)) (able ?r))
(<= (next (unable ?r)) (name ?r) (not (legal ?r b)))
(<= (next (unable ?r)) (true (unable ?r)))
(<= (next (able ?r)) (true (able ?r)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3)))
(<= (goal robot 100) (true (able robot)))
(<= (goal robot 0) (not (true (able robot)))))";
  const std::string text = in_hrf(rules);
  expect_same_game(rules, text, 1);
  Played game(text);
  for (const char* move : {"a", "b", "a"}) game.make({move});
  EXPECT_EQ(game.goals(), std::vector{100});
}

TEST(HrfConverting, WhatOnlyRepeatsItselfNeverHolds) {
  const std::string rules = R"(
(role r) (init (n 1)) (d 1) (d 2) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal r x) (legal r y)
(<= (less ?p ?q) (d ?p) (d ?q) (less ?p ?q))
(<= (next (n ?q)) (true (n ?p)) (d ?q) (less ?p ?q))
(<= (next (n 1)) (true (n 1)) (does r y))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 3)))
(<= (goal r 100) (true (n 2))) (<= (goal r 0) (not (true (n 2)))))";
  const WrittenHrf result = written(rules);
  EXPECT_THAT(result.text, Not(HasSubstr("less")));
  expect_same_game(rules, result.text, 1);
}

TEST(HrfConverting, ARelationGivesMovesAtEachOfItsPlaces) {
  const std::string rules = R"(
(role r) (init (n 0)) (succ 0 1) (succ 1 2)
(<= (legal r ?m) (m ?m))
(<= (m ?x) (pair ?x ?y)) (<= (m ?y) (pair ?x ?y))
(<= (pair ?x ?y) (first ?x) (second ?y)) (first (go 1)) (second stay)
(<= (next (went)) (does r (go 1)))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 2))) (goal r 7))";
  expect_same_game(rules, in_hrf(rules), 1);
}

const std::string kThreeSteps =
    "(role p) (legal p a) (legal p b) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))"
    "(<= (goal p 100) (true (step 3))) (<= (goal p 0) (not (true (step 3))))";

TEST(HrfConverting, ChainsOfRulesMayBeLong) {
  std::string chain;
  for (int i = 0; i < 100'000; ++i) {
    chain += "(<= (m" + std::to_string(i) + " ?x) (m" + std::to_string(i + 1) + " ?x))";
  }
  const std::string text = in_hrf(
      "(role r) (init (n 0)) (<= (next (n 1)) (does r go)) (<= terminal (true (n 1))) (goal r 1)"
      "(<= (legal r ?m) (m0 ?m)) (m100000 go)" +
      chain);
  EXPECT_THAT(text, HasSubstr("legal(go) :- m0(go)"));
}

TEST(HrfConverting, BodiesMayBeLong) {
  std::string body;
  for (int i = 0; i < 100'000; ++i) body += " (true (p " + std::to_string(i) + "))";
  const std::string text = in_hrf(kThreeSteps + "(init (p 0)) (<= (next (p ?x)) (true (p ?x)))" +
                                  "(<= (next q) (does p a)" + body + ")");
  EXPECT_THAT(text, HasSubstr("p(0) & p(1) & p(2)"));
}

TEST(HrfConverting, ARelationSaysWhatHoldsAtFirst) {
  const std::string rules = R"(
(role r) (<= (init ?f) (start ?f)) (start fresh) (start (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal r jump) (true fresh)) (legal r go)
(<= (next jumped) (does r jump)) (<= (next jumped) (true jumped))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3))) (<= (goal r 80) (true jumped)) (<= (goal r 10) (not (true jumped))))";
  const std::string text = in_hrf(rules);
  EXPECT_THAT(text, HasSubstr("legal(jump)"));
  expect_same_game(rules, text, 1);
  EXPECT_THAT(refusal(kThreeSteps + "(<= (init ?f) (start ?r ?f)) (<= (start ?r ?f) (role ?r))"
                                    "(<= (start ?r ?f) (start ?r ?g) (start ?s ?f))"),
              HasSubstr("the rule lets whatever fluent 'F' stands for hold at first"));
}

TEST(HrfConverting, FluentsThatHrfWouldMisreadGetAnotherName) {
  for (const auto& [name, renamed] : std::vector<std::pair<std::string, std::string>>{
           {"(goal ?x ?x)", "(goal_2 ?x ?x)"},
           {"(max ?x)", "(max_2 ?x)"},
           {"(base ?x)", "(base_2 ?x)"},
           {"(action ?x)", "(action_2 ?x)"},
           {"(pair (less ?x 1) b)", "(pair (less ?x 1) b)"}}) {
    const auto rules = [](const std::string& fluent) {
      return kThreeSteps + "(<= (input p ?m) (is_move ?m)) (is_move a) (is_move b)" + "(<= (next " +
             fluent + ") (does p a) (true (step ?x)))" + "(<= (next (seen ?x)) (true " + fluent +
             ")) (<= (next (seen ?x)) (true (seen ?x)))";
    };
    const WrittenHrf result = written(rules(name));
    const bool same = name == renamed;
    EXPECT_THAT(lines_of(result.diagnostics), HasSubstr(same ? "" : ": note: the fluent '"))
        << name;
    EXPECT_EQ(result.diagnostics.empty(), same) << lines_of(result.diagnostics);
    expect_same_game(rules(renamed), result.text, 1);
  }
  EXPECT_THAT(refusal(kThreeSteps + "(legal p (max 1)) (<= (next (max ?x)) (does p (max ?x)))"),
              HasSubstr("'max' is both a move and a fluent"));
}

TEST(HrfConverting, ARelationCalledFalseIsNotWhatNeverHolds) {
  const std::string rules = kThreeSteps + "(<= false (true (step 1))) (<= (next odd) false)";
  expect_same_game(rules, in_hrf(rules), 1);
}

TEST(HrfConverting, NoRoleIsInControlByATermThatIsNoRole) {
  const std::string rules = R"(
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (true (control ?r)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (control ?r)) (true (control (pair ?r ?q))) (true (control ?q)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal a 1) (goal b 2))";
  expect_same_game(rules, in_hrf(rules));
}

TEST(HrfConverting, SaysWhereRolesMayMoveAtOnce) {
  const std::string both = R"(
(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (control ?r)) (true (control ?r)))
(<= (legal ?r inc) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (n ?y)) (does ?r inc) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3))) (goal a 1) (goal b 2))";
  expect_same_game(both, in_hrf(both));
  EXPECT_THAT(refusal(both + "(init (control b))"),
              HasSubstr("'a' and 'b' are in control at once at first: HRF is for games in turn"));
  const std::string passes = both + "(<= (next (control b)) (does a inc))";
  EXPECT_THAT(lines_of(written(passes).diagnostics), HasSubstr("note: " + kNotSeen));
}

/// Games of two roles, of which the other one waits; `waiting` is why, and `turn` who is next.
std::string turns_by_distinct(const std::string& waiting, const std::string& turn) {
  return "(role white) (role black) (init (control white)) (init (n 0))"
         "(succ 0 1) (succ 1 2) (succ 2 3) (<= (legal ?r inc) (true (control ?r)))"
         "(<= (next (n ?m)) (true (n ?k)) (succ ?k ?m)) (<= terminal (true (n 3)))"
         "(goal white 100) (goal black 0) (<= (legal ?r noop) " +
         waiting + ")" + turn;
}

TEST(HrfConverting, ControlIsProvedInWhateverOrderConditionsStand) {
  const std::string who = "(role ?r) (true (control ?x))", differ = "(distinct ?r ?x)";
  const std::string next = "(role ?x) (true (control ?y))", other = "(distinct ?x ?y)";
  for (const std::string& waiting : {who + differ, differ + who}) {
    for (const std::string& turn : {next + other, other + next}) {
      const std::string rules = turns_by_distinct(waiting, "(<= (next (control ?x)) " + turn + ")");
      expect_same_game(rules, in_hrf(rules));
    }
  }
  const std::string in_turn =
      "(<= (next (control white)) (true (control black)))"
      "(<= (next (control black)) (true (control white)))";
  EXPECT_THAT(refusal(turns_by_distinct(
                  who + differ, in_turn + "(<= (next (control ?x)) (distinct ?x ?y) (role ?x)"
                                          "(role ?y) (true (control ?x)) (true (n 1)))")),
              HasSubstr(kNotSeen));
}

TEST(HrfConverting, RefusesConditionsOnWhateverFluentItIs) {
  const std::string rules =
      kThreeSteps + "(watched (step 1)) (<= (next (seen ?x)) (true (seen ?x)))";
  for (const char* condition : {"(true ?f)", "(not (true ?f))"}) {
    EXPECT_THAT(refusal(rules + "(<= (next (seen now)) (does p a) (watched ?f) " + condition + ")"),
                HasSubstr("whatever fluent 'F' stands for"))
        << condition;
    EXPECT_THAT(refusal(rules + "(<= (legal p c) (watched ?f) " + condition + ")"),
                HasSubstr("whatever fluent 'F' stands for"))
        << condition;
  }
  // It is a fluent with the name of a move.
  EXPECT_THAT(refusal(kThreeSteps + "(<= (next ?m) (does p ?m)) (<= terminal (true a))"),
              HasSubstr("whatever fluent 'M' stands for"));
}

TEST(HrfConverting, RefusesConditionsOnWhatIsNext) {
  EXPECT_THAT(refusal(kThreeSteps + "(<= (next shadow) (next (step 2)))"),
              HasSubstr("a rule asks for 'next'"));
}

TEST(HrfConverting, LeavesOutWhatIsLegalForNoRole) {
  const std::string rules =
      kThreeSteps + "(legal ghost boo) (legal a p) (<= (legal ?x wave) (true (step ?x)))";
  const std::string text = in_hrf(rules);
  EXPECT_THAT(text, Not(HasSubstr("legal(boo)")));
  EXPECT_THAT(text, Not(HasSubstr("legal(p)")));
  EXPECT_THAT(text, HasSubstr("legal(wave) :- step(X) & role(X)"));
}

}  // namespace
}  // namespace ludens::gdl
