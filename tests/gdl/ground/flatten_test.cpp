// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>

#include "gdl/ground/flat_program.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/memory/peak.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

/// A game of one role, so that what `p` depends on is needed.
std::string game(const std::string& rules) {
  return "(role a) (init on) (<= (legal a go) p) (<= terminal (not (true on))) (goal a 0)" + rules;
}

FlatProgram flat(const std::string& rules, GroundScope scope = GroundScope::Playing) {
  auto result = flatten(tests::rules_of(game(rules)), nullptr, scope);
  EXPECT_TRUE(result.has_value()) << result.error().text;
  return *std::move(result);
}

GroundingFailure refused(const std::string& rules, const StopSignal* stop = nullptr) {
  auto result = flatten(tests::rules_of(game(rules)), stop);
  EXPECT_TRUE(result.has_error());
  return result.error();
}

/// Flat rules for a relation of the rulesheet.
std::vector<FlatRule> rules_for(const FlatProgram& program, const char* name, std::uint32_t arity) {
  const auto relation = program.rules->find_relation(name, arity);
  std::vector<FlatRule> rules;
  for (const FlatRule& rule : program.flat_rules) {
    if (relation && program.relations[rule.head].relation == *relation) rules.push_back(rule);
  }
  return rules;
}

/// Does work in a thread with a stack of 256 KiB, or ten times as much under a sanitizer.
void on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, (kSanitized ? 2'560 : 256) << 10), 0);
  const auto run = [](void* function) -> void* {
    (*static_cast<std::function<void()>*>(function))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
}

TEST(Shapes, AreOneNumberWhereTheyAreEqual) {
  Shapes shapes;
  const auto f = shapes.compound(7, {Shapes::kConstant, Shapes::kConstant});
  EXPECT_EQ(shapes.compound(7, {Shapes::kConstant, Shapes::kConstant}), f);
  const auto g = shapes.compound(7, {Shapes::kConstant});
  const auto nested = shapes.compound(8, {f, Shapes::kConstant, g});
  EXPECT_EQ(shapes.size(), 4U);
  EXPECT_EQ(shapes.width(Shapes::kConstant), 1U);
  EXPECT_EQ(shapes.width(nested), 4U) << "constants at its leaves";
  EXPECT_EQ(shapes.depth(Shapes::kConstant), 0U);
  EXPECT_EQ(shapes.depth(nested), 2U);
  EXPECT_EQ(shapes.functor(nested), 8U);
  EXPECT_EQ(shapes.children(nested), (std::vector<Shapes::Id>{f, Shapes::kConstant, g}));
}

TEST(FlatProgram, HasARelationForEachShapeOfItsArguments) {
  FlatProgram program = flat("(q 1) (q (f 1 2)) (q (f 3 4)) (<= p (q ?x))");
  const auto q = *program.rules->find_relation("q", 1);
  std::vector<std::uint32_t> columns;
  for (const FlatRelation& r : program.relations) {
    if (r.relation == q) columns.push_back(r.columns);
  }
  std::ranges::sort(columns);
  EXPECT_EQ(columns, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(rules_for(program, "p", 0).size(), 2U) << "a rule for each";
  const auto count = program.relations.size();
  const auto known = program.relation(q, {Shapes::kConstant});
  EXPECT_LT(known, count);
  EXPECT_EQ(program.relation(q, {Shapes::kConstant}), known);
}

TEST(FlatProgram, NamesItsRelationsForPeople) {
  FlatProgram program = flat("(Edge 1 2) (<= p (edge ?x ?y))");
  const auto edge = *program.rules->find_relation("edge", 2);
  const auto flat_edge = program.relation(edge, {Shapes::kConstant, Shapes::kConstant});
  EXPECT_EQ(program.name(flat_edge), "Edge/2");
  EXPECT_EQ(program.name(program.auxiliary(3)), "a part of a rule's body");
  EXPECT_EQ(program.relations.back().columns, 3U);
}

TEST(Flatten, SplitsTermsIntoTheConstantsAtTheirLeaves) {
  const FlatProgram program = flat("(<= p (q (f ?x (g 7 ?y)) ?x)) (q (f 1 (g 7 2)) 1)");
  const auto rules = rules_for(program, "p", 0);
  ASSERT_EQ(rules.size(), 1U);
  const auto& columns = rules[0].body[0].columns;
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_TRUE(columns[0].variable);
  EXPECT_FALSE(columns[1].variable);
  EXPECT_EQ(program.rules->symbols.spelling(columns[1].value), "7");
  EXPECT_EQ(columns[3], columns[0]) << "one variable in two places";
}

TEST(Flatten, GivesAVariableOfACompoundAColumnForEachLeaf) {
  const FlatProgram program = flat("(q (f 1 2)) (<= (r ?x) (q ?x)) (<= p (r (f ?a ?a)))");
  const auto rules = rules_for(program, "r", 1);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].variables, 2U);
  EXPECT_EQ(rules[0].columns, rules[0].body[0].columns);
}

