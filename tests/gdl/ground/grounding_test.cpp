// SPDX-License-Identifier: MIT
// The phases of grounding, each by itself: evaluation, domains, splitting, demand, limits.
#include "gdl/ground/grounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gdl/ground/estimate.h"
#include "gdl/ground/instances.h"
#include "gdl/machine/vocabulary.h"
#include "tests/gdl/ground/flat_rules.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

using tests::Meter;
using tests::negative;
using tests::positive;
using tests::Row;
using tests::rows_of;
using tests::symbol;
using tests::var;

// ---- the fixpoint ----

TEST(Evaluate, ReachesTheLeastFixpointOfARecursion) {
  Grounding g = tests::grounding({2, 2});
  tests::fill(g.tuples[0], {{1, 2}, {2, 3}, {3, 1}, {5, 6}});
  const FlatRule start = tests::rule(1, {var(0), var(1)}, {positive(0, {var(0), var(1)})});
  const FlatRule step = tests::rule(1, {var(0), var(2)},
                                    {positive(1, {var(0), var(1)}), positive(1, {var(1), var(2)})});
  Meter meter;
  evaluate(g, {&start, &step}, {1}, true, meter);
  const auto rows = rows_of(g.tuples[1]);
  const std::set<Row> closure(rows.begin(), rows.end());
  EXPECT_EQ(closure.size(), rows.size()) << "each row once";
  EXPECT_EQ(closure,
            (std::set<Row>{
                {1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}, {5, 6}}));
}

TEST(Evaluate, JudgesNegationsOnlyWhereItIsExact) {
  for (const bool exact : {true, false}) {
    Grounding g = tests::grounding({1, 1, 1});
    tests::fill(g.tuples[0], {{1}, {2}});
    tests::fill(g.tuples[1], {{2}});
    g.dynamic[1] = true;
    const FlatRule rule = tests::rule(2, {var(0)}, {positive(0, {var(0)}), negative(1, {var(0)})});
    Meter meter;
    evaluate(g, {&rule}, {2}, exact, meter);
    EXPECT_EQ(rows_of(g.tuples[2]), exact ? (std::vector<Row>{{1}}) : (std::vector<Row>{{1}, {2}}));
  }
}

TEST(Evaluate, JudgesNegationsOfStaticRelationsAlways) {
  Grounding g = tests::grounding({1, 1, 1});
  tests::fill(g.tuples[0], {{1}, {2}});
  tests::fill(g.tuples[1], {{2}});
  const FlatRule rule = tests::rule(2, {var(0)}, {positive(0, {var(0)}), negative(1, {var(0)})});
  Meter meter;
  evaluate(g, {&rule}, {2}, false, meter);
  EXPECT_EQ(rows_of(g.tuples[2]), (std::vector<Row>{{1}}));
}

TEST(Evaluate, GoesOnFromRowsThatAreThere) {
  Grounding g = tests::grounding({2, 1});
  for (std::uint32_t i = 0; i < 50; ++i) tests::fill(g.tuples[0], {{i, i + 1}});
  tests::fill(g.tuples[1], {{0}});
  const FlatRule step =
      tests::rule(1, {var(1)}, {positive(1, {var(0)}), positive(0, {var(0), var(1)})});
  Meter meter;
  evaluate(g, {&step}, {1}, true, meter);
  ASSERT_EQ(g.tuples[1].size(), 51U);
  EXPECT_EQ(*g.tuples[1].row(50), 50U) << "in the order in which they are derived";
}

TEST(EvaluateStatic, TakesStrataInTheirOrderAndDropsTheirRules) {
  Grounding g = tests::grounding({1, 1, 1, 1});
  tests::fill(g.tuples[0], {{1}, {2}, {3}});
  g.dynamic[3] = true;
  // 2 needs all of 1 although its rule comes first.
  g.flat.flat_rules = {
      tests::rule(2, {var(0)}, {positive(0, {var(0)}), negative(1, {var(0)})}),
      tests::rule(1, {symbol(2)}, {}),
      tests::rule(3, {var(0)}, {positive(2, {var(0)})}),
  };
  GroundingMeter meter({}, g.tuples);
  evaluate_static(g, meter);
  EXPECT_EQ(rows_of(g.tuples[2]), (std::vector<Row>{{1}, {3}}));
  ASSERT_EQ(g.flat.flat_rules.size(), 1U);
  EXPECT_EQ(g.flat.flat_rules[0].head, 3U) << "what depends on the state comes later";
  EXPECT_EQ(g.tuples[3].size(), 0U);
}

