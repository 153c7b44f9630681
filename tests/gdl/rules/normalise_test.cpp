// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/gdl/rules/large_terms.h"
#include "tests/gdl/rules/rulesheet.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

std::string normal_form(std::string text) {
  return normalise_text(std::move(text)).rules->print();
}

TEST(Normalise, KeepsFactsAndRulesInTextOrder) {
  EXPECT_EQ(normal_form("(role a)(<= (next ?x) (true ?x) (not (done ?x)))(init p)"),
            "( role a )\n( <= ( next ?x ) ( true ?x ) ( not ( done ?x ) ) )\n( init p )\n");
}

TEST(Normalise, FoldsKeywordsAndNamesAndPrintsTheFirstSpelling) {
  EXPECT_EQ(normal_form("(ROLE a)(<= TERMINAL (TRUE timeOut))(init timeout)(legal A Go)"),
            "( role a )\n( <= terminal ( true timeOut ) )\n( init timeOut )\n( legal a Go )\n");
}

TEST(Normalise, FoldsVariablesWithinARule) {
  EXPECT_EQ(normal_form("(<= (p ?X) (q ?x))"), "( <= ( p ?X ) ( q ?X ) )\n");
}

TEST(Normalise, TakesNeedlessParenthesesAway) {
  EXPECT_EQ(normal_form("(init p)(<= (terminal) (true (p)) (open) open)(open)"),
            "( init p )\n( <= terminal ( true p ) open open )\n( open )\n");
  // Constants are printed as they are first written, because moves are sent so.
  EXPECT_EQ(normal_form("(init (p))(<= (terminal) (true p) (open) open)(open)"),
            "( init ( p ) )\n( <= terminal ( true ( p ) ) open open )\n( open )\n");
}

TEST(Normalise, TakesAnAtomOutsideAnyListForAFact) {
  EXPECT_EQ(normal_form("flag (<= p flag) Flag"), "( flag )\n( <= p flag )\n");
  const NormalisedRules broken = normalise_text("(p) legal");
  EXPECT_EQ(broken.left_out, std::vector<RelationId>{kLegal});
}

TEST(Normalise, TurnsARuleWithoutBodyIntoAFact) {
  EXPECT_EQ(normal_form("(<= (legal a m))(<= p)"), "( legal a m )\n( p )\n");
}

TEST(Normalise, SplitsOrIntoBranches) {
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?x) (or (r ?x) (s ?x ?y)) (or t u))"),
            "( <= ( p ?x ) ( q ?x ) ( r ?x ) t )\n"
            "( <= ( p ?x ) ( q ?x ) ( r ?x ) u )\n"
            "( <= ( p ?x ) ( q ?x ) ( s ?x ?y ) t )\n"
            "( <= ( p ?x ) ( q ?x ) ( s ?x ?y ) u )\n");
}

TEST(Normalise, NumbersTheVariablesOfEachBranchFromZero) {
  const NormalisedRules result = normalise_text("(<= (p ?x) (or (q ?a ?x) (r ?b ?x)))");
  ASSERT_EQ(result.rules->rules.size(), 2u);
  const Rule& second = result.rules->rules[1];
  EXPECT_EQ(second.variables, (std::vector<std::string>{"?x", "?b"}));
  EXPECT_EQ(result.rules->terms.value(second.body[0].arguments[0]), 1u);
}

TEST(Normalise, PushesNotInwards) {
  EXPECT_EQ(normal_form("(<= p (not (or q r)))"), "( <= p ( not q ) ( not r ) )\n");
  EXPECT_EQ(normal_form("(<= p (not (and q r)))"), "( <= p ( not q ) )\n( <= p ( not r ) )\n");
  EXPECT_EQ(normal_form("(<= p (not (not q)))"), "( <= p q )\n");
  EXPECT_EQ(normal_form("(<= p (and q (and r s)))"), "( <= p q r s )\n");
  EXPECT_EQ(normal_form("(<= p (or (or a b) (not (and (not c) d))))"),
            "( <= p a )\n( <= p b )\n( <= p c )\n( <= p ( not d ) )\n");
}

