// SPDX-License-Identifier: MIT
// Which procedures a program has, and what compiling them one way or another leaves as it is.
#include "gdl/interpreter/procedures.h"

#include <gtest/gtest.h>

#include "tests/gdl/interpreter/compiled_rules.h"

namespace ludens::gdl::interpreter {
namespace {

using Names = std::vector<std::string>;

TEST(Procedures, AreOneForEachRelationAndMode) {
  CompiledRules rules("(<= (p ?x ?y) (q ?x) (q ?y)) (q 1)");
  Procedures procedures(rules.program(), rules.clauses(), {});
  const std::uint32_t p = rules.relation("p", 2);
  const ProcedureId both = procedures.require(p, "ff"), one = procedures.require(p, "bf");
  EXPECT_NE(both, one);
  EXPECT_EQ(procedures.require(p, "ff"), both);
  EXPECT_EQ(rules.program().procedures.size(), 2U);
}

TEST(Procedures, HaveAKeyOfWhatIsBoundAndColumnsOfWhatIsWanted) {
  CompiledRules rules("(<= (p ?x ?y ?z) (true (f ?x ?y ?z)))");
  Procedures procedures(rules.program(), rules.clauses(), {});
  const Procedure p = rules.program().procedures[procedures.require(rules.relation("p", 3), "bfe")];
  EXPECT_EQ(p.key_width, 1U);
  EXPECT_EQ(p.width, 1U) << "what is of no interest is no column";
  EXPECT_EQ(p.level, Level::State);
}

TEST(Procedures, AreTakenOnceEachToBeCompiled) {
  CompiledRules rules("(<= (p ?x) (q ?x)) (q 1)");
  Procedures procedures(rules.program(), rules.clauses(), {});
  EXPECT_FALSE(procedures.take());
  const std::uint32_t p = rules.relation("p", 1);
  const ProcedureId free = procedures.require(p, "f"), bound = procedures.require(p, "b");
  procedures.require(p, "f");
  std::vector<std::pair<ProcedureId, Mode>> taken;
  while (const auto task = procedures.take()) taken.emplace_back(task->procedure, task->mode);
  std::ranges::sort(taken);
  EXPECT_EQ(taken, (std::vector<std::pair<ProcedureId, Mode>>{{free, "f"}, {bound, "b"}}));
}

TEST(Procedures, AreEvaluatedInPlaceWhereTheyAreSmall) {
  CompiledRules rules(R"((<= (small ?x) (true (f ?x)) (true (g ?x)))
    (<= (nested ?x) (small ?x) (true (h ?x)))
    (<= (large ?x) (true (f ?x)) (true (g ?x)) (true (h ?x)) (true (i ?x)) (true (j ?x)) (true (k ?x)))
    (<= (circle ?x) (true (f ?x)) (circle ?x)) (<= (static ?x) (q ?x)) (q 1)
    (<= (asks ?x) (true (f ?x)) (open ?x ?y)) (<= (open ?x ?y) (true (f ?x)))
    (<= (open ?x ?y) (open ?y ?x)))");
  Procedures procedures(rules.program(), rules.clauses(), {});
  const auto inlined = [&](const char* name) {
    return procedures.inlined(rules.relation(name, 1));
  };
  EXPECT_TRUE(inlined("small"));
  EXPECT_TRUE(inlined("nested"));
  EXPECT_FALSE(inlined("large")) << "six literals";
  EXPECT_FALSE(inlined("circle"));
  EXPECT_FALSE(inlined("static")) << "its table lasts";
  EXPECT_FALSE(inlined("asks")) << "a place that must be given";
  EXPECT_FALSE(inlined("q")) << "stored";
  Choices few, whole;
  few.inline_size = 2;
  whole.whole.resize(rules.clauses().size());
  whole.whole[rules.relation("small", 1)] = true;
  EXPECT_FALSE(
      Procedures(rules.program(), rules.clauses(), few).inlined(rules.relation("nested", 1)));
  EXPECT_FALSE(
      Procedures(rules.program(), rules.clauses(), whole).inlined(rules.relation("small", 1)));
}

TEST(Procedures, AreUnfoldedWhereTheyAreOneShortClause) {
  CompiledRules rules(R"((<= (thin ?x) (true (f ?x)) (distinct ?x 1))
    (<= (two ?x) (true (f ?x))) (<= (two ?x) (true (g ?x)))
    (<= (calls ?x) (two ?x)) (<= (calls_two ?x) (two ?x) (two ?x) (thin ?x))
    (<= (long ?x) (true (f ?x)) (true (g ?x)) (true (h ?x)) (true (i ?x)))
    (<= (open ?x ?y) (true (f ?x))))");
  Procedures procedures(rules.program(), rules.clauses(), {});
  const auto unfolded = [&](const char* name, std::uint32_t arity = 1) {
    return procedures.unfolded(rules.relation(name, arity));
  };
  EXPECT_TRUE(unfolded("thin"));
  EXPECT_FALSE(unfolded("two")) << "two clauses";
  EXPECT_TRUE(unfolded("calls"));
  EXPECT_FALSE(unfolded("calls_two")) << "more than one literal that is derived";
  EXPECT_FALSE(unfolded("long"));
  EXPECT_FALSE(unfolded("open", 2)) << "a place that must be given";
  Choices none;
  none.unfold_size = 0;
  EXPECT_FALSE(
      Procedures(rules.program(), rules.clauses(), none).unfolded(rules.relation("thin", 1)));
}

TEST(Choices, SayOfARelationThatTheyDoNotKnowThatItIsNotWhole) {
  EXPECT_FALSE(Choices().is_whole(3));
  EXPECT_FALSE((Choices{{true}, 5, 3}).is_whole(1));
  EXPECT_TRUE((Choices{{true}, 5, 3}).is_whole(0));
}

/// Every way of compiling gives the same answers.
class EveryChoice : public testing::TestWithParam<Choices> {
 protected:
  /// Relation by name, evaluated whole or not as the parameter says of the first.
  static Choices choices(const CompiledRules& rules, const char* name, std::uint32_t arity) {
    Choices out = GetParam();
    if (!out.whole.empty()) {
      out.whole.assign(rules.rules().relations.size(), false);
      out.whole[rules.relation(name, arity)] = true;
    }
    return out;
  }
};

constexpr const char* kFamily = R"(
  (parent ann bob) (parent bob cid) (parent bob dan) (parent cid eve) (parent zoe dan)
  (<= (here ?x) (true (in ?x))) (<= (pair ?x ?y) (here ?x) (parent ?x ?y) (here ?y))
  (<= (above ?x ?y) (pair ?x ?y)) (<= (above ?x ?z) (pair ?x ?y) (above ?y ?z))
  (<= (lonely ?x) (here ?x) (not (pair ?x ?y)) (not (pair ?z ?x)))
  (<= (answer ?y) (above ann ?y)) (<= (answer ?x) (lonely ?x) (distinct ?x zoe))
  (<= (asked ?x) (true (in ?x)) (above ann ?x)))";

TEST_P(EveryChoice, GivesTheSameAnswers) {
  CompiledRules rules(kFamily);
  const Choices choices = this->choices(rules, "above", 2);
  const ProcedureId answer = rules.compile("answer", "f", choices);
  const ProcedureId bound = rules.compile("answer", "b", choices);
  const ProcedureId exists = rules.compile("answer", "e", choices);
  const ProcedureId asked = rules.compile("asked", "f", choices);
  Asked asks(rules);
  const FunctorId in = rules.program().terms.functor(*rules.rules().symbols.find("in"), 1);
  const auto state = [&](const Names& names) {
    std::vector<TermId> fluents;
    for (const std::string& name : names) {
      const TermId person = rules.constant(name);
      fluents.push_back(rules.program().terms.compound(in, &person));
    }
    ASSERT_TRUE(asks.evaluation().load(fluents));
  };
  state({"ann", "bob", "cid", "zoe"});
  EXPECT_EQ(asks(answer), (Names{"bob", "cid"})) << "zoe has nobody here, and is left out";
  EXPECT_EQ(asks(asked), (Names{"bob", "cid"}));
  EXPECT_TRUE(asks.holds(bound, {rules.constant("cid")}));
  EXPECT_FALSE(asks.holds(bound, {rules.constant("dan")}));
  EXPECT_TRUE(asks.holds(exists));
  state({"eve", "ann"});
  EXPECT_EQ(asks(answer), (Names{"ann", "eve"})) << "another state, nothing of the first";
  EXPECT_EQ(asks(asked), Names{});
  state({});
  EXPECT_FALSE(asks.holds(exists));
}

/// `val` waits for its own negation, by name, but for other arguments.
TEST_P(EveryChoice, GivesTheSameAnswersWhereARelationNeedsItsOwnNegation) {
  CompiledRules rules(R"((cell a) (cell b) (<= (val ?x 1) (true (in ?x)))
    (<= (val ?x 0) (cell ?x) (not (val ?x 1))) (<= (answer ?x) (cell ?x) (val ?x 0)))");
  const ProcedureId answer = rules.compile("answer", "f", choices(rules, "val", 2));
  const FunctorId in = rules.program().terms.functor(*rules.rules().symbols.find("in"), 1);
  const TermId b = rules.constant("b"), fluent = rules.program().terms.compound(in, &b);
  Asked asks(rules);
  ASSERT_TRUE(asks.evaluation().load({&fluent, 1}));
  EXPECT_EQ(asks(answer), Names{"a"});
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryChoice,
                         testing::Values(Choices{{}, 5, 3}, Choices{{}, 0, 0}, Choices{{}, 12, 6},
                                         Choices{{true}, 5, 3}, Choices{{true}, 0, 0}),
                         [](const auto& tested) {
                           return (tested.param.whole.empty() ? "calls" : "whole") +
                                  std::to_string(tested.param.inline_size) + "_" +
                                  std::to_string(tested.param.unfold_size);
                         });

}  // namespace
}  // namespace ludens::gdl::interpreter
