// SPDX-License-Identifier: MIT
// Rulesheets from prefix GDL to infix GDL and to Prolog, and back.
#include "gdl/to_hrf/to_infix.h"

#include <gmock/gmock.h>

#include "gdl/hrf/recognise.h"
#include "tests/gdl/to_hrf/same_game.h"

namespace ludens::gdl {
namespace {

using testing::HasSubstr;
using testing::Not;

WrittenHrf written(const std::string& rules, Dialect dialect) {
  return write_infix(*read_rules(rules).normalised.rules, dialect);
}

/// What no turn-taking language can say: both move at once, and the frame asks for the moves.
constexpr const char* kDuel = R"(
(role a) (role b) (init (at a 1)) (init (at b 3)) (succ 1 2) (succ 2 3)
(<= (base (at ?r ?n)) (role ?r) (number ?n)) (number 1) (number 2) (number 3)
(<= (input ?r ?m) (role ?r) (or (wait ?m) (forward ?m))) (wait stay) (forward go)
(<= (legal ?r stay) (role ?r))
(<= (legal ?r go) (role ?r) (not (edge ?r)))
(<= (edge a) (true (at a 3))) (<= (edge b) (true (at b 1)))
(<= (next (at a ?m)) (does a go) (true (at a ?n)) (succ ?n ?m))
(<= (next (at b ?n)) (does b go) (true (at b ?m)) (succ ?n ?m))
(<= (next (at ?r ?n)) (does ?r stay) (true (at ?r ?n)))
(<= met (true (at a ?n)) (true (at b ?n)))
(<= terminal (or met (edge a) (not (or (not (edge b)) met))))
(<= (goal ?r 50) (role ?r) met)
(<= (goal ?r 0) (role ?r) (not met) (or (edge ?o) (distinct ?o ?r)) (role ?o))
(<= (goal ?r 0) (role ?r) (never ?r)))";

TEST(InfixConverting, GamesOfSimultaneousMoves) {
  for (const Dialect dialect : {Dialect::Infix, Dialect::Prolog}) {
    const WrittenHrf result = written(kDuel, dialect);
    EXPECT_EQ(lines_of(result.diagnostics), "");
    EXPECT_EQ(dialect_of(result.text), dialect) << result.text;
    const ReadRules read = read_rules(result.text);
    EXPECT_EQ(lines_of(read.errors), "") << result.text;
    EXPECT_EQ(result.statements, read_rules(kDuel).normalised.rules->forms.size());
  }
}

TEST(InfixConverting, ThereAndBackNoStateChanges) {
  const std::string duel = [] {  // without the condition that nothing defines, which is warned of
    const std::string all = kDuel;
    return all.substr(0, all.rfind("(<= (goal"));
  }();
  for (const Dialect dialect : {Dialect::Infix, Dialect::Prolog}) {
    const std::string text = written(duel, dialect).text;
    expect_same_game(duel, text);
    expect_same_game(duel, read_rules(text).normalised.rules->source->text());
  }
}

TEST(InfixConverting, GamesOfOtherDialects) {
  const std::string hrf = hrf_game("line");
  for (const Dialect dialect : {Dialect::Infix, Dialect::Prolog}) {
    expect_same_game(hrf, written(hrf, dialect).text);
  }
}

TEST(InfixConverting, HowItIsSpelled) {
  const std::string rules =
      "(role x) (<= (legal x go) (true (n 1)) (not (distinct x y)) (or (true a) (not (true b))))\n"
      "(<= (next (n ?m)) (distinct ?m 1) (true (n ?m)))";
  EXPECT_EQ(written(rules, Dialect::Infix).text,
            "role(x)\n"
            "legal(x,go) :- true(n(1)) & ~distinct(x,y) & (true(a) | ~true(b))\n"
            "next(n(M)) :- distinct(M,1) & true(n(M))\n");
  EXPECT_EQ(written(rules, Dialect::Prolog).text,
            "role(x).\n"
            "legal(x,go) :- true(n(1)), (true(a) ; \\+ true(b)), \\+ x \\= y.\n"
            "next(n(M)) :- true(n(M)), M \\= 1.\n");
}

TEST(InfixConverting, NamesThatMeanSomethingElseAreOthers) {
  const std::string rules =
      "(role x-1) (legal x-1 fail) (legal x-1 1a) (init (n 1)) (<= (next (n not)) (n 1) (plus 1 2 "
      "3)) (<= terminal (true (n not))) (goal x-1 1)";
  for (const Dialect dialect : {Dialect::Infix, Dialect::Prolog}) {
    const WrittenHrf result = written(rules, dialect);
    EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("1:7: note: 'x-1' is called 'x_1'\n"));
    EXPECT_THAT(lines_of(result.diagnostics), HasSubstr("'fail' is called 'fail_name'"));
    EXPECT_THAT(result.text, HasSubstr("n_relation(1)")) << "no fluent, though one has that name";
    EXPECT_THAT(result.text, HasSubstr("plus_relation(1,2,3)"));
    const ReadRules read = read_rules(result.text);
    EXPECT_EQ(lines_of(read.errors), "") << result.text;
    EXPECT_THAT(read.normalised.rules->source->text(), HasSubstr("(legal x_1 1a)"));
  }
}

TEST(InfixConverting, TermsThatNestTooDeepAreRefused) {
  const std::string deep = std::string(5'000, '(') + "f" + std::string(5'000, ')');
  EXPECT_THAT(lines_of(written("(role " + deep + ")", Dialect::Infix).diagnostics),
              HasSubstr("error: "));
  std::string nested = "a";
  for (int i = 0; i < 5'000; ++i) nested = "(s " + nested + ")";
  EXPECT_THAT(lines_of(written("(init " + nested + ")", Dialect::Prolog).diagnostics),
              HasSubstr("nest too deep"));
}

}  // namespace
}  // namespace ludens::gdl
