// SPDX-License-Identifier: MIT
#include "gdl/ground/grounder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "gdl/ground/instances.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

using tests::ground_text;

std::size_t rows(const GroundProgram& program, RelationId relation) {
  std::size_t n = 0;
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    if (program.flat.relations[r].relation == relation) n += program.tuples[r].size();
  }
  return n;
}

GroundProgram grounded(std::string text) {
  auto result = ground_text(std::move(text));
  EXPECT_TRUE(result.has_value()) << result.error().text;
  return *std::move(result);
}

GroundingFailure::Kind kind_of_refusal(std::string text) {
  const auto result = ground_text(std::move(text));
  EXPECT_TRUE(result.has_error());
  return result.error().kind;
}

TEST(Grounder, FindsWhatCouldEverHoldBeLegalAndBeDone) {
  const GroundProgram p = grounded(tests::kHeap);
  EXPECT_EQ(rows(p, kTrue), 6u + 2 + 2);  // heaps 0..5, control, parity
  EXPECT_EQ(rows(p, kDoes), 2u * 3);      // take 1, take 2, noop
  EXPECT_EQ(rows(p, kLegal), rows(p, kDoes));
  EXPECT_EQ(rows(p, kGoal), 4u);
}

/// All ground rules.
std::vector<std::vector<AtomLiteral>> bodies(GroundProgram& program) {
  std::vector<std::vector<AtomLiteral>> all;
  Instances instances(program, {});
  Bodies of_head;
  for (Atom head = 0; head < program.atoms; ++head) {
    EXPECT_TRUE(instances.of(head, of_head));
    for (std::size_t i = 0; i < of_head.size(); ++i) {
      all.emplace_back(of_head[i].begin(), of_head[i].end());
    }
  }
  EXPECT_EQ(instances.count(), all.size());
  return all;
}

TEST(Grounder, StaticRelationsVanishFromBodies) {
  GroundProgram p = grounded(tests::kHeap);
  const auto all = bodies(p);
  EXPECT_FALSE(all.empty());
  for (const auto& body : all) {
    EXPECT_LE(body.size(), 2u);
    for (const AtomLiteral l : body) EXPECT_LT(l >> 1, p.atoms);
  }
}

TEST(Grounder, MakesGroundRulesOnlyForTheHeadThatIsAskedFor) {
  GroundProgram p = grounded(tests::kHeap);
  Instances instances(p, {});
  Bodies of_head;
  for (std::uint32_t r = 0; r < p.flat.relations.size(); ++r) {
    if (p.flat.relations[r].relation != kTerminal) continue;
    ASSERT_TRUE(instances.of(p.first_atom[r], of_head));
    EXPECT_EQ(of_head.size(), 1u);
    EXPECT_EQ(instances.count(), 1u);
  }
}

TEST(Grounder, GivesUpAtItsLimitOfGroundRules) {
  GroundProgram p = grounded(tests::kHeap);
  GroundingLimits limits;
  limits.max_instances = 0;
  Instances instances(p, limits);
  Bodies of_head;
  bool met = false;
  for (int round = 0; round < 10'000 && !met; ++round) {
    for (Atom head = 0; head < p.atoms && !met; ++head) met = !instances.of(head, of_head);
  }
  ASSERT_TRUE(met);
  EXPECT_EQ(instances.failure().kind, GroundingFailure::Kind::OverBudget);
}

TEST(Grounder, ShapesOfMovesAreKeptApart) {
  const GroundProgram p = grounded(R"((role a) (init (p (f 1))) (init (p 2))
    (<= (legal a ?x) (true (p ?x))) (<= (next (q ?x)) (does a ?x)) (<= terminal (true (q 2)))
    (<= (goal a 100) terminal))");
  EXPECT_EQ(rows(p, kDoes), 2u);
  EXPECT_EQ(rows(p, kTrue), 4u);  // (p (f 1)), (p 2), (q (f 1)), (q 2)
}

TEST(Grounder, ARoleVariableThatNothingBindsRangesOverTheRoles) {
  const GroundProgram p = grounded(
      "(role a) (role b) (init p) (<= (legal ?r ?r) (true p))"
      "(<= terminal (not (true p))) (<= (goal ?r 50) (true p))");
  EXPECT_EQ(rows(p, kGoal), 2u);
  EXPECT_EQ(rows(p, kLegal), 2u);
}