TEST(Flatten, LeavesOutWhatPlayDoesNotDependOn) {
  const std::string rules = "p (q 1) (<= (unused ?x) (q ?x)) (<= (base (f ?x)) (q ?x)) (base on)";
  const FlatProgram playing = flat(rules);
  EXPECT_TRUE(rules_for(playing, "q", 1).empty());
  EXPECT_TRUE(rules_for(playing, "base", 1).empty());
  const FlatProgram declared = flat(rules, GroundScope::WithDeclarations);
  EXPECT_EQ(rules_for(declared, "q", 1).size(), 1U);
  EXPECT_EQ(rules_for(declared, "base", 1).size(), 2U);
  EXPECT_TRUE(rules_for(declared, "unused", 1).empty());
}

TEST(Flatten, LeavesOutRulesWhoseShapesNeverMeet) {
  const FlatProgram program =
      flat("p (q (f 1)) (r (g 1)) (<= p (q ?x) (r ?x)) (<= p (q (g ?x))) (<= p (q (f 1 ?x)))");
  EXPECT_EQ(rules_for(program, "p", 0).size(), 1U) << "the fact";
}

TEST(Flatten, ANegationOfWhatCanNeverHoldVanishes) {
  const FlatProgram program = flat("(q (f 1)) (<= p (q (f ?x)) (not (q ?x)) (not (q (g ?x))))");
  const auto rules = rules_for(program, "p", 0);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].body.size(), 1U);
}

TEST(Flatten, DistinctOfTwoFormsHoldsAndOfOneIsAChoiceOfColumns) {
  const FlatProgram forms = flat("(q (f 1)) (r 1) (<= p (q ?x) (r ?y) (distinct ?x ?y))");
  ASSERT_EQ(rules_for(forms, "p", 0).size(), 1U);
  EXPECT_EQ(rules_for(forms, "p", 0)[0].body.size(), 2U) << "always different";
  const FlatProgram pairs = flat("(q (f 1 2)) (<= p (q ?x) (q ?y) (distinct ?x ?y))");
  const auto rules = rules_for(pairs, "p", 0);
  ASSERT_EQ(rules.size(), 2U) << "they differ in the first or in the second";
  for (const FlatRule& rule : rules) EXPECT_EQ(rule.body[2].kind, Literal::Kind::Distinct);
  const FlatProgram part =
      flat("(q (f 1 2)) (<= p (q (f ?x 2)) (q ?y) (distinct (f ?x 2) (f 1 2)))");
  ASSERT_EQ(rules_for(part, "p", 0).size(), 1U);
  EXPECT_EQ(rules_for(part, "p", 0)[0].body[2].columns.size(), 2U) << "the second is the same";
}

TEST(Flatten, DistinctOfATermFromItselfNeverHolds) {
  EXPECT_TRUE(rules_for(flat("(q 1) (<= p (q ?x) (distinct ?x ?x))"), "p", 0).empty());
}

TEST(Flatten, AVariableOnlyUnderNotIsProjectedAway) {
  const FlatProgram program = flat("(q 1) (r 1 2) (<= p (q ?x) (not (r ?x ?any)))");
  const auto rules = rules_for(program, "p", 0);
  ASSERT_EQ(rules.size(), 1U);
  const FlatLiteral& negation = rules[0].body[1];
  EXPECT_EQ(negation.kind, Literal::Kind::Negative);
  EXPECT_EQ(negation.columns.size(), 1U);
  EXPECT_EQ(program.relations[negation.relation].relation, kAuxiliary);
}