// ---- estimates ----

TEST(Domains, OfARelationWithRowsAreTheValuesOfItsColumns) {
  Grounding g = tests::grounding({2});
  tests::fill(g.tuples[0], {{1, 5}, {2, 5}, {3, 6}});
  Meter meter;
  const Domains domains(g, meter);
  EXPECT_EQ(domains.size(0, 0), 3);
  EXPECT_EQ(domains.size(0, 1), 2);
  EXPECT_EQ(domains.product(0), 6);
}

TEST(Domains, FlowThroughRulesAndAreCutWhereVariablesMeet) {
  Grounding g = tests::grounding({1, 1, 2, 1});
  tests::fill(g.tuples[0], {{1}, {2}, {3}});
  tests::fill(g.tuples[1], {{2}, {3}, {4}});
  g.flat.flat_rules = {
      tests::rule(2, {var(0), symbol(9)}, {positive(0, {var(0)}), positive(1, {var(0)})}),
      tests::rule(3, {var(0)}, {positive(2, {var(0), var(1)})}),
      tests::rule(3, {symbol(7)}, {positive(2, {symbol(1), var(0)})}),
  };
  Meter meter;
  const Domains domains(g, meter);
  EXPECT_EQ(domains.size(2, 0), 2) << "2 and 3";
  EXPECT_EQ(domains.size(2, 1), 1);
  EXPECT_EQ(domains.size(3, 0), 2) << "no 7: relation 2 never has a 1";
}

TEST(Domains, OfAnEmptyColumnCountAsOne) {
  Grounding g = tests::grounding({3});
  Meter meter;
  const Domains domains(g, meter);
  EXPECT_EQ(domains.size(0, 2), 1);
  EXPECT_EQ(domains.product(0), 1);
}

TEST(Domains, OfAVariableAreTheSmallestAmongItsColumns) {
  Grounding g = tests::grounding({1, 1, 1});
  tests::fill(g.tuples[0], {{1}, {2}, {3}});
  tests::fill(g.tuples[1], {{1}, {2}});
  const FlatRule rule = tests::rule(
      2, {var(0)},
      {positive(0, {var(0)}), positive(1, {var(0)}), positive(0, {var(1)}), negative(1, {var(1)})});
  Meter meter;
  EXPECT_EQ(Domains(g, meter).variables(rule), (std::vector<double>{2, 3}));
}

TEST(Domains, OfPartsCanBeAdded) {
  Grounding g = tests::grounding({1, 1});
  tests::fill(g.tuples[0], {{1}, {2}});
  Meter meter;
  Domains domains(g, meter);
  domains.add_auxiliary(1, tests::rule(1, {var(0)}, {positive(0, {var(0)})}));
  EXPECT_EQ(domains.size(1, 0), 2);
  tests::fill(g.tuples[0], {{3}});
  domains.refresh(g, 0);
  EXPECT_EQ(domains.size(0, 0), 3);
  EXPECT_EQ(domains.size(1, 0), 2) << "of what it was then";
}

// ---- splitting and demand change no answer ----

/// Names of all that may be true.
std::set<std::string> reachable(const GroundProgram& program) {
  std::set<std::string> names;
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    const FlatRelation& relation = program.flat.relations[r];
    if (relation.relation != kTrue) continue;
    for (RowId row = 0; row < program.tuples[r].size(); ++row) {
      std::vector<std::uint32_t> cells;
      const std::uint32_t* columns = program.tuples[r].row(row);
      program.append_term(relation.shapes[0], columns, cells);
      names.insert(print(*program.flat.rules, cells));
    }
  }
  return names;
}

GroundProgram ground_program(const std::string& text) {
  auto result = tests::ground_text(text);
  EXPECT_TRUE(result.has_value()) << result.error().text;
  return *std::move(result);
}