TEST(Normalise, GivesANegatedConjunctionOfSharedVariablesARelation) {
  EXPECT_EQ(normal_form("(<= p (not (and (q ?z) (r ?z))))"),
            "( <= p ( not some_condition_1 ) )\n( <= some_condition_1 ( q ?z ) ( r ?z ) )\n");
  EXPECT_EQ(normal_form("(<= (p ?x) (s ?x some_condition_1) (not (and (q ?x ?z) (not (r ?z)))))"),
            "( <= ( p ?x ) ( s ?x some_condition_1 ) ( not ( some_condition_2 ?x ) ) )\n"
            "( <= ( some_condition_2 ?x ) ( q ?x ?z ) ( not ( r ?z ) ) )\n");
  EXPECT_EQ(normal_form("(<= p (not (and (q ?z) (not (and (r ?y) (s ?y ?z))))))"),
            "( <= p ( not some_condition_1 ) )\n"
            "( <= some_condition_1 ( q ?z ) ( not ( some_condition_2 ?z ) ) )\n"
            "( <= ( some_condition_2 ?z ) ( r ?y ) ( s ?y ?z ) )\n");
}

TEST(Normalise, NumbersTheVariablesOfSuchARelationAnew) {
  EXPECT_EQ(normal_form("(<= (p ?x) (s ?x ?y) (not (and (q ?z (f ?z)) (r ?y ?z))))"),
            "( <= ( p ?x ) ( s ?x ?y ) ( not ( some_condition_1 ?y ) ) )\n"
            "( <= ( some_condition_1 ?y ) ( q ?z ( f ?z ) ) ( r ?y ?z ) )\n");
  EXPECT_EQ(
      normal_form("(<= (p ?x) (s ?x ?y) (not (and (q ?z ?y) (r ?z) (not (distinct ?z ?y)))))"),
      "( <= ( p ?x ) ( s ?x ?y ) ( not ( some_condition_1 ?y ) ) )\n"
      "( <= ( some_condition_1 ?y ) ( q ?y ?y ) ( r ?y ) )\n");
}

/// A walk for each of them takes minutes.
TEST(Normalise, FindsThePlacesOfVeryManyOwnVariables) {
  constexpr int kMany = 60'000;
  std::string text = "(<= p (not (and";
  for (int i = 0; i < kMany; ++i) {
    const std::string z = "?z" + std::to_string(i);
    text += "\n(q " + z + ") (r " + z + ")";
  }
  const NormalisedRules result = normalise_text(text + ")))");
  ASSERT_EQ(result.diagnostics.size(), std::size_t{kMany});
  EXPECT_EQ(result.diagnostics.back().where.line, kMany + 1U);
  EXPECT_EQ(result.diagnostics.back().where.column, 4U);
}

TEST(Normalise, SplitsANegatedConjunctionThatSharesNothing) {
  EXPECT_EQ(normal_form("(<= (p ?x) (s ?x) (not (and (q ?x ?y) (r ?x ?z))))"),
            "( <= ( p ?x ) ( s ?x ) ( not ( q ?x ?y ) ) )\n"
            "( <= ( p ?x ) ( s ?x ) ( not ( r ?x ?z ) ) )\n");
  EXPECT_EQ(normal_form("(<= (p ?x) (not (and (q ?x) (r ?x))))"),
            "( <= ( p ?x ) ( not ( q ?x ) ) )\n( <= ( p ?x ) ( not ( r ?x ) ) )\n");
  EXPECT_EQ(normal_form("(<= p (not (and a (not (q ?z)))))"),
            "( <= p ( not a ) )\n( <= p ( q ?z ) )\n");
}

TEST(Normalise, ReplacesCallsOfRulesThatLeaveTheirHeadOpen) {
  EXPECT_EQ(normal_form("(adj ?x ?x) (adj 1 2) (<= (p ?a ?b) (q ?a) (adj ?a ?b))"),
            "( adj ?x ?x )\n( adj_1 1 2 )\n( <= ( adj ?x1 ?x2 ) ( adj_1 ?x1 ?x2 ) )\n"
            "( <= ( p ?a ?b ) ( q ?a ) ( adj_1 ?a ?b ) )\n( <= ( p ?a ?a ) ( q ?a ) )\n");
  EXPECT_EQ(normal_form("(adj ?x ?x) (<= p (q ?a) (not (adj ?a 2)))"),
            "( adj ?x ?x )\n( <= p ( q ?a ) ( not ( some_adj_1 ?a ) ) )\n( some_adj_1 2 )\n");
  EXPECT_EQ(normal_form("(adj ?x ?x) (<= p (q ?a ?b) (not (adj ?a ?b)))"),
            "( adj ?x ?x )\n( <= p ( q ?a ?b ) ( not ( some_adj_1 ?a ?b ) ) )\n"
            "( <= ( some_adj_1 ?a ?a ) ( q ?a ?a ) )\n");
  EXPECT_EQ(normal_form("(<= (path ?x ?x) p) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"),
            "( <= ( path ?x ?x ) p )\n( <= ( path ?x ?z ) ( edge ?x ?y ) ( path ?y ?z ) )\n");
}