TEST(Grounder, AVariableThatOccursOnlyUnderNotMeansThereIsNone) {
  GroundProgram p = grounded(R"((role a) (init (left 1)) (init (left 2)) (legal a go)
    (<= (next (left 1)) (true (left 2))) (<= terminal (not (true (left ?x)))) (goal a 100))");
  // terminal needs one negated atom that stands for both.
  for (const auto& body : bodies(p)) {
    if (body.size() == 1 && (body[0] & 1) != 0) return;
  }
  FAIL() << "no instance with a negated projection";
}

TEST(Grounder, RecursionOverStaticAndStateRelationsEnds) {
  const GroundProgram p = grounded(R"((role a) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
    (init (at 1)) (<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) (succ ?x ?y))
    (<= (legal a (go ?y)) (true (at ?x)) (less ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))
    (<= terminal (not (reach 2))) (<= (goal a 100) terminal))");
  EXPECT_EQ(rows(p, kTrue), 4u);
  EXPECT_EQ(rows(p, kDoes), 3u);
}

TEST(Grounder, EndlessTermsAreRefused) {
  EXPECT_EQ(
      kind_of_refusal("(role a) (init (n zero)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))"
                      "(<= terminal (true (n one))) (goal a 0)"),
      GroundingFailure::Kind::EndlessTerms);
}

TEST(Grounder, AStopIsHeardWhileShapesAreInferred) {
  struct Stop final : StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return ++asked > 2; }
    mutable int asked = 0;
  };
  // Terms whose parts multiply, and a long chain of relations in the wrong order.
  std::string pairs = "(role a) (init (n z)) (legal a go) (<= terminal (true (n q))) (goal a 0)";
  std::string chain = pairs + "(p0 a)";
  pairs +=
      "(<= (next (n (s ?x ?y))) (true (n ?x)) (true (n ?y)))"
      "(<= (next (n (t ?x ?y))) (true (n ?x)) (true (n ?y)))";
  for (int i = 0; i < 20'000; ++i) {
    chain += "(<= (p" + std::to_string(i + 1) + " ?x) (p" + std::to_string(i) + " ?x))";
  }
  for (const std::string& text : {pairs, chain + "(<= (next (n z)) (p20000 a))"}) {
    const Stop stop;
    GroundingLimits limits;
    limits.limits.stop = &stop;
    const auto result =
        ground(normalise(std::make_shared<const SyntaxTree>(parse(text).tree)).rules, limits);
    ASSERT_TRUE(result.has_error());
    EXPECT_EQ(result.error().kind, GroundingFailure::Kind::Stopped);
    EXPECT_EQ(stop.asked, 3);
  }
}

/// Stops a grounding once its flat program is made and the signal was asked a hundred times more.
GroundingFailure::Kind stopped_after_flattening(const std::string& text) {
  const auto rules = tests::rules_of(text);
  const tests::StopAfter never(std::numeric_limits<int>::max());
  EXPECT_TRUE(flatten(rules, &never).has_value());
  const tests::StopAfter stop(never.asked() + 100);
  GroundingLimits limits;
  limits.limits.stop = &stop;
  const auto result = ground(rules, limits);
  EXPECT_TRUE(result.has_error()) << "asked only " << stop.asked() << " times";
  EXPECT_EQ(stop.asked(), never.asked() + 101);
  return result.has_error() ? result.error().kind : GroundingFailure::Kind::OverBudget;
}

