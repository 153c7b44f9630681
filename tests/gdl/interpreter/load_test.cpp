// SPDX-License-Identifier: MIT
// A rulesheet made ready: what becomes facts, what is known of the start, and what limits leave.
#include "gdl/interpreter/load.h"

#include <gtest/gtest.h>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "tests/gdl/interpreter/compiled_rules.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl::interpreter {
namespace {

using tests::StopAfter;

std::unique_ptr<const LoadedGame> loaded(const std::string& text, const Limits& limits = {}) {
  return load(*normalise_text(text).rules, limits);
}

/// Procedures that are asked again in every state.
std::size_t dynamic_procedures(const LoadedGame& game) {
  return static_cast<std::size_t>(std::ranges::count_if(
      game.program.procedures,
      [](const Procedure& p) { return p.level != Level::Static && p.relation >= kKeywordCount; }));
}

TEST(Load, FindsTheStateAtFirst) {
  const auto game = loaded(
      "(role a) (<= (init (at ?x)) (first ?x)) (first 1) (first 2) (init on) (legal a m)"
      "(<= terminal (true off)) (goal a 0)");
  ASSERT_TRUE(game->initial_fluents);
  EXPECT_EQ(game->initial_fluents->size(), 3U);
  EXPECT_EQ(game->program.roles.size(), 1U);
}

TEST(Load, KnowsNoStateAtFirstWhereDerivingItHasNoEnd) {
  MemoryBudget budget(std::size_t{4} << 20);
  const auto game = loaded(
      "(role a) (init (n z)) (<= (init (n (s ?x))) (init (n ?x))) (legal a m)"
      "(<= terminal (true off)) (goal a 0)",
      {nullptr, &budget});
  EXPECT_FALSE(game->initial_fluents) << "the machine will say that it is over budget";
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Load, DerivesStaticRelationsOnceAndKeepsThemAsFacts) {
  const std::string rules =
      "(role a) (init (at 1)) (succ 1 2) (succ 2 3)"
      "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))"
      "(<= (legal a (go ?y)) (true (at ?x)) (less ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))"
      "(<= terminal (true (at 3))) (goal a 0)";
  const auto parsed = normalise_text(rules).rules;
  const auto game = load(*parsed, {});
  const std::uint32_t less = *parsed->find_relation("less", 2);
  const auto plays = [&](const LoadedGame& g) {
    return std::ranges::count_if(g.program.procedures, [&](const Procedure& p) {
      return p.relation == less && p.key_width != 0;
    });
  };
  EXPECT_EQ(plays(*game), 0) << "no plan asks for it call by call";
  const bool stored = std::ranges::any_of(game->program.storages, [](const auto& storage) {
    return storage.rows && storage.rows->width() == 2 && storage.rows->count() == 3;
  });
  EXPECT_TRUE(stored) << "1<2, 2<3, 1<3";
}

TEST(Load, LeavesWhatPlayNeverAsks) {
  const auto game = loaded(
      "(role a) (init p) (legal a m) (<= terminal (true q)) (goal a 0)"
      "(<= (base (f ?x ?y ?z)) (d ?x) (d ?y) (d ?z)) (<= (unused ?x) (true ?x)) (d 1) (d 2)");
  EXPECT_EQ(dynamic_procedures(*game), 0U);
  for (const Program::Storage& storage : game->program.storages) {
    if (!storage.rows) continue;
    EXPECT_LE(storage.rows->count(), 2U) << "nobody derived what 'base' says";
  }
}

TEST(Load, BuildsAllIndicesOfFactsSoThatThreadsMayShareThem) {
  const auto game = loaded(
      "(role a) (init (at 1)) (edge 1 2) (edge 2 1) (legal a m)"
      "(<= (next (at ?y)) (true (at ?x)) (edge ?x ?y)) (<= terminal (true (at ?x)) (edge ?y ?x))"
      "(goal a 0)");
  std::size_t indices = 0;
  for (const Op& op : game->program.ops) {
    if (op.kind != Op::Kind::Lookup) continue;
    const Program::Storage& storage = game->program.storages[op.subject];
    if (storage.level != Level::Static) continue;
    ++indices;
    EXPECT_TRUE(storage.rows->index(op.index).built());
  }
  EXPECT_GT(indices, 0U) << "the edges are looked up by an end";
}

/// A chain of relations of one literal each, all of which could be evaluated in place.
std::string chain(int relations, const std::string& arguments) {
  std::string text = "(role a) (init x) (legal a m) (goal a 0) (<= (p" + std::to_string(relations) +
                     arguments + ") (true x)) (<= terminal (not (p0" + arguments + ")))";
  for (int i = 0; i < relations; ++i) {
    text += "(<= (p" + std::to_string(i) + arguments + ") (p" + std::to_string(i + 1) + arguments +
            "))";
  }
  return text;
}

TEST(Load, RecursesOnNoChainOfRelations) {
  for (const char* arguments : {"", " 1"}) {
    const auto vocabulary =
        std::make_shared<Vocabulary>(normalise_text(chain(100'000, arguments)).rules);
    const auto machine = make_interpreter(vocabulary);
    const auto context = machine->make_context();
    State state;
    ASSERT_EQ(machine->initial(*context, state), Status::Ok);
    bool ended = true;
    ASSERT_EQ(machine->terminal(*context, state, ended), Status::Ok);
    EXPECT_FALSE(ended);
  }
}

/// Each step doubles a term; unfolded, all of them are written out.
std::string doubling(int steps) {
  std::string text = "(role a) (init (s 0)) (<= (legal a (big ?x)) (d" + std::to_string(steps) +
                     " ?x)) (<= terminal (true over)) (goal a 0) (<= (d0 b) (true (s 0)))";
  for (int i = 0; i < steps; ++i) {
    text += "(<= (d" + std::to_string(i + 1) + " (s ?x ?x)) (d" + std::to_string(i) + " ?x))";
  }
  return text;
}

TEST(Load, WritesOutNoTermThatIsTooLarge) {
  ASSERT_LT(loaded(doubling(14))->program.ops.size(), 5000U);
  EXPECT_LT(loaded(doubling(30))->program.ops.size(), 10'000U);
}

/// A rule of many literals, the negations of which have variables of their own.
std::string long_rule(int literals) {
  std::string text =
      "(role a) (init (at 1)) (d 1) (<= (b ?x) (true (at ?x)) (true (on ?x))) (goal a 0)"
      "(<= terminal (true over)) (<= (legal a (go ?x0)) (true (at ?x0))";
  for (int i = 0; i < literals; ++i) {
    text += "(d ?x" + std::to_string(i) + ") (not (b ?z" + std::to_string(i) + "))";
  }
  return text + ")";
}

/// The order of its literals took a time that grew with the cube of their number: minutes.
TEST(Load, OrdersTheLiteralsOfLongRules) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(long_rule(10'000)).rules);
  const auto machine = make_interpreter(vocabulary);
  const auto context = machine->make_context();
  State state;
  ASSERT_EQ(machine->initial(*context, state), Status::Ok);
  std::vector<MoveId> moves;
  ASSERT_EQ(machine->legal(*context, state, 0, moves), Status::Ok);
  EXPECT_EQ(moves.size(), 1U);
}

TEST(Load, LooksAtTheStopSignalWhileItCompiles) {
  std::string text = "(role a) (init (at 1)) (goal a 0) (<= terminal (true over))";
  for (int rule = 0; rule < 100; ++rule) {
    text += "(<= (legal a (go " + std::to_string(rule) + " ?x0))";
    for (int i = 0; i < 100; ++i) text += "(true (at ?x" + std::to_string(i) + "))";
    text += ")";
  }
  CompiledRules rules(text);
  StopAfter patient(1 << 30);
  (void)compile_play(rules.game(), rules.clauses(), {}, &patient);
  EXPECT_GT(patient.asked(), 100);
  StopAfter hasty(0);
  (void)compile_play(rules.game(), rules.clauses(), {}, &hasty);
  EXPECT_EQ(hasty.asked(), 1) << "and does what is left without weighing";
}

constexpr const char* kTowers = R"((role a) (init (on s 1)) (init (on m 1)) (init (on l 1))
  (smaller s m) (smaller s l) (smaller m l) (peg 1) (peg 2) (peg 3) (disc s) (disc m) (disc l)
  (<= (covered ?d ?p) (true (on ?e ?p)) (smaller ?e ?d))
  (<= (free ?d) (true (on ?d ?p)) (not (covered ?d ?p)))
  (<= (legal a (move ?d ?p)) (free ?d) (peg ?p) (not (covered ?d ?p)) (not (true (on ?d ?p))))
  (<= (next (on ?d ?p)) (does a (move ?d ?p)))
  (<= (moved ?d) (does a (move ?d ?p)))
  (<= (next (on ?d ?p)) (true (on ?d ?p)) (not (moved ?d)))
  (<= terminal (true (on s 3)) (true (on m 3)) (true (on l 3)))
  (<= (goal a 100) terminal) (<= (goal a 0) (not terminal)))";

/// Whatever was tried, and wherever trying was cut, the game is the same.
TEST(Load, PlaysTheSameGameWhereverItIsStopped) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kTowers).rules);
  const auto patient = make_interpreter(vocabulary);
  StopAfter counter(1 << 20);
  (void)make_interpreter(vocabulary, {&counter, nullptr});
  ASSERT_GT(counter.asked(), 3) << "the signal is looked at";
  for (int patience = 0; patience <= counter.asked(); patience += 1 + counter.asked() / 7) {
    StopAfter flag(patience);
    const auto hasty = make_interpreter(vocabulary, {&flag, nullptr});
    Rng rng(3);
    const Machine* others[] = {hasty.get()};
    const Agreement same = compare_machines(*patient, others, {.playouts = 3, .step_cap = 30}, rng);
    EXPECT_EQ(same.differences, std::vector<std::string>{}) << patience;
  }
}

TEST(Load, PlaysTheSameGameWithWhateverMemoryThereIsToLoad) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kTowers).rules);
  const auto rich = make_interpreter(vocabulary);
  for (const std::size_t bytes : {0, 70'000, 140'000, 300'000}) {
    MemoryBudget budget(bytes);
    const auto poor = make_interpreter(vocabulary, {nullptr, &budget});
    EXPECT_EQ(budget.used(), 0U) << "nothing of it is kept";
    Rng rng(4);
    const Machine* others[] = {poor.get()};
    const Agreement same = compare_machines(*rich, others, {.playouts = 3, .step_cap = 30}, rng);
    EXPECT_EQ(same.differences, std::vector<std::string>{}) << bytes;
  }
}

TEST(CompilePlay, CopiesItsBaseAndAsksForWhatPlayNeeds) {
  CompiledRules rules(kTowers);
  const std::size_t before = rules.program().procedures.size();
  const auto play = compile_play(rules.game(), rules.clauses(), {});
  EXPECT_EQ(rules.program().procedures.size(), before);
  const auto& procedures = play->program.procedures;
  EXPECT_EQ(procedures[play->terminal].relation, kTerminal);
  EXPECT_EQ(procedures[play->legal].relation, kLegal);
  EXPECT_EQ(procedures[play->legal].key_width, 1U);
  EXPECT_EQ(procedures[play->goal].width, 1U);
  EXPECT_EQ(procedures[play->next].relation, kNext);
  EXPECT_EQ(procedures[play->next].level, Level::Move);
}

}  // namespace
}  // namespace ludens::gdl::interpreter