TEST(Normalise, ReadsRelationsOfItsOwnAgain) {
  for (const char* text : {"(<= p (not (and (q ?z) (not (and (r ?y) (s ?y ?z))))))",
                           "(adj ?x ?x) (adj 1 2) (<= (p ?a ?b) (q ?a) (adj ?a ?b))",
                           "(adj ?x ?x) (adj 1 2) (<= (p ?a) (not (adj ?a ?b))) (<= q (p 1))",
                           "(adj ?x ?x) (adj 1 2) (<= p (q ?a) (not (adj ?a ?b)))"}) {
    const std::string once = normal_form(text);
    EXPECT_EQ(normal_form(once), once);
  }
}

TEST(Normalise, TurnsNotDistinctIntoEquality) {
  EXPECT_EQ(normal_form("(<= (b ?x) (c ?y) (domain ?x) (not (distinct ?x ?y)))"),
            "( <= ( b ?x ) ( c ?x ) ( domain ?x ) )\n");
  EXPECT_EQ(normal_form("(<= (p ?x ?y) (q ?x ?y) (not (distinct (f ?x b) (f a ?y))))"),
            "( <= ( p a b ) ( q a b ) )\n");
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?y) (not (distinct ?x (f ?y))))"),
            "( <= ( p ( f ?y ) ) ( q ?y ) )\n");
}

TEST(Normalise, DropsBranchesWhoseEqualitiesCannotHold) {
  EXPECT_EQ(normal_form("(<= p (not (distinct a b)))"), "");
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))"), "");
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?x) (or r (not (distinct (f a) b))))"),
            "( <= ( p ?x ) ( q ?x ) r )\n");
}

TEST(Normalise, NamesTheHeadsOfImpossibleRules) {
  const NormalisedRules result = normalise_text("(<= p\n (distinct a a))");
  EXPECT_EQ(result.left_out, std::vector{*result.rules->find_relation("p", 0)});
  EXPECT_EQ(lines_of(result.diagnostics), "1:1: warning: this rule can never apply\n");
}

TEST(Normalise, DecidesDistinctOfGroundTerms) {
  EXPECT_EQ(normal_form("(<= p q (distinct a b) (distinct (f a) (f b)))"), "( <= p q )\n");
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?x) (distinct ?x ?x))"), "");
  EXPECT_EQ(normal_form("(<= (p ?x) (q ?x) (distinct ?x (f a)))"),
            "( <= ( p ?x ) ( q ?x ) ( distinct ?x ( f a ) ) )\n");
}

TEST(Normalise, DropsDuplicatesAlsoUnderOtherVariableNames) {
  const NormalisedRules result =
      normalise_text("(p a)\n(p  a)\n(<= (q ?x) (p ?x))(<= (q ?y) (p ?y))");
  EXPECT_EQ(result.rules->print(), "( p a )\n( <= ( q ?x ) ( p ?x ) )\n");
  EXPECT_EQ(lines_of(result.diagnostics),
            "2:1: note: fact already stated at 1:1\n3:19: note: rule already stated at 3:1\n");
}

TEST(Normalise, KeepsRelationsFunctionsAndConstantsApart) {
  const NormalisedRules result =
      normalise_text("(cell 1)(cell 1 2)(init (cell 1))(init (cell 1 2))(p cell)");
  const Rules& rules = *result.rules;
  EXPECT_NE(rules.find_relation("cell", 1), rules.find_relation("cell", 2));
  EXPECT_EQ(rules.find_relation("CELL", 1), rules.rules[0].head);
  EXPECT_EQ(rules.find_relation("cell", 3), std::nullopt);
  EXPECT_NE(rules.rules[2].arguments, rules.rules[3].arguments);
  EXPECT_EQ(rules.terms.kind(rules.rules[4].arguments[0]), Terms::Kind::Constant);
}

TEST(Normalise, FindsKeywordRelationsByName) {
  const NormalisedRules result = normalise_text("(legal a b)(p Legal)");
  EXPECT_EQ(result.rules->find_relation("LEGAL", 2), kLegal);
  EXPECT_EQ(result.rules->find_relation(*result.rules->symbols.find("legal"), 2), kLegal);
  EXPECT_EQ(result.rules->print(), "( legal a b )\n( p Legal )\n");
}

TEST(Normalise, ListsTheRolesInTextOrder) {
  const NormalisedRules result = normalise_text("(p)(role b)(role RANDOM)(role a)(role b)");
  ASSERT_EQ(result.rules->roles.size(), 3u);
  EXPECT_EQ(result.rules->print(result.rules->roles[0]), "b");
  EXPECT_EQ(result.rules->random, 1u);
}

