// SPDX-License-Identifier: MIT
#include "gdl/interpreter/clauses.h"

#include <gtest/gtest.h>

#include "gdl/interpreter/estimate.h"
#include "tests/gdl/interpreter/compiled_rules.h"

namespace ludens::gdl::interpreter {
namespace {

std::uint32_t positives(const Clause& clause, std::uint32_t relation) {
  return static_cast<std::uint32_t>(std::ranges::count_if(clause.body, [&](const Atom& a) {
    return a.kind == Atom::Kind::Positive && a.relation == relation;
  }));
}

TEST(Clauses, ARelationOfFactsIsStoredWithItsRows) {
  CompiledRules rules("(edge 1 2) (edge 2 3) (edge 1 3) (<= (legal a m) (edge 1 ?x))");
  const Relation& edge = rules("edge", 2);
  EXPECT_TRUE(edge.stored);
  EXPECT_EQ(edge.level, Level::Static);
  EXPECT_TRUE(edge.clauses.empty());
  const Program::Storage& storage = rules.program().storages[edge.storage];
  ASSERT_NE(storage.rows, nullptr);
  ASSERT_EQ(storage.rows->count(), 3U);
  EXPECT_EQ(storage.rows->row(1)[0], rules.constant("2"));
  EXPECT_EQ(storage.rows->row(1)[1], rules.constant("3"));
}

TEST(Clauses, FactsBesideRulesStandUnderARelationOfTheirOwn) {
  CompiledRules rules("(p 1) (p 2) (<= (p ?x) (q ?x)) (q 3)");
  const Relation& p = rules("p", 1);
  EXPECT_FALSE(p.stored);
  ASSERT_EQ(p.clauses.size(), 2U);
  ASSERT_EQ(p.clauses[0].body.size(), 1U) << "the facts come first";
  const Relation& facts = rules.clauses()[p.clauses[0].body[0].relation];
  EXPECT_TRUE(facts.stored);
  EXPECT_EQ(facts.rows, 2);
  EXPECT_EQ(p.clauses[0].head, p.clauses[0].body[0].arguments);
}

TEST(Clauses, WhatTheMachineAsksIsDerivedEvenWhereAllOfItAreFacts) {
  CompiledRules rules("(role a) (init p) (legal a m) (goal a 50) terminal");
  for (const RelationId asked : {kInit, kLegal, kGoal, kTerminal}) {
    EXPECT_FALSE(rules.clauses()[asked].stored) << asked;
    EXPECT_EQ(rules.clauses()[asked].clauses.size(), 1U) << asked;
  }
  EXPECT_TRUE(rules.clauses()[kRole].stored);
}

TEST(Clauses, APropositionThatIsAFactHasARowThatCanBeCounted) {
  CompiledRules rules("flag (<= (legal a m) flag)");
  const Relation& flag = rules("flag", 0);
  ASSERT_TRUE(flag.stored);
  EXPECT_EQ(rules.program().storages[flag.storage].rows->count(), 1U);
  EXPECT_EQ(rules.program().storages[flag.storage].width, 1U);
}

TEST(Clauses, GroundTermsAreOneConstantWhateverTheirDepth) {
  CompiledRules rules("(<= (p (f (g 1) ?x)) (q ?x)) (q (h (h 2)))");
  const Clause& clause = rules("p", 1).clauses[0];
  const Pattern& head = clause.head[0];
  ASSERT_EQ(head.kind, Pattern::Kind::Compound);
  EXPECT_EQ(head.arguments[0].kind, Pattern::Kind::Constant);
  EXPECT_EQ(rules.text(head.arguments[0].value), "( g 1 )");
  EXPECT_EQ(head.arguments[1].kind, Pattern::Kind::Variable);
  const Relation& q = rules("q", 1);
  EXPECT_EQ(rules.text(rules.program().storages[q.storage].rows->row(0)[0]), "( h ( h 2 ) )");
}

TEST(Clauses, TrueIsARelationForEachFormOfFluent) {
  CompiledRules rules(
      "(<= p (true (cell ?x ?y))) (<= p (true (cell 1 2))) (<= p (true flag)) (<= p (true ?any))"
      "(<= p (not (true (cell ?x)))) (<= (legal a m) p)");
  const auto& clauses = rules("p", 0).clauses;
  ASSERT_EQ(clauses.size(), 5U);
  const auto relation = [&](std::size_t i) { return clauses[i].body[0].relation; };
  EXPECT_EQ(relation(0), relation(1)) << "one functor, with variables or without";
  EXPECT_EQ(relation(2), rules.clauses().plain_fluent());
  EXPECT_EQ(relation(3), rules.clauses().any_fluent());
  EXPECT_NE(relation(4), relation(0)) << "another arity";
  EXPECT_EQ(clauses[1].body[0].arguments.size(), 2U);
  EXPECT_EQ(rules.clauses().fluent_relations().size(), 2U);
  const Relation& cell = rules.clauses()[relation(0)];
  EXPECT_TRUE(cell.stored);
  EXPECT_EQ(cell.level, Level::State);
  EXPECT_EQ(rules.program().storages[cell.storage].width, 3U) << "its arguments and itself";
}

TEST(Clauses, LevelsSayWhatAnExtensionChangesWith) {
  CompiledRules rules(R"((role a) (init (at 1)) (succ 1 2)
    (<= (never ?x) (succ ?x ?y) (not (succ ?y ?x)))
    (<= (here ?x) (true (at ?x)) (never ?x))
    (<= (gone ?x) (does a (go ?x)) (here ?x))
    (<= (ring ?x) (link ?x)) (<= (link ?x) (ring ?x)) (<= (link ?x) (succ ?x ?y) (not (here ?x)))
    (<= (legal a (go ?x)) (here ?x)) (<= (next (at ?x)) (gone ?x))
    (<= terminal (ring 1)) (goal a 0))");
  EXPECT_EQ(rules("succ", 2).level, Level::Static);
  EXPECT_EQ(rules("never", 1).level, Level::Static);
  EXPECT_EQ(rules("here", 1).level, Level::State);
  EXPECT_EQ(rules("gone", 1).level, Level::Move);
  EXPECT_EQ(rules.clauses()[kNext].level, Level::Move);
  EXPECT_EQ(rules.clauses()[kLegal].level, Level::State);
  EXPECT_EQ(rules.clauses()[kInit].level, Level::Static);
  EXPECT_EQ(rules("ring", 1).level, Level::State) << "a circle has one level";
  EXPECT_EQ(rules("link", 1).level, Level::State) << "also by way of a negation";
}

TEST(Clauses, TellsRecursionFromChains) {
  CompiledRules rules(
      "(<= (own ?x) (own ?x)) (<= (one ?x) (two ?x)) (<= (two ?x) (one ?x))"
      "(<= (over ?x) (one ?x)) (<= (under ?x) (q ?x)) (<= (inverse ?x) (q ?x) (not (inverse ?x)))"
      "(q 1)");
  for (const char* name : {"own", "one", "two", "inverse"}) {
    EXPECT_TRUE(rules(name, 1).recursive) << name;
  }
  for (const char* name : {"over", "under", "q"}) EXPECT_FALSE(rules(name, 1).recursive) << name;
  EXPECT_EQ(rules("one", 1).component, rules("two", 1).component);
  EXPECT_NE(rules("one", 1).component, rules("over", 1).component);
}

TEST(Clauses, OrderHasEachRelationBehindThoseThatItDependsOn) {
  CompiledRules rules(
      "(<= (d ?x) (c ?x)) (<= (b ?x) (a ?x) (not (c ?x))) (<= (c ?x) (a ?x)) (<= (c ?x) (e ?x))"
      "(<= (e ?x) (c ?x)) (a 1)");
  const auto& order = rules.clauses().order();
  EXPECT_EQ(order.size(), rules.clauses().size());
  const auto place = [&](const char* name) {
    return std::ranges::find(order, rules.relation(name, 1)) - order.begin();
  };
  EXPECT_LT(place("a"), place("c"));
  EXPECT_LT(place("c"), place("d"));
  EXPECT_LT(place("c"), place("b")) << "under a negation as well";
  EXPECT_EQ(std::abs(place("c") - place("e")), 1) << "a circle stands in a row";
}

/// The places that no call binds, whatever else is given.
std::vector<bool> given_places(CompiledRules& rules, const char* name, std::uint32_t arity) {
  const Atom call{Atom::Kind::Positive, rules.relation(name, arity), std::vector<Pattern>(arity)};
  std::vector<bool> places;
  for (std::uint32_t i = 0; i < arity; ++i) places.push_back(!rules.clauses().may_bind(call, i));
  const bool any = std::ranges::find(places, true) != places.end();
  EXPECT_EQ(rules(name, arity).needs_bound, any) << name;
  return places;
}

TEST(Clauses, PlacesThatNoBodyBindsMustBeGiven) {
  CompiledRules rules(
      "(<= (differ ?x ?y) (distinct ?x ?y)) (<= (half ?x ?y) (q ?x)) (<= (whole ?x ?y) (q ?x) (q "
      "?y))"
      "(<= (passed ?x ?y) (half ?x ?y)) (<= (caught ?x ?y) (half ?x ?y) (q ?y))"
      "(<= (one ?x) (q ?x)) (<= (one ?y) (not (q ?y))) (<= (inside (f ?x)) p) (q 1) p");
  using Places = std::vector<bool>;
  EXPECT_EQ(given_places(rules, "differ", 2), (Places{true, true}));
  EXPECT_EQ(given_places(rules, "half", 2), (Places{false, true}));
  EXPECT_EQ(given_places(rules, "whole", 2), (Places{false, false}));
  EXPECT_EQ(given_places(rules, "passed", 2), (Places{false, true})) << "handed on";
  EXPECT_EQ(given_places(rules, "caught", 2), (Places{false, false}));
  EXPECT_EQ(given_places(rules, "one", 1), Places{true}) << "by one of its clauses";
  EXPECT_EQ(given_places(rules, "inside", 1), Places{true}) << "within a function";
}

/// The last relation of a chain decides for all; each is looked at once.
TEST(Clauses, PlacesThatMustBeGivenAreFoundAlongAChain) {
  constexpr int kRelations = 100'000;
  std::string text = "q (<= (p" + std::to_string(kRelations) + " ?x ?y) q (r ?y)) (r 1)";
  for (int i = 0; i < kRelations; ++i) {
    text += "(<= (p" + std::to_string(i) + " ?x ?y) (p" + std::to_string(i + 1) + " ?x ?y))";
  }
  CompiledRules rules(text);
  EXPECT_EQ(given_places(rules, "p0", 2), (std::vector<bool>{true, false}));
}

TEST(Clauses, ARoleThatNothingBindsRangesOverTheRoles) {
  CompiledRules rules(
      "(role a) (role b) (<= (legal ?r go) (true p)) (<= (legal ?r stop) (true (turn ?r)))"
      "(<= (goal ?r 0) (not (true (turn ?r)))) (<= (goal a 1) (true p))");
  const auto& legal = rules.clauses()[kLegal].clauses;
  EXPECT_EQ(positives(legal[0], kRole), 1U);
  EXPECT_EQ(positives(legal[1], kRole), 0U) << "a fluent binds it";
  const auto& goal = rules.clauses()[kGoal].clauses;
  EXPECT_EQ(positives(goal[0], kRole), 1U) << "a negation binds nothing";
  EXPECT_EQ(positives(goal[1], kRole), 0U);
}

TEST(Clauses, ARuleWithVariablesTooDeepIsLeftOut) {
  const auto tower = [](int height, const std::string& top) {
    std::string term;
    for (int i = 0; i < height; ++i) term += "(f ";
    return term + top + std::string(static_cast<std::size_t>(height), ')');
  };
  CompiledRules rules("(<= (p " + tower(2000, "?x") + ") (q ?x)) (<= (p ?x) (q ?x) (r " +
                      tower(2000, "?x") + ")) (<= (p " + tower(500, "?x") +
                      ") (q ?x)) (q 1) (r 1)" + "(<= (p " + tower(2000, "a") + ") (q 1))");
  EXPECT_EQ(rules("p", 1).clauses.size(), 2U) << "ground terms may be of any depth";
}

TEST(Clauses, MeasureCountsRowsAndTheValuesOfEachColumn) {
  CompiledRules rules("(p a b) (p a c) (p a d) (<= (q ?x) (p ?x ?y))");
  const Relation& p = rules("p", 2);
  EXPECT_EQ(p.rows, 3);
  EXPECT_EQ(p.distinct, (std::vector<double>{1, 3}));
  rules.clauses().measure(rules.relation("p", 2), Rows(2, nullptr));
  EXPECT_EQ(p.rows, 0);
  EXPECT_EQ(p.distinct, (std::vector<double>{1, 1})) << "a divisor is never less";
}

TEST(Clauses, MakeStoredReplacesTheRules) {
  CompiledRules rules("(<= (p ?x) (q ?x)) (q 1) (q 2)");
  const std::uint32_t p = rules.relation("p", 1);
  const auto rows = std::make_shared<Rows>(1, nullptr);
  *rows->add() = rules.constant("2");
  const std::size_t storages = rules.program().storages.size();
  rules.clauses().make_stored(p, rows);
  EXPECT_TRUE(rules("p", 1).stored);
  EXPECT_TRUE(rules("p", 1).clauses.empty());
  EXPECT_EQ(rules("p", 1).rows, 1);
  EXPECT_EQ(rules("p", 1).storage, storages);
  EXPECT_EQ(rules.program().storages.back().rows, rows);
}

TEST(Clauses, AFluentThatIsHandedOnIsTakenFromItsColumn) {
  CompiledRules rules(
      "(<= (next (cell ?x ?y)) (true (cell ?x ?y)) (not (q ?x)))"
      "(<= (next (cell ?y ?x)) (true (cell ?x ?y))) (<= (next (seen (cell ?x 1))) (true (cell ?x "
      "1)))");
  const auto reused = [&](std::size_t i) {
    Clause clause = rules.clauses()[kNext].clauses[i];
    const std::uint32_t before = clause.variables;
    rules.clauses().reuse_fluents(clause);
    EXPECT_EQ(clause.variables - before, clause.body[0].arguments.size() - 2);
    return clause;
  };
  const Clause same = reused(0);
  EXPECT_EQ(same.head[0].kind, Pattern::Kind::Variable);
  ASSERT_EQ(same.body[0].arguments.size(), 3U);
  EXPECT_EQ(same.body[0].arguments[2], same.head[0]);
  EXPECT_EQ(reused(1).head[0].kind, Pattern::Kind::Compound) << "other arguments";
  const Clause inner = reused(2);
  ASSERT_EQ(inner.head[0].kind, Pattern::Kind::Compound);
  EXPECT_EQ(inner.head[0].arguments[0].kind, Pattern::Kind::Variable);
}

// ---- estimates ----

TEST(Estimate, DividesTheRowsOfFactsByTheValuesOfColumnsThatAreBound) {
  CompiledRules rules("(p a b) (p a c) (p d b) (p d c) (p d e) (<= (q ?x ?y) (p ?x ?y))");
  const Estimate estimate(rules.clauses());
  const Atom& atom = rules("q", 2).clauses[0].body[0];
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {false, false}), 5);
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {true, false}), 5 / 2.0);
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {false, true}), 5 / 3.0);
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {true, true}), 5 / 6.0);
}

