// SPDX-License-Identifier: MIT
#include "gdl/network/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "gdl/network/dot.h"
#include "gdl/pipeline/pipeline.h"
#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// Two lamps, each with a switch of its own, and a clock.
constexpr const char* kLamps = R"((role left) (role right)
  (init (off 1)) (init (off 2)) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
  (owner left 1) (owner right 2)
  (<= (legal ?r (press ?l)) (owner ?r ?l) (true (off ?l))) (legal left wait) (legal right wait)
  (<= (next (on ?l)) (does ?r (press ?l))) (<= (next (on ?l)) (true (on ?l)))
  (<= (next (off ?l)) (true (off ?l)) (owner ?r ?l) (not (does ?r (press ?l))))
  (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
  (<= terminal (true (step 3)))
  (<= (goal left 100) (true (on 1))) (<= (goal left 0) (not (true (on 1))))
  (<= (goal right 100) (true (on 1)) (true (on 2))) (<= (goal right 0) (true (off 2))))";

std::pair<Network, std::shared_ptr<Vocabulary>> lamps() {
  auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(kLamps));
  return {make_network(vocabulary).value()->network, vocabulary};
}

TEST(Structure, PartsThatHaveNothingToDoWithEachOtherAreFactors) {
  const auto [network, vocabulary] = lamps();
  const Structure structure = find_structure(network, *vocabulary);
  ASSERT_EQ(structure.factors.size(), 3u);
  std::vector<std::size_t> sizes;
  for (const Structure::Factor& f : structure.factors) {
    sizes.push_back(f.fluents.size());
    EXPECT_EQ(f.moves.empty(), f.fluents.size() == 4) << "no move acts on the clock alone";
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 2, 2}));
}

TEST(Structure, GoalsKnowTheirFactors) {
  const auto [network, vocabulary] = lamps();
  const Structure structure = find_structure(network, *vocabulary);
  ASSERT_EQ(structure.goal_factors.size(), 2u);
  EXPECT_EQ(structure.goal_factors[0].size(), 1u);
  EXPECT_EQ(structure.goal_factors[1].size(), 2u);
  ASSERT_EQ(structure.end_factors.size(), 1u);
  EXPECT_TRUE(structure.factors[structure.end_factors[0]].moves.empty());
}

TEST(Structure, OnePileIsOneFactor) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(tests::kHeap));
  const Structure structure =
      find_structure(make_network(vocabulary).value()->network, *vocabulary);
  ASSERT_EQ(structure.factors.size(), 1u);
  EXPECT_EQ(structure.factors[0].moves.size(), 6u);
}

std::string names(const Vocabulary& vocabulary, const std::vector<FluentId>& fluents) {
  std::set<std::string> sorted;
  for (const FluentId f : fluents) sorted.insert(vocabulary.fluent_name(f));
  std::string text;
  for (const std::string& name : sorted) text += name + " ";
  return text;
}

TEST(Structure, KnowsWhichFluentsExcludeEachOther) {
  const auto [network, vocabulary] = lamps();
  const Structure structure = find_structure(network, *vocabulary);
  // The clock; whether a lamp is on or off is spread over two relations.
  ASSERT_EQ(structure.exclusions.size(), 1u);
  EXPECT_EQ(names(*vocabulary, structure.exclusions[0].fluents),
            "( step 0 ) ( step 1 ) ( step 2 ) ( step 3 ) ");
  EXPECT_TRUE(structure.exclusions[0].always_one) << "nobody plays on behind the last step";
}

TEST(Structure, ATileIsOneOfItsValuesByInductionOverAllCells) {
  // A hole moves along a row of three: that a cell has one value rests on the others.
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"((role a)
    (init (cell 1 hole)) (init (cell 2 x)) (init (cell 3 y))
    (near 1 2) (near 2 3) (near 2 1) (near 3 2)
    (<= (legal a (slide ?c)) (true (cell ?c ?v)) (near ?c ?h) (true (cell ?h hole)))
    (<= (next (cell ?h ?v)) (does a (slide ?c)) (true (cell ?c ?v)) (true (cell ?h hole)))
    (<= (next (cell ?c hole)) (does a (slide ?c)))
    (<= (next (cell ?c ?v)) (true (cell ?c ?v)) (distinct ?v hole) (not (does a (slide ?c))))
    (<= terminal (true (cell 3 x))) (<= (goal a 100) (true (cell 3 x)))
    (<= (goal a 0) (not (true (cell 3 x)))))"));
  const Structure structure =
      find_structure(make_network(vocabulary).value()->network, *vocabulary);
  std::size_t cells = 0;
  for (const Structure::Exclusion& e : structure.exclusions) cells += e.always_one ? 1 : 0;
  EXPECT_GE(cells, 3u);
}