TEST(Normalise, ReadsTheRulesOfAStartMessage) {
  const ParsedText parsed = parse("( START m a (( role a ) ( <= ) ( init p )) 30 15 )");
  const auto tree = std::make_shared<const SyntaxTree>(parsed.tree);
  const NormalisedRules result = normalise(tree, tree->child(0, 3));
  EXPECT_EQ(result.rules->print(), "( role a )\n( init p )\n");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(format(result.diagnostics[0], "START"),
            "START:1:25: error: rule without a head (form 2)");
}

TEST(Normalise, ReadsDeeplyNestedConnectivesAndFunctions) {
  const auto nested = [](const std::string& open, const std::string& core, std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    return text + core + std::string(depth, ')');
  };
  for (const auto& condition :
       {nested("(not ", "(q ?x)", 1'000'000), nested("(or ", "(q ?x)", 200'000),
        "(q " + nested("(f ", "?x", 200'000) + ")"}) {
    ParsedText parsed = parse("(<= (p ?x) " + condition + ")", {.max_depth = 2'000'000});
    ASSERT_TRUE(parsed.errors.empty());
    const NormalisedRules result =
        normalise(std::make_shared<const SyntaxTree>(std::move(parsed.tree)));
    EXPECT_TRUE(result.diagnostics.empty()) << lines_of(result.diagnostics);
    EXPECT_EQ(result.rules->rules.size(), 1u);
    EXPECT_GE(result.rules->print().size(), 24u);
  }
}

TEST(Normalise, GivesUpWhereOrMultipliesWithoutBound) {
  std::string text = "(a)\n(<= p";
  for (int i = 0; i < 60; ++i) text += " (or (q " + std::to_string(i) + ") (r x))";
  const NormalisedRules result = normalise_text(text + ")\n(b)");
  ASSERT_TRUE(has_error(result.diagnostics));
  EXPECT_EQ(result.diagnostics[0].code, "too-many-rules");
  EXPECT_EQ(result.diagnostics[0].where.line, 2u);
}

TEST(Normalise, RefusesEqualitiesThatBuildHugeTerms) {
  std::string text = "(<= (p ?v0)";
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i + 1);
    text += " (not (distinct ?v" + std::to_string(i) + " (f ?v" + n + " ?v" + n + ")))";
  }
  const NormalisedRules result = normalise_text(text + " (q ?v100))");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "term-too-large");
}

TEST(Normalise, ReadsBackWhatItPrints) {
  const auto paths = public_rulesheets();
  if (paths.empty()) GTEST_SKIP() << "no public rulesheets in ../shared/games";
  for (const auto& path : paths) {
    const NormalisedRules once = normalise_text(read_file(path).value());
    EXPECT_FALSE(has_error(once.diagnostics)) << path << '\n' << lines_of(once.diagnostics);
    const NormalisedRules twice = normalise_text(once.rules->print());
    EXPECT_EQ(once.rules->print(), twice.rules->print()) << path;
    EXPECT_TRUE(twice.diagnostics.empty() || !has_error(twice.diagnostics)) << path;
  }
}

/// Facts with this many names.
std::string facts(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "(f" + std::to_string(i) + " a (g b))";
  return text;
}

NormalisedRules normalise_with(const std::string& text, const NormaliseLimits& limits) {
  return normalise(std::make_shared<const SyntaxTree>(parse(text).tree), kNoNode, limits);
}