TEST(Flatten, AVariableOnlyUnderNotIsProjectedAwayInEachOfItsForms) {
  const FlatProgram program = flat(
      "(q 1) (r 1 2) (r 1 (f 2)) (r 2 (g (f 3) 4)) (s (g 1 2)) (<= p (q ?x) (not (r ?x ?any)))"
      "(<= p (not (r ?x ?y)) (not (s (f ?x))) (s (g ?x 2)))");
  const auto rules = rules_for(program, "p", 0);
  ASSERT_EQ(rules.size(), 2U);
  std::size_t columns = 0;
  for (std::size_t i = 1; i < rules[0].body.size(); ++i) {
    const FlatLiteral& negation = rules[0].body[i];
    EXPECT_EQ(negation.kind, Literal::Kind::Negative);
    EXPECT_EQ(negation.columns, rules[0].body[0].columns);
    for (const FlatRule& rule : program.flat_rules) {
      if (rule.head == negation.relation) columns += rule.body[0].columns.size();
    }
  }
  EXPECT_EQ(rules[0].body.size(), 4U) << "a constant, (f ?) and (g (f ?) ?)";
  EXPECT_EQ(columns, 2U + 2U + 3U);
  EXPECT_EQ(rules[1].body.size(), 4U) << "three forms of ?y, and nothing is (s (f ?x))";
}

TEST(Flatten, SaysWhatMayBeTrueAndDoneByRulesThatAreNeverInstantiated) {
  const FlatProgram program = flat("p (<= (next (f ?x)) (q ?x)) (q 1)");
  std::size_t links = 0;
  for (const FlatRule& rule : program.flat_rules) {
    const RelationId head = program.relations[rule.head].relation;
    if (head != kTrue && head != kDoes) continue;
    ++links;
    EXPECT_TRUE(rule.relaxed_only);
    ASSERT_EQ(rule.body.size(), 1U);
    EXPECT_EQ(rule.body[0].columns, rule.columns);
  }
  EXPECT_EQ(links, 3U) << "init, next and legal";
}

TEST(Flatten, RefusesWhatItCannotBoundAndSaysWhichRule) {
  using Kind = GroundingFailure::Kind;
  const struct {
    const char* rules;
    Kind kind;
    std::uint32_t source;
  } cases[] = {
      {"p (<= (next (s ?x)) (true ?x))", Kind::EndlessTerms, 6},
      {"(<= p (q ?x)) (<= (q ?x) (true on)) (<= (q ?x) (q ?y) (q ?x))", Kind::UnsafeRule, 6},
      {"(<= p (distinct ?x 1))", Kind::UnsafeRule, 5},
      {"(q (f 1)) (<= p (not (q ?x)) (distinct ?x 1))", Kind::UnsafeRule, 6},
      {"(q (f 1)) (<= p (not (q ?x)) (distinct ?x (f 1)))", Kind::UnsafeRule, 6},
  };
  for (const auto& tested : cases) {
    const GroundingFailure failure = refused(tested.rules);
    EXPECT_EQ(failure.kind, tested.kind) << tested.rules;
    EXPECT_EQ(failure.source, tested.source) << tested.rules;
    EXPECT_FALSE(failure.text.empty()) << tested.rules;
  }
}

/// `p` needs terms of as many forms in each of several places.
std::string forms(int count, int places) {
  std::string text, body;
  for (int i = 0; i < count; ++i) text += "(q (g" + std::to_string(i) + " 1))";
  for (int i = 0; i < places; ++i) body += " (q ?x" + std::to_string(i) + ")";
  return text + "(<= p" + body + ")";
}

TEST(Flatten, MakesARuleForEachCombinationOfForms) {
  EXPECT_EQ(rules_for(flat(forms(5, 3)), "p", 0).size(), 125U);
}

// A hundred million flat rules were made, in any amount of memory, whatever the stop signal said.
TEST(Flatten, RefusesARuleThatBecomesTooMany) {
  const GroundingFailure failure = refused(forms(10, 8));
  EXPECT_EQ(failure.kind, GroundingFailure::Kind::OverBudget);
  EXPECT_EQ(failure.source, 15U) << "the rule for p";
}

TEST(Flatten, RefusesANegationOfTooManyForms) {
  const GroundingFailure failure =
      refused(forms(90, 0) + "(<= (r ?x ?y) (q ?x) (q ?y)) (<= p (not (r ?x ?y)))");
  EXPECT_EQ(failure.kind, GroundingFailure::Kind::OverBudget);
  EXPECT_EQ(failure.source, 97U) << "the rule for p";
}