/// Whether a relation of the rulesheet restricts instances and vanishes from them.
bool has_filter(const GroundProgram& program) {
  return std::ranges::find(program.filter, true) != program.filter.end();
}

TEST(SplitBodies, CutsALongBodyAndDerivesTheSame) {
  // A chain of five joins over 12 numbers: 12^6 bindings in one piece.
  std::string text =
      "(role a) (init (at 1)) (legal a go) (<= terminal (true (at 9))) (goal a 0)"
      "(<= (next (at ?f)) (true (at ?a)) (e ?a ?b) (e ?b ?c) (e ?c ?d) (e ?d ?e)"
      " (e ?e ?f))";
  for (int i = 1; i <= 12; ++i) {
    for (const int j : {i % 12 + 1, (i + 4) % 12 + 1}) {
      text += "(e " + std::to_string(i) + " " + std::to_string(j) + ")";
    }
  }
  GroundProgram program = ground_program(text);
  const auto parts =
      std::ranges::count(program.flat.relations, kAuxiliary, &FlatRelation::relation);
  EXPECT_GT(parts, 0) << "the body was cut";
  EXPECT_EQ(reachable(program).size(), 12U);
  // Five steps of 1 or 5 each: what follows from (at 1) are sums of five, modulo 12.
  Instances instances(program, {});
  Bodies bodies;
  std::uint64_t rules = 0;
  for (Atom head = 0; head < program.atoms; ++head) {
    ASSERT_TRUE(instances.of(head, bodies));
    rules += bodies.size();
  }
  EXPECT_LT(rules, 12U * 12 * 12) << "far fewer than paths";
}

TEST(Demand, RestrictsALargeRelationToWhatIsAskedOfIt) {
  std::string text =
      "(role a) (init (at 1 1 1 1)) (legal a go) (goal a 0)"
      "(<= (ok ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (true (at ?x ?y ?z ?w))"
      " (distinct ?a ?b))"
      "(<= (next (at ?b ?a ?a ?a)) (true (at ?a ?c ?d ?e)) (s ?a ?b))"
      "(<= terminal (true (at ?a ?b ?c ?d)) (ok ?a ?b ?c ?d))";
  for (int i = 1; i <= 40; ++i) text += "(n " + std::to_string(i) + ")";
  for (int i = 1; i < 6; ++i) {
    text += "(s " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  const GroundProgram program =
      ground_program(text);  // 40^4 rows otherwise: two and a half millions
  EXPECT_TRUE(has_filter(program));
  const auto ok = *program.flat.rules->find_relation("ok", 4);
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    if (program.flat.relations[r].relation != ok) continue;
    EXPECT_LE(program.tuples[r].size(), 6U);
    EXPECT_GT(program.tuples[r].size(), 0U);
  }
  EXPECT_EQ(reachable(program).size(), 6U);
}

TEST(Demand, LeavesSmallRelationsAsTheyAre) {
  EXPECT_FALSE(has_filter(ground_program(tests::kHeap)));
}

// ---- the ground program ----

TEST(GroundProgram, FindsAtomsByTheirRowsAndNumbersThemDensely) {
  const GroundProgram program = ground_program(tests::kHeap);
  std::set<Atom> atoms;
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    for (RowId row = 0; row < program.tuples[r].size(); ++row) {
      const auto atom = program.find(r, program.tuples[r].row(row));
      ASSERT_EQ(atom.has_value(), program.dynamic[r]) << "static rows are no atoms";
      if (atom) atoms.insert(*atom);
    }
    const std::vector<std::uint32_t> stranger(program.tuples[r].columns(), 0xfffffff0U);
    if (stranger.empty()) continue;
    EXPECT_EQ(program.find(r, stranger.data()), std::nullopt);
  }
  EXPECT_EQ(atoms.size(), program.atoms);
  EXPECT_EQ(*atoms.rbegin() + 1, program.atoms);
}