TEST(NormaliseLimits, RulesAreCountedAsLongAsTheyLive) {
  NormaliseLimits limits;
  limits.memory = std::make_shared<MemoryBudget>(std::size_t{64} << 20);
  NormalisedRules rules = normalise_with(facts(1000), limits);
  EXPECT_FALSE(rules.given_up);
  EXPECT_GT(limits.memory->used(), 100'000u);
  const auto copy = rules.rules;
  rules = {};
  EXPECT_GT(limits.memory->used(), 100'000u);
}

TEST(NormaliseLimits, WhatIsCountedIsWhatIsTaken) {
  std::string names, body = "(<= (p ?x)", splits = "(<= (p ?x)";
  for (int i = 0; i < 20'000; ++i) names += "(<= (p?x" + std::to_string(i) + ") (q a))";
  for (int i = 0; i < 20'000; ++i) body += "(r ?x" + std::to_string(i) + ")";
  for (int i = 0; i < 13; ++i) splits += "(or (a ?x) (b ?x))";
  for (const std::string& text : {facts(20'000), names, body + ")", splits + ")"}) {
    const auto tree = std::make_shared<const SyntaxTree>(parse(text).tree);
    NormaliseLimits limits;
    limits.memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
    const std::size_t before = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
    const NormalisedRules rules = normalise(tree, kNoNode, limits);
    const std::size_t taken = ::mallinfo2().uordblks + ::mallinfo2().hblkhd - before;
    EXPECT_LE(taken, limits.memory->used() * 5 / 4) << text.substr(0, 40);
  }
}

TEST(NormaliseLimits, ARulesheetWithoutMemoryIsGivenUp) {
  NormaliseLimits limits;
  limits.memory = std::make_shared<MemoryBudget>(std::size_t{1} << 20);
  {
    const NormalisedRules rules = normalise_with(facts(50'000), limits);
    EXPECT_EQ(rules.given_up, "the rules need more memory than there is");
    EXPECT_LE(limits.memory->used(), limits.memory->limit());
  }
  EXPECT_EQ(limits.memory->used(), 0u);
  std::string splits = "(<= (p ?x)";
  for (int i = 0; i < 16; ++i) splits += "(or (a ?x) (b ?x))";
  EXPECT_TRUE(normalise_with(splits + ")", limits).given_up);
  EXPECT_EQ(limits.memory->used(), 0u);
}

TEST(NormaliseLimits, AStopIsHeard) {
  struct Stop final : StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return ++asked > 2; }
    mutable int asked = 0;
  } stop;
  NormaliseLimits limits;
  limits.stop = &stop;
  EXPECT_EQ(normalise_with(facts(50'000), limits).given_up, "stopped");
  EXPECT_EQ(stop.asked, 3);
}

TEST(NormaliseLimits, LargeTermsAreCountedAsWork) {
  constexpr int kRules = 50;
  const tests::StopAfter never(1 << 30);
  NormaliseLimits limits;
  limits.stop = &never;
  EXPECT_EQ(normalise_with(doubling(kRules), limits).rules->rules.size(), std::size_t{kRules});
  EXPECT_GE(never.asked(), kRules);
}

/// Each rule of `open` leaves all its variables open, and each call is replaced by all of them.
std::string calls_of_open_rules(int rules, int calls, int arity, const std::string& call) {
  std::string variables, text;
  for (int i = 0; i < arity; ++i) variables += " ?x" + std::to_string(i);
  for (int i = 0; i < rules; ++i) {
    text += "(<= (open" + variables + ") (true (k" + std::to_string(i) + ")))";
  }
  for (int i = 0; i < calls; ++i) {
    text += "(<= w" + std::to_string(i) + " (all" + variables + ") " + call + variables + ")" +
            (call[1] == 'n' ? "))" : ")");
  }
  return text;
}

TEST(NormaliseLimits, AStopIsHeardWhileCallsAreReplaced) {
  for (const std::string call : {"(open", "(not (open"}) {
    const std::string text = calls_of_open_rules(30, 30, 100, call);
    const tests::StopAfter stop(10);
    NormaliseLimits limits;
    limits.stop = &stop;
    EXPECT_EQ(normalise_with(text, limits).given_up, "stopped") << call;
    EXPECT_EQ(stop.asked(), 11) << call;
  }
}

TEST(NormaliseLimits, ReplacedCallsAreCountedBeforeTheyAreKept) {
  const std::string text = calls_of_open_rules(30, 30, 100, "(open");
  const auto asked_with = [&](std::size_t megabytes, const std::optional<std::string>& given_up) {
    const tests::StopAfter never(1 << 30);
    NormaliseLimits limits;
    limits.stop = &never;
    limits.memory = std::make_shared<MemoryBudget>(megabytes << 20);
    EXPECT_EQ(normalise_with(text, limits).given_up, given_up);
    return never.asked();
  };
  const int all = asked_with(64, std::nullopt);
  EXPECT_LT(asked_with(2, "the rules need more memory than there is"), all / 2);
}

/// Their arguments count, too.
TEST(NormaliseLimits, CallsStayWhereReplacingThemTakesTooMuch) {
  EXPECT_EQ(normalise_text(calls_of_open_rules(10, 10, 20, "(open")).unfolded.size(), 1U);
  EXPECT_TRUE(normalise_text(calls_of_open_rules(100, 100, 100, "(open")).unfolded.empty());
}

TEST(NormaliseLimits, OfAMillionFindingsSomeAreKept) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "(f a)(<= (bad))";
  NormaliseLimits limits;
  limits.max_findings = 10;
  const NormalisedRules rules = normalise_with(text + std::string(100'000, 'x'), limits);
  EXPECT_LE(rules.diagnostics.size(), 30u);
  for (const Diagnostic& d : rules.diagnostics) EXPECT_LT(d.text.size(), 1100u);
}

}  // namespace
}  // namespace ludens::gdl