TEST(Grounder, AStopIsHeardWhileALongBodyIsPlanned) {
  std::string text = "(role a) (init (p 0)) (legal a go) (goal a 0) (<= terminal";
  for (int i = 0; i < 3'000; ++i) text += "(true (p " + std::to_string(i) + "))";
  EXPECT_EQ(stopped_after_flattening(text + ")"), GroundingFailure::Kind::Stopped);
}

TEST(Grounder, AStopIsHeardWhileRulesAreEstimated) {
  std::string text = "(role a) (init (p 0)) (legal a go) (goal a 0) (<= terminal (p0 0))";
  constexpr int kChain = 2'000;
  for (int i = 0; i < kChain; ++i) {
    text += "(<= (p" + std::to_string(i) + " ?x) (p" + std::to_string(i + 1) + " ?x))";
  }
  EXPECT_EQ(
      stopped_after_flattening(text + "(<= (p" + std::to_string(kChain) + " ?x) (true (p ?x)))"),
      GroundingFailure::Kind::Stopped);
}

TEST(Grounder, TermsOfTooManyPartsAreRefused) {
  std::string many,
      text = "(role a) (init z) (legal a go) (<= terminal (true q)) (goal a 0) (d0 z)";
  for (int i = 0; i < 200; ++i) many += " ?x";
  for (int i = 0; i < 4; ++i) {
    text += "(<= (d" + std::to_string(i + 1) + " (f" + many + ")) (d" + std::to_string(i) + " ?x))";
  }
  EXPECT_EQ(kind_of_refusal(text + "(<= (next ?x) (d4 ?x))"), GroundingFailure::Kind::EndlessTerms);
}

TEST(Grounder, TermsThatGrowOnlyAsLongAsTwoArgumentsAgreeAreNotEndless) {
  const GroundProgram p = grounded(R"((role a) (init (s 0)) (r 0 0) (q 0)
    (<= (r ?x (f ?x)) (r ?y ?x) (q ?y)) (<= (legal a go) (true (s 0)) (r (f 0) (f (f 0))))
    (<= (next (s 1)) (does a go)) (<= terminal (true (s 1))) (goal a 100))");
  EXPECT_EQ(rows(p, kDoes), 1u);
}

TEST(Grounder, AFreeHeadVariableOfARecursiveRelationIsRefused) {
  const std::string rules =
      "(role a) (init p) (<= (q ?x) (true p)) (<= (legal a go) (q 1)) (<= terminal (q 2))"
      "(goal a 0)";
  EXPECT_EQ(rows(grounded(rules), kLegal), 1u);
  EXPECT_EQ(kind_of_refusal(rules + "(<= (q ?x) (q ?y) (q ?x))"),
            GroundingFailure::Kind::UnsafeRule);
}

// Found by random rulesheets: the variable was taken for a constant within a function, too.
TEST(Grounder, AVariableOnlyUnderNotMayMeetAFunction) {
  GroundProgram p = grounded(R"((role a) (init (p (g 1) 1)) (init (q 1)) (legal a go)
    (<= (next (q ?x)) (true (q ?x)) (not (true (p ?free ?x))))
    (<= terminal (not (true (q 1)))) (goal a 100))");
  const auto all = bodies(p);
  const auto keeps_q = [](const std::vector<AtomLiteral>& body) {
    return body.size() == 2 && (body[0] & 1) != (body[1] & 1);
  };
  EXPECT_EQ(std::ranges::count_if(all, keeps_q), 1);
}

/// A relation of nine free columns: more rows than any budget allows.
std::string explosion() {
  std::string text =
      "(role a) (legal a go) (goal a 0) (<= terminal (big 1 1 1 1 1 1 1 1 1)) (init p)";
  std::string head = "(<= (big", body;
  for (int i = 0; i < 9; ++i) {
    text += "(d " + std::to_string(i) + ")";
    head += " ?x" + std::to_string(i);
    body += " (d ?x" + std::to_string(i) + ")";
  }
  return text + head + ")" + body + ")";
}

TEST(Grounder, GivesUpAtItsMemoryBudgetAndReturnsAllOfIt) {
  MemoryBudget memory(8 << 20);
  GroundingLimits limits;
  limits.limits.memory = &memory;
  const auto result = ground(tests::rules_of(explosion()), limits);
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind, GroundingFailure::Kind::OverBudget);
  EXPECT_EQ(memory.used(), 0u);
}

TEST(Grounder, GivesUpWhereRowsTakeTooMuchWithoutABudgetToo) {
  GroundingLimits limits;
  limits.max_bytes = 8 << 20;
  const auto result = ground(tests::rules_of(explosion()), limits);
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind, GroundingFailure::Kind::OverBudget);
}

TEST(Grounder, StopsWhenAsked) {
  struct Soon final : StopSignal {
    mutable int questions = 0;
    [[nodiscard]] bool stop_requested() const noexcept override { return ++questions > 3; }
  } soon;
  GroundingLimits limits;
  limits.limits.stop = &soon;
  const auto result = ground(tests::rules_of(explosion()), limits);
  ASSERT_TRUE(result.has_error());
  EXPECT_EQ(result.error().kind, GroundingFailure::Kind::Stopped);
}

}  // namespace
}  // namespace ludens::gdl
