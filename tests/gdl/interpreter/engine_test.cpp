// SPDX-License-Identifier: MIT
// The engine by way of one state's evaluation: answers, tables, work, stops and memory.
#include "gdl/interpreter/engine.h"

#include <gtest/gtest.h>

#include "gdl/interpreter/workspace.h"
#include "tests/gdl/interpreter/compiled_rules.h"

namespace ludens::gdl::interpreter {
namespace {

using Names = std::vector<std::string>;

/// A chain of this many steps, and what is reached along it.
std::string chain(int steps) {
  std::string text =
      "(<= (reach ?y) (true start) (step 0 ?y)) (<= (reach ?z) (reach ?y) (step ?y ?z))";
  for (int i = 0; i < steps; ++i) {
    text += "(step " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return text;
}

class Now final : public StopSignal {
 public:
  [[nodiscard]] bool stop_requested() const noexcept override { return stop; }
  bool stop = true;
};

TEST(Engine, AnswersInTheOrderOfTheClausesAndTheirRows) {
  CompiledRules rules("(<= (p ?x) (q ?x) (true now)) (<= (p ?x) (r ?x)) (q 3) (q 1) (r 2) (r 3)");
  const ProcedureId p = rules.compile("p", "f");
  Asked asks(rules);
  const std::vector<TermId> now{rules.constant("now")};
  ASSERT_TRUE(asks.evaluation().load(now));
  EXPECT_EQ(asks.ordered(p), (Names{"3", "1", "2"})) << "each once, where it came first";
}

TEST(Engine, KeepsTheAnswersOfAStateUntilTheNextIsLoaded) {
  CompiledRules rules(chain(500));
  const ProcedureId reach = rules.compile("reach", "f");
  Asked asks(rules);
  StateEvaluation& evaluation = asks.evaluation();
  const std::vector<TermId> start{rules.constant("start")};
  ASSERT_TRUE(evaluation.load(start));
  EXPECT_EQ(asks(reach).size(), 500U);
  const std::uint64_t once = evaluation.work();
  EXPECT_EQ(asks(reach).size(), 500U);
  EXPECT_EQ(evaluation.work(), once) << "a table was looked up";
  ASSERT_TRUE(evaluation.load(start));
  EXPECT_EQ(asks(reach).size(), 500U);
  EXPECT_GT(evaluation.work(), once);
}

TEST(Engine, KeepsTheTablesOfAStateWhenAnotherMoveIsAsked) {
  CompiledRules rules(
      "(role a) (<= (both ?x ?y) (true ?x) (does a ?y)) (<= (state ?x) (true ?x)) m n");
  const ProcedureId both = rules.compile("both", "ef");
  const ProcedureId state = rules.compile("state", "f");
  Asked asks(rules);
  const std::vector<TermId> fluents{rules.constant("m")}, first{rules.constant("m")},
      second{rules.constant("n")};
  ASSERT_TRUE(asks.evaluation().load(fluents));
  EXPECT_EQ(asks(both), Names{}) << "no move is known yet";
  ASSERT_TRUE(asks.evaluation().load_moves(first));
  EXPECT_EQ(asks(both), Names{"m"});
  EXPECT_EQ(asks(state), Names{"m"});
  ASSERT_TRUE(asks.evaluation().load_moves(second));
  EXPECT_EQ(asks(both), Names{"n"});
  const Memo& memo = *asks.evaluation().tables().memos[state];
  const auto& epochs = asks.evaluation().tables().epochs;
  EXPECT_EQ(memo.call_count(epochs[static_cast<int>(Level::State)]), 1U) << "still there";
}

TEST(Engine, GivesUpAtItsWorkAndGoesOnWithMore) {
  CompiledRules rules(chain(5'000));
  const ProcedureId reach = rules.compile("reach", "f");
  Asked asks(rules);
  const std::vector<TermId> start{rules.constant("start")};
  ASSERT_TRUE(asks.evaluation().load(start));
  asks.evaluation().limit_work(4'000);
  EXPECT_EQ(asks(reach), Names{"none"});
  const std::uint64_t cut = asks.evaluation().work();
  asks.evaluation().limit_work(Asked::kMuch);
  EXPECT_EQ(asks(reach).size(), 5'000U) << "unfinished tables were forgotten";
  EXPECT_GT(asks.evaluation().work() - cut, cut) << "most of it was left";
}

TEST(Engine, CountsTheSameWorkWheneverItDoesTheSame) {
  std::uint64_t work[2];
  for (std::uint64_t& w : work) {
    CompiledRules rules(chain(3'000));
    const ProcedureId reach = rules.compile("reach", "f");
    Asked asks(rules);
    const std::vector<TermId> start{rules.constant("start")};
    ASSERT_TRUE(asks.evaluation().load(start));
    asks(reach);
    w = asks.evaluation().work();
  }
  EXPECT_EQ(work[0], work[1]);
  EXPECT_GT(work[0], 3'000U) << "a step for each answer at least";
}

TEST(Engine, AnswersNothingMoreOnceItWasStopped) {
  CompiledRules rules(chain(5'000));
  const ProcedureId reach = rules.compile("reach", "f");
  Now now;
  Asked asks(rules, {&now, nullptr});
  const std::vector<TermId> start{rules.constant("start")};
  ASSERT_TRUE(asks.evaluation().load(start));
  EXPECT_EQ(asks(reach), Names{"none"});
  now.stop = false;
  EXPECT_EQ(asks(reach), Names{"none"}) << "the loader has to come to an end";
}

TEST(Engine, IsOutOfMemoryAsAValueAndReturnsAllOfIt) {
  CompiledRules rules("(<= (n z) (true start)) (<= (n (s ?x)) (n ?x))");
  const ProcedureId endless = rules.compile("n", "f");
  MemoryBudget budget(std::size_t{2} << 20);
  {
    Asked asks(rules, {nullptr, &budget});
    const std::vector<TermId> start{rules.constant("start")};
    ASSERT_TRUE(asks.evaluation().load(start));
    asks.evaluation().limit_work(~std::uint64_t{0} / 2);
    EXPECT_EQ(asks(endless), Names{"none"});
    EXPECT_LE(budget.used(), budget.limit());
    EXPECT_FALSE(asks.evaluation().load(start)) << "what the tables hold means nothing any more";
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Engine, SpendsWorkThatWasDoneElsewhere) {
  CompiledRules rules("(<= p (true start))");
  const ProcedureId p = rules.compile("p", "");
  Asked asks(rules);
  StateEvaluation& evaluation = asks.evaluation();
  ASSERT_TRUE(evaluation.load({}));
  evaluation.limit_work(100);
  EXPECT_TRUE(evaluation.spend(99));
  EXPECT_FALSE(evaluation.spend(1)) << "all of it is spent";
  std::uint32_t call = 0;
  EXPECT_FALSE(evaluation.evaluate(p, nullptr, call));
  evaluation.limit_work(10'000);
  EXPECT_TRUE(evaluation.evaluate(p, nullptr, call)) << "the limit is from now on";
}

/// Negation below recursion, by the answers that complete tables have.
TEST(Engine, AsksANegationOnlyWhenTheCircleBelowItIsComplete) {
  CompiledRules rules(R"((edge 1 2) (edge 2 1) (edge 3 4) (node 1) (node 2) (node 3) (node 4)
    (<= (path ?x ?y) (edge ?x ?y) (true on)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
    (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)) (distinct ?x ?y))
    (<= (lost ?x) (node ?x) (not (path ?x ?x))) on)");
  const ProcedureId lost = rules.compile("lost", "f"), apart = rules.compile("apart", "bf");
  Asked asks(rules);
  const std::vector<TermId> on{rules.constant("on")};
  ASSERT_TRUE(asks.evaluation().load(on));
  EXPECT_EQ(asks(lost), (Names{"3", "4"}));
  EXPECT_EQ(asks(apart, {rules.constant("3")}), (Names{"1", "2"}));
  ASSERT_TRUE(asks.evaluation().load({}));
  EXPECT_EQ(asks(lost), (Names{"1", "2", "3", "4"}));
}

// ---- what a context holds ----

TEST(Workspace, GivesAwayTheSlotThatWasNotUsedForLongest) {
  CompiledRules rules("(<= p (true start))");
  Account account(nullptr);
  Workspace workspace(static_cast<const Program&>(rules.program()), &account, 3);
  ASSERT_EQ(workspace.slot_count(), 3U);
  for (int i = 0; i < 3; ++i) workspace.touch(workspace.slot(static_cast<std::size_t>(i)));
  workspace.touch(workspace.slot(0));
  EXPECT_EQ(&workspace.oldest_slot(), &workspace.slot(1));
  EXPECT_EQ(&workspace.oldest_slot(), &workspace.slot(2)) << "slot 1 was just used";
  EXPECT_EQ(&workspace.oldest_slot(), &workspace.slot(0));
}

TEST(Workspace, EmptiesASlotThatIsGivenAway) {
  CompiledRules rules("(<= p (true start)) (<= p (true (f ?x)))");
  Account account(nullptr);
  Workspace workspace(static_cast<const Program&>(rules.program()), &account, 1);
  StateTables& tables = workspace.oldest_slot();
  const std::uint64_t epoch = tables.epochs[static_cast<int>(Level::State)];
  tables.loaded = true;
  tables.words = {1};
  tables.moves = {2};
  workspace.add_fluent(tables, rules.constant("start"));
  EXPECT_EQ(tables.rows[rules.program().any_fluent]->count(), 1U);
  StateTables& again = workspace.oldest_slot();
  ASSERT_EQ(&again, &tables);
  EXPECT_EQ(again.rows[rules.program().any_fluent]->count(), 0U);
  EXPECT_NE(again.epochs[static_cast<int>(Level::State)], epoch);
  EXPECT_FALSE(again.loaded);
  EXPECT_TRUE(again.words.empty());
  EXPECT_TRUE(again.moves.empty());
}

TEST(Workspace, FilesAFluentUnderAllAndUnderItsForm) {
  CompiledRules rules("(<= p (true start)) (<= p (true (f ?x ?y))) (<= p (q (g 1))) (q 2)");
  Account account(nullptr);
  Workspace workspace(static_cast<const Program&>(rules.program()), &account, 1);
  StateTables& tables = workspace.oldest_slot();
  TermStore& terms = workspace.terms();
  const TermId arguments[] = {rules.constant("1"), rules.constant("2")};
  const FunctorId f = terms.functor(*rules.rules().symbols.find("f"), 2);
  const FunctorId g = terms.functor(*rules.rules().symbols.find("g"), 1);
  const TermId cell = terms.compound(f, arguments), other = terms.compound(g, arguments);
  workspace.add_fluent(tables, rules.constant("start"));
  workspace.add_fluent(tables, cell);
  workspace.add_fluent(tables, other);
  const Program& program = rules.program();
  EXPECT_EQ(tables.rows[program.any_fluent]->count(), 3U);
  EXPECT_EQ(tables.rows[program.plain_fluent]->count(), 1U);
  const Rows& form = *tables.rows[program.fluents_of.at(f)];
  ASSERT_EQ(form.count(), 1U);
  EXPECT_EQ((std::vector<TermId>(form.row(0), form.row(0) + 3)),
            (std::vector<TermId>{arguments[0], arguments[1], cell}));
  EXPECT_FALSE(program.fluents_of.contains(g)) << "no rule asks for it";
}

}  // namespace
}  // namespace ludens::gdl::interpreter