TEST(GroundProgram, PrintsTermsWithTheirShapes) {
  EXPECT_EQ(reachable(ground_program("(role a) (init (p (f 1 (g 2)) 3)) (init q) (legal a go)"
                                     "(<= terminal (true q)) (goal a 0)")),
            (std::set<std::string>{"( p ( f 1 ( g 2 ) ) 3 )", "q"}));
}

TEST(Bodies, AreSeparatedByTheirEnds) {
  Bodies bodies;
  bodies.end_body();
  bodies.add(3);
  bodies.add(5);
  bodies.end_body();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_TRUE(bodies[0].empty()) << "holds always";
  EXPECT_EQ((std::vector<AtomLiteral>(bodies[1].begin(), bodies[1].end())),
            (std::vector<AtomLiteral>{3, 5}));
  bodies.clear();
  EXPECT_EQ(bodies.size(), 0U);
}

TEST(Instances, OfAHeadReplaceThoseOfTheOneBefore) {
  GroundProgram program = ground_program(tests::kHeap);
  Instances instances(program, {});
  Bodies first, again;
  std::uint64_t made = 0;
  for (Atom head = 0; head < program.atoms; ++head) {
    ASSERT_TRUE(instances.of(head, first));
    ASSERT_TRUE(instances.of(head, again));
    ASSERT_EQ(first.size(), again.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      ASSERT_TRUE(std::ranges::equal(first[i], again[i])) << head;
    }
    made += 2 * first.size();
  }
  EXPECT_EQ(instances.count(), made);
}

TEST(Instances, OfWhatIsGivenAreNone) {
  GroundProgram program = ground_program(tests::kHeap);
  Instances instances(program, {});
  Bodies bodies;
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    const RelationId relation = program.flat.relations[r].relation;
    if (relation != kTrue && relation != kDoes) continue;
    for (RowId row = 0; row < program.tuples[r].size(); ++row) {
      ASSERT_TRUE(instances.of(program.first_atom[r] + row, bodies));
      EXPECT_EQ(bodies.size(), 0U);
    }
  }
}

// ---- limits ----

constexpr const char* kProduct =
    "(role a) (init (at 1)) (legal a go) (<= terminal (big 1 1 1 1)) (goal a 0)"
    "(<= (big ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))";

std::string product(int numbers) {
  std::string text = kProduct;
  for (int i = 1; i <= numbers; ++i) text += "(n " + std::to_string(i) + ")";
  return text;
}

TEST(GroundingLimits, OfRowsEndAGrounding) {
  GroundingLimits limits;
  limits.max_rows = 100'000;
  const auto rules = tests::rules_of(product(30));
  const auto refused = ground(rules, limits);
  ASSERT_TRUE(refused.has_error());
  const auto& failure = refused.error();
  EXPECT_EQ(failure.kind, GroundingFailure::Kind::OverBudget);
  EXPECT_EQ(failure.source, 5U) << "the rule that was at work";
  limits.max_rows = 1'000'000;
  EXPECT_TRUE(ground(rules, limits).has_value()) << "810,000 rows fit";
}

TEST(GroundingLimits, OfMemoryAreReleasedAfterASuccessToo) {
  MemoryBudget memory(std::size_t{64} << 20);
  GroundingLimits limits;
  limits.limits.memory = &memory;
  EXPECT_TRUE(ground(tests::rules_of(product(10)), limits).has_value());
  EXPECT_EQ(memory.used(), 0U) << "who keeps the rows has to count them";
}

TEST(GroundingLimits, AStopEndsAGroundingWhereverItIs) {
  const auto rules = tests::rules_of(product(20));
  tests::StopAfter counter(1 << 30);
  GroundingLimits limits;
  limits.limits.stop = &counter;
  ASSERT_TRUE(ground(rules, limits).has_value());
  ASSERT_GT(counter.asked(), 3);
  for (const int patience : {0, 1, counter.asked() / 2, counter.asked() - 1}) {
    tests::StopAfter stop(patience);
    limits.limits.stop = &stop;
    const auto result = ground(rules, limits);
    ASSERT_TRUE(result.has_error()) << patience;
    EXPECT_EQ(result.error().kind, GroundingFailure::Kind::Stopped);
  }
}

}  // namespace
}  // namespace ludens::gdl
