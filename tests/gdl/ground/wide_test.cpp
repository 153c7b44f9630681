// SPDX-License-Identifier: MIT
#include "gdl/ground/wide.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// Three counters of ten values, and what stands here.
std::string counters(const std::string& rules) {
  std::string text =
      "(role a) (init (at x 0)) (init (at y 0)) (init (at z 0)) (legal a (move x)) (legal a (move "
      "y))"
      "(<= (next (at ?c ?n)) (does a (move ?c)) (true (at ?c ?m)) (after ?m ?n))"
      "(<= (next (at ?c ?n)) (true (at ?c ?n)) (not (does a (move ?c))))"
      "(<= terminal (true (at x 9)))" +
      rules;
  for (int i = 0; i < 9; ++i) {
    text += "(after " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return text;
}

constexpr const char* kTriple =
    "(<= (triple ?i ?j ?k) (true (at x ?i)) (true (at y ?j)) (true (at z ?k)))";

GroundingLimits at_most(std::uint64_t rows) {
  GroundingLimits limits;
  limits.max_wide_rows = rows;
  return limits;
}

/// Relations of the rules that are set aside, each named once.
std::set<std::string> set_aside(const std::string& rules, std::uint64_t most = 500) {
  const auto found = ground_without_wide_rules(tests::rules_of(counters(rules)), at_most(most));
  std::set<std::string> names;
  if (!found) {
    EXPECT_EQ(found.error().kind, GroundingFailure::Kind::Wide) << found.error().text;
    return names;
  }
  for (const FlatRule& rule : found->rules) names.insert(found->program.flat.name(rule.head));
  return names;
}

using Names = std::set<std::string>;

TEST(WideRules, AreThoseOfLargeRelationsThatOnlyGoalsNeed) {
  const std::string goal = "(<= (goal a 100) (triple 1 2 3)) (<= (goal a 0) (not (goal a 100)))";
  EXPECT_EQ(set_aside(kTriple + goal), (Names{"triple/3", "goal/2"}));
  EXPECT_EQ(set_aside(kTriple + goal, 100'000), Names{}) << "of no more than a thousand rows";
  EXPECT_EQ(set_aside(kTriple + goal + "(<= (legal a stay) (triple 1 2 3))"), Names{});
  EXPECT_EQ(set_aside(kTriple + goal + "(<= (next (at y 5)) (triple 1 2 3))"), Names{});
  EXPECT_EQ(set_aside(kTriple + goal + "(<= (sees a all) (triple 1 2 3))"), Names{});
}

TEST(WideRules, OfTheEndAreSetAsideToo) {
  EXPECT_EQ(set_aside(std::string(kTriple) + "(<= terminal (triple 4 ?x ?x)) (goal a 0)"),
            (Names{"triple/3", "terminal/0"}));
}

TEST(WideRules, AreUnfoldedThroughSeveralRelations) {
  const std::string chain =
      "(<= (ordered ?i ?j ?k) (triple ?i ?j ?k) (after ?i ?j))"
      "(<= won (ordered ?i ?j ?k)) (<= (goal a 100) won) (<= (goal a 0) (not won))";
  EXPECT_EQ(set_aside(kTriple + chain), (Names{"triple/3", "ordered/3", "won/0"}))
      << "goals have their own rules once it is known who won";
}

TEST(WideRules, AreNoneThatAreNegatedOrRecursive) {
  EXPECT_EQ(set_aside(std::string(kTriple) +
                      "(<= (goal a 100) (true (at x ?i)) (not (triple ?i ?i ?i)))"),
            (Names{"triple/3"}))
      << "a rule by itself, with the goal above it";
  EXPECT_EQ(set_aside(std::string(kTriple) +
                      "(<= (triple ?i ?j ?k) (triple ?j ?i ?k)) (<= (goal a 100) (triple 1 2 3))"),
            Names{});
}

TEST(WideRules, ByThemselvesAreTheTopmost) {
  EXPECT_EQ(set_aside("(<= (goal a 100) (true (at x ?i)) (true (at y ?j)) (true (at z ?k)))"
                      "(<= (goal a 0) (true (at x 1)))"),
            (Names{"goal/2"}));
  EXPECT_EQ(set_aside("(<= won (true (at x ?i)) (true (at y ?j)) (true (at z ?k)))"
                      "(<= (goal a 100) won (true (at x ?i)) (true (at y ?j)) (true (at z ?k)))"),
            (Names{"goal/2"}));
}

TEST(WideRules, DependOnNoMoves) {
  EXPECT_EQ(set_aside("(<= (triple ?i ?j ?k) (true (at x ?i)) (true (at y ?j)) (true (at z ?k))"
                      " (does a (move x))) (<= (goal a 100) (triple 1 2 3))"),
            Names{});
}

TEST(WideRules, TheRestIsGroundWithoutThem) {
  const std::string goal = "(<= (goal a 100) (triple 1 2 3)) (<= (goal a 50) (true (at x 5)))";
  const auto rules = tests::rules_of(counters(kTriple + goal));
  const auto whole = ground(rules, {});
  const auto rest = ground_without_wide_rules(rules, at_most(500));
  ASSERT_TRUE(rest.has_value());
  for (std::uint32_t r = 0; r < rest->program.flat.relations.size(); ++r) {
    const RelationId relation = rest->program.flat.relations[r].relation;
    if (relation == kGoal) {
      EXPECT_EQ(rest->program.tuples[r].size(), 0U) << "not even 50";
    }
    if (relation == kTrue || relation == kDoes) {
      EXPECT_EQ(rest->program.tuples[r].size(), whole->tuples[r].size());
    }
  }
  // A goal of 100 in any state, in the place of the rules of triples.
  GroundRules others;
  for (const FlatRule& rule : rest->rules) {
    if (rest->program.flat.relations[rule.head].relation == kGoal && !rule.body.empty()) {
      others.form = {rule.head, {{true, 0}, {true, 1}}, {}, 2, rule.source};
      for (const FlatTerm& t : rule.columns) others.cells.push_back(t.value);
      others.count = 1;
    }
  }
  const auto with = ground_with_others(rules, {others}, at_most(500));
  ASSERT_TRUE(with.has_value());
  EXPECT_LT(with->atoms, whole->atoms) << "no triples";
  EXPECT_GT(with->atoms, rest->program.atoms) << "goals of 50 and of 100";
}

TEST(WideRules, EndAGroundingOnlyWhereTheirRowsAreThere) {
  // z never moves: a hundred triples, of a thousand that the columns allow.
  const auto rules =
      tests::rules_of(counters(std::string(kTriple) + "(<= (goal a 100) (triple 1 2 3))"));
  EXPECT_TRUE(ground_unless_wide(rules, at_most(100)).has_value());
  const auto refused = ground_unless_wide(rules, at_most(99));
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().kind, GroundingFailure::Kind::Wide);
  EXPECT_TRUE(ground(rules, at_most(99)).has_value());
}

}  // namespace
}  // namespace ludens::gdl