TEST(Estimate, ExpectsOfADerivedRelationMoreTheMoreOfItIsFree) {
  CompiledRules rules(
      "(<= (p ?x ?y) (q ?x ?y)) (<= (q ?x ?y) (true (f ?x ?y))) (<= (r ?x ?y) (p ?x ?y))");
  const Estimate estimate(rules.clauses());
  const Atom& atom = rules("r", 2).clauses[0].body[0];
  const double none = estimate.rows(atom, {true, true}), one = estimate.rows(atom, {true, false}),
               both = estimate.rows(atom, {false, false});
  EXPECT_LT(none, 1) << "a test";
  EXPECT_LT(none, one);
  EXPECT_LT(one, both);
  rules.clauses()[atom.relation].measured = true;
  rules.clauses()[atom.relation].rows = 40;
  rules.clauses()[atom.relation].distinct = {10, 4};
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {true, false}), 4);
  EXPECT_DOUBLE_EQ(estimate.rows(atom, {true, true}), 1);
  rules.clauses()[atom.relation].rows = 0;
  EXPECT_GT(estimate.rows(atom, {false, false}), 0) << "it was measured in one state only";
}

TEST(Estimate, APatternIsBoundWhenAllItsVariablesAre) {
  CompiledRules rules("(<= (p (f ?x (g ?y)) 1) (q ?x ?y))");
  const auto& head = rules("p", 2).clauses[0].head;
  EXPECT_TRUE(is_bound(head[0], {true, true}));
  EXPECT_FALSE(is_bound(head[0], {true, false}));
  EXPECT_TRUE(is_bound(head[1], {false, false})) << "nothing to bind";
}

}  // namespace
}  // namespace ludens::gdl::interpreter