TEST(Structure, FluentsThatCanHoldTogetherAreNotExcluded) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"((role a) (init (p 1))
    (legal a (set 1)) (legal a (set 2)) (<= (next (p ?x)) (does a (set ?x)))
    (<= (next (p ?x)) (true (p ?x))) (<= terminal (true (p 2)) (true (p 1))) (goal a 0))"));
  const Structure structure =
      find_structure(make_network(vocabulary).value()->network, *vocabulary);
  EXPECT_TRUE(structure.exclusions.empty());
}

TEST(Structure, KnowsWhoIsInControlAndWhatGoalsLookAt) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(tests::kHeap));
  const Structure structure =
      find_structure(make_network(vocabulary).value()->network, *vocabulary);
  ASSERT_EQ(structure.control.size(), 2u);
  ASSERT_TRUE(structure.control[0].has_value());
  EXPECT_EQ(vocabulary->fluent_name(*structure.control[0]), "( control left )");
  ASSERT_EQ(structure.goals.size(), 2u);
  ASSERT_EQ(structure.goals[0].size(), 2u);
  EXPECT_EQ(structure.goals[0][0].value, 0);
  EXPECT_EQ(names(*vocabulary, structure.goals[0][0].fluents), "( control left ) ");
}

TEST(Structure, TwoSpellingsOfAGoalValueAreOneGoal) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"((role a) (init (p 0))
    (<= (next (p 0)) (true (p 0))) (legal a (set 1)) (legal a (set 2)) (legal a wait)
    (<= (next (p ?x)) (does a (set ?x))) (<= terminal (true (p ?x)) (distinct ?x 0))
    (<= (goal a 100) (true (p 1))) (<= (goal a 0100) (true (p 2))) (goal a 0))"));
  const Network network = make_network(vocabulary).value()->network;
  ASSERT_EQ(network.goals.size(), 1u);
  EXPECT_EQ(std::ranges::count(network.goals[0], 100, &Network::Goal::value), 1);
  const Structure structure = find_structure(network, *vocabulary);
  ASSERT_EQ(structure.goals[0].size(), 2u);
  const Structure::GoalValue& best = structure.goals[0].back();
  EXPECT_EQ(best.value, 100);
  EXPECT_EQ(names(*vocabulary, best.fluents), "( p 1 ) ( p 2 ) ");
  ASSERT_TRUE(best.alternatives.has_value());
  EXPECT_EQ(best.alternatives->size(), 2u) << "either of the two rules";
}

TEST(Structure, KnowsWhenAFluentCanHoldAtTheEarliest) {
  const auto [network, vocabulary] = lamps();
  const Structure structure = find_structure(network, *vocabulary);
  const auto step_of = [&structure, &names = *vocabulary](std::string_view name) {
    for (const Structure::Earliest& e : structure.reachable) {
      if (names.fluent_name(e.fluent) == name) return static_cast<int>(e.step);
    }
    return -1;
  };
  EXPECT_EQ(step_of("( step 0 )"), 0);
  EXPECT_EQ(step_of("( step 2 )"), 2);
  EXPECT_EQ(step_of("( on 1 )"), 1);
}

TEST(Dot, NamesInputsAndOutputs) {
  const auto [network, vocabulary] = lamps();
  const std::string drawing = to_dot(network, *vocabulary);
  EXPECT_EQ(drawing.rfind("digraph network {", 0), 0u);
  for (const char* part : {"true ( on 1 )", "does left ( press 1 )", "next ( on 1 )",
                           "legal right ( press 2 )", "terminal", "goal left 100", "dashed"}) {
    EXPECT_NE(drawing.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace ludens::gdl