TEST(Flatten, RefusesADistinctOfManyColumnsThatBecomesTooMany) {
  std::string rules = "(q (f 1 2 3 4 5 6 7 8 9 10)) (<= p (q ?x) (q ?y)";
  for (int i = 0; i < 8; ++i) {
    rules += " (q ?z" + std::to_string(i) + ") (distinct ?x ?z" + std::to_string(i) + ")";
  }
  EXPECT_EQ(refused(rules + ")").kind, GroundingFailure::Kind::OverBudget);
}

// Each of many choices held a copy of the rule, before any rule was counted.
TEST(Flatten, RefusesARuleOfManyChoicesInLittleMemory) {
  std::string rules = "(q 1 2) (<= p (q ?x ?y)";
  for (int i = 0; i < 2000; ++i) rules += " (distinct (f ?x ?y) (f a b))";
  tests::forget_peak();
  const std::size_t before = tests::peak_bytes();
  EXPECT_EQ(refused(rules + ")").kind, GroundingFailure::Kind::OverBudget);
  const std::size_t grown = tests::peak_bytes() - before;
  if (!kSanitized) {
    EXPECT_LT(grown, std::size_t{32} << 20);
  }
}

/// A rule with this many variables in one literal.
std::string many_variables(int count) {
  std::string fact, body;
  for (int i = 0; i < count; ++i) {
    fact += " 1";
    body += " ?x" + std::to_string(i);
  }
  return "(q" + fact + ") (<= p (q" + body + "))";
}

// Choosing forms recursed once for each variable of a rule.
TEST(Flatten, TakesRulesOfManyVariablesOnASmallStack) {
  const std::string rules = many_variables(5'000);
  std::size_t made = 0;
  on_small_stack([&] { made = rules_for(flat(rules), "p", 0).size(); });
  EXPECT_EQ(made, 1U);
}

// For each argument, forms were counted for all variables of the rule.
TEST(Flatten, WorksInProportionToTheVariablesOfARule) {
  const auto questions = [](int variables) {
    tests::StopAfter never(1'000'000);
    EXPECT_TRUE(flatten(tests::rules_of(game(many_variables(variables))), &never).has_value());
    return never.asked();
  };
  EXPECT_LE(questions(8'000), 8 * (questions(2'000) + 1));
}

// Inference recursed once for each level of a term.
TEST(Flatten, RefusesTermsThatAreNestedTooDeeply) {
  constexpr int kDeep = 9'900;
  std::string rules = "p (q 1) (<= (legal a (go ?x0)) (q ?x10)", open, close;
  for (int i = 0; i < kDeep; ++i) open += "(f ", close += ")";
  for (int i = 0; i < 10; ++i) {
    const std::string inner = open + "?x" + std::to_string(i + 1) + close;
    rules += " (not (distinct ?x" + std::to_string(i) + " " + inner + "))";
  }
  EXPECT_EQ(refused(rules + ")").kind, GroundingFailure::Kind::EndlessTerms);
}

// Pairs of thousands of forms were all written down before they were counted.
TEST(Flatten, RefusesTermsOfTooManyForms) {
  const GroundingFailure failure =
      refused(forms(1500, 1) + "(<= (r (h ?x ?y)) (q ?x) (q ?y)) (<= p (r ?z))");
  EXPECT_EQ(failure.kind, GroundingFailure::Kind::EndlessTerms);
}

TEST(Flatten, StopsWhenAskedInWhateverItIsAt) {
  for (const std::string& rules :
       {forms(10, 8), forms(1500, 1) + "(<= (r (h ?x ?y)) (q ?x) (q ?y)) (<= p (r ?z))"}) {
    tests::StopAfter counter(1 << 30);
    (void)refused(rules, &counter);
    ASSERT_GT(counter.asked(), 3) << "the signal is looked at";
    for (const int patience : {0, counter.asked() / 4}) {
      tests::StopAfter stop(patience);
      EXPECT_EQ(refused(rules, &stop).kind, GroundingFailure::Kind::Stopped) << patience;
      EXPECT_EQ(stop.asked(), patience + 1) << "and at once";
    }
  }
}

}  // namespace
}  // namespace ludens::gdl
