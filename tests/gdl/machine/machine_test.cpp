// SPDX-License-Identifier: MIT
// The defaults of the machine interface, and the table of machines.
#include "gdl/machine/machine.h"

#include "gdl/machine/agreement.h"
#include "gdl/registry/machines.h"
#include "tests/gdl/interpreter/position.h"
#include "tests/gdl/machine/jumps.h"

namespace ludens::gdl {
namespace {

/// Two roles take turns to add 1 or 2; who makes it 4 or more has won.
const std::string kRace =
    "(role a) (role b) (init (n 0)) (init (turn a))"
    "(<= (legal ?r (add ?x)) (true (turn ?r)) (digit ?x)) (digit 1) (digit 2)"
    "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))"
    "(<= (next (n ?z)) (does ?r (add ?x)) (true (n ?y)) (sum ?y ?x ?z))"
    "(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))"
    "(<= terminal (true (n 4)))"
    "(<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))"
    "(sum 0 1 1) (sum 0 2 2) (sum 1 1 2) (sum 1 2 3) (sum 2 1 3) (sum 2 2 4) (sum 3 1 4)"
    "(sum 3 2 4)";

std::vector<MoveId> ids(const Machine& machine, const Names& names) {
  std::vector<MoveId> moves;
  for (const std::string& name : names) {
    const auto id = machine.vocabulary()->find_move(name);
    EXPECT_TRUE(id) << name;
    moves.push_back(id.value_or(kNoMove));
  }
  return moves;
}

TEST(MachineDefaults, ExpansionSaysWhatSingleCallsSay) {
  Position position(kRace);
  (void)position.legal(0);
  (void)position.legal(1);
  const Machine& machine = position.machine();
  State second, third;
  const auto first_move = ids(machine, {"( add 2 )", "wait"});
  ASSERT_EQ(machine.next(position.context(), position.state(), first_move, second), Status::Ok);
  std::vector<MoveId> legal;
  ASSERT_EQ(machine.legal(position.context(), second, 0, legal), Status::Ok);
  ASSERT_EQ(machine.legal(position.context(), second, 1, legal), Status::Ok);
  const auto winning = ids(machine, {"wait", "( add 2 )"});
  const std::vector<StateMove> pairs{{position.state(), first_move}, {second, winning}};
  Expansion out;
  for (int reuse = 0; reuse < 2; ++reuse) {
    ASSERT_EQ(machine.expand(position.context(), pairs, out), Status::Ok);
    ASSERT_EQ(out.states.size(), 2U);
    EXPECT_TRUE(out.states[0] == StateView(second));
    EXPECT_EQ(out.terminal, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(out.goals, (std::vector<std::uint8_t>{0, 0, 0, 100}));
    EXPECT_EQ(out.legal(0, 0, 2).size(), 1U);
    EXPECT_EQ(out.legal(0, 1, 2).size(), 2U);
    EXPECT_TRUE(out.legal(1, 0, 2).empty());
    EXPECT_TRUE(out.legal(1, 1, 2).empty());
    EXPECT_EQ(out.begin.size(), 5U);
  }
}

TEST(MachineDefaults, PlayoutsSumGoalsPerStart) {
  Position position(kRace);
  const Machine& machine = position.machine();
  const std::vector<StateView> starts{position.state(), position.state()};
  PlayoutSums out;
  Rng rng(3);
  ASSERT_EQ(machine.playouts(position.context(), starts, {50, 100}, rng, out), Status::Ok);
  EXPECT_EQ(out.playouts, (std::vector<std::uint32_t>{50, 50}));
  EXPECT_EQ(out.goals[0] + out.goals[1], 5000U);
  EXPECT_EQ(out.goals[2] + out.goals[3], 5000U);
  EXPECT_EQ(out.cut, 0U);
  EXPECT_GE(out.steps, 200U);
  EXPECT_LE(out.steps, 400U);
}

TEST(MachineDefaults, SameSeedSamePlayouts) {
  std::vector<std::uint64_t> goals[2];
  for (auto& sums : goals) {
    Position position(kRace);
    PlayoutSums out;
    Rng rng(11);
    const std::vector<StateView> starts{position.state()};
    ASSERT_EQ(position.machine().playouts(position.context(), starts, {100, 100}, rng, out),
              Status::Ok);
    sums = out.goals;
  }
  EXPECT_EQ(goals[0], goals[1]);
}

TEST(MachineDefaults, PlayoutsAreCutAtTheCap) {
  Position position(kRace);
  PlayoutSums out;
  Rng rng(3);
  const std::vector<StateView> starts{position.state()};
  ASSERT_EQ(position.machine().playouts(position.context(), starts, {10, 1}, rng, out), Status::Ok);
  EXPECT_EQ(out.cut, 10U);
  EXPECT_EQ(out.steps, 10U);
  EXPECT_EQ(out.goals, (std::vector<std::uint64_t>{1000, 0})) << "after one move b is to play";
}

TEST(MachineDefaults, WalkerGoesForthAndBack) {
  Position position(kRace);
  (void)position.legal(0);
  (void)position.legal(1);
  const Machine& machine = position.machine();
  const auto walker = machine.walker(position.context());
  ASSERT_EQ(walker->reset(position.state()), Status::Ok);
  ASSERT_EQ(walker->step(ids(machine, {"( add 2 )", "wait"})), Status::Ok);
  std::vector<MoveId> legal;
  ASSERT_EQ(walker->legal(0, legal), Status::Ok);
  ASSERT_EQ(walker->legal(1, legal), Status::Ok);
  EXPECT_EQ(legal.size(), 2U);
  ASSERT_EQ(walker->step(ids(machine, {"wait", "( add 2 )"})), Status::Ok);
  bool ended = false;
  ASSERT_EQ(walker->terminal(ended), Status::Ok);
  EXPECT_TRUE(ended);
  std::vector<int> goals(2);
  ASSERT_EQ(walker->goals(goals), Status::Ok);
  EXPECT_EQ(goals, (std::vector{0, 100}));
  walker->undo();
  walker->undo();
  EXPECT_TRUE(walker->state() == StateView(position.state()));
}

TEST(MachineDefaults, FlawsAreReportedOnceARoleAndKind) {
  Machine::Context context(Limits{});
  context.report(Flaw::Kind::GoalMissing, 0, "( a )");
  context.report(Flaw::Kind::GoalMissing, 0, "( b )");
  context.report(Flaw::Kind::GoalMissing, 1, "( b )");
  context.report(Flaw::Kind::GoalDoubled, 0, "( b )");
  ASSERT_EQ(context.flaws.size(), 3U);
  EXPECT_EQ(context.flaws[0].state, "( a )");
}

TEST(Machines, AreMadeByName) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kRace).rules);
  const std::pair<const char*, const char*> names[] = {
      {"interpreter", "interpreter"}, {"scalar", "scalar"},
      {"sliced", "sliced"},           {"sliced:interpreted", "sliced"},
      {"sliced:generated", "sliced"}, {"sliced:sets", "sliced"},
      {"sliced:64", "sliced"},        {"auto", "sliced"}};
  for (const auto& [asked, given] : names) {
    const auto made = make_machine(asked, vocabulary);
    ASSERT_TRUE(made.has_value()) << asked;
    EXPECT_EQ((*made)->name(), given);
  }
  EXPECT_EQ(make_machine("interpeter", vocabulary).error().text,
            "unknown machine 'interpeter'; did you mean 'interpreter'?");
}

TEST(Machines, ALargeNetworkIsToldOfEarlyAndAgreesWithTheLast) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(tests::jumps()).rules);
  std::vector<std::shared_ptr<const Machine>> early;
  const auto made = make_machine("sliced", vocabulary, {}, [&](auto m) { early.push_back(m); });
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(early[0]->name(), "sliced");
  Rng rng(1);
  AgreementOptions options;
  options.playouts = 1;
  options.step_cap = 5;
  const Machine* others[] = {made->get()};
  EXPECT_EQ(compare_machines(*early[0], others, options, rng).differences,
            std::vector<std::string>{});
}

TEST(Machines, WhatANetworkMachineHoldsIsCountedWhileItLives) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(tests::jumps()).rules);
  MemoryBudget memory(std::size_t{1} << 30);
  std::size_t early = 0;
  {
    const auto made = make_machine("sliced", vocabulary, {nullptr, &memory},
                                   [&](const auto&) { early = memory.used(); });
    ASSERT_TRUE(made.has_value());
    const Machine& machine = **made;
    EXPECT_GT(early, 8 * machine.gates());
    const std::size_t held = memory.used();
    EXPECT_GT(held, 8 * machine.gates());
    EXPECT_LT(held, 4000 * machine.gates());
    {
      const auto context = machine.make_context({nullptr, &memory});
      State state;
      ASSERT_EQ(machine.initial(*context, state), Status::Ok);
      const StateView starts[] = {state};
      Rng rng(1);
      PlayoutSums sums;
      ASSERT_EQ(machine.playouts(*context, starts, {.per_start = 1}, rng, sums), Status::Ok);
      EXPECT_GT(memory.used(), held);
    }
    EXPECT_EQ(memory.used(), held);
  }
  EXPECT_EQ(memory.used(), 0U);
}

/// Asks a machine what follows from the initial state, one question after the other.
std::vector<Status> statuses(const Machine& machine, Machine::Context& context) {
  State state, next;
  EXPECT_EQ(machine.initial(context, state), Status::Ok);
  std::vector<MoveId> moves;
  std::vector<int> goals(machine.role_count());
  std::vector<PerceptId> percepts;
  bool terminal = false;
  std::vector<Status> all{machine.legal(context, state, 0, moves),
                          machine.terminal(context, state, terminal),
                          machine.goals(context, state, goals)};
  const std::vector<MoveId> joint(machine.role_count(), 0);
  all.push_back(machine.next(context, state, joint, next));
  all.push_back(machine.percepts(context, state, joint, 0, percepts));
  return all;
}

TEST(Machines, AContextCountsWhatQuestionsAboutOneStateTake) {
  const std::vector<Status> ok(5, Status::Ok), none(5, Status::OverBudget);
  for (const std::string& rules : {tests::jumps(), kRace}) {
    const auto vocabulary =
        std::make_shared<Vocabulary>(normalise_text(rules + "(<= (sees a ?m) (does a ?m))").rules);
    for (const char* name : {"scalar", "sliced"}) {
      SCOPED_TRACE(name);
      MemoryBudget memory(std::size_t{1} << 30);
      const auto machine = make_machine(name, vocabulary, {nullptr, &memory}).value();
      const std::size_t before = memory.used();
      {
        const auto context = machine->make_context({nullptr, &memory});
        EXPECT_EQ(statuses(*machine, *context), ok);
        EXPECT_GT(memory.used(), before + machine->gates() / 8);
        const std::size_t grown = memory.used();
        EXPECT_EQ(statuses(*machine, *context), ok);
        EXPECT_EQ(memory.used(), grown);
      }
      EXPECT_EQ(memory.used(), before);
      ASSERT_TRUE(memory.reserve(memory.limit() - before));
      const auto context = machine->make_context({nullptr, &memory});
      EXPECT_EQ(statuses(*machine, *context), none);
      EXPECT_EQ(memory.used(), memory.limit());
    }
  }
}

TEST(Machines, AMachineThatDoesNotFitIntoTheBudgetIsRefused) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(tests::jumps()).rules);
  MemoryBudget ample(std::size_t{1} << 30);
  std::size_t held = 0;
  {
    const auto made = make_machine("sliced", vocabulary, {nullptr, &ample});
    ASSERT_TRUE(made.has_value());
    held = ample.used();
  }
  ASSERT_TRUE(ample.reserve(ample.limit() - held / 2));
  const std::size_t before = ample.used();
  const auto refused = make_machine("sliced", vocabulary, {nullptr, &ample});
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().text, "memory is used up");
  EXPECT_EQ(ample.used(), before);
  EXPECT_EQ(make_machine("auto", vocabulary, {nullptr, &ample}).value()->name(), "interpreter");
}

TEST(Machines, ASmallNetworkIsNotToldOfEarly) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kRace).rules);
  bool told = false;
  (void)make_machine("sliced", vocabulary, {}, [&](auto) { told = true; });
  EXPECT_FALSE(told);
}

TEST(Machines, AGameThatCannotBeGroundedIsRefusedWithItsRuleAndPlayedByAuto) {
  const auto vocabulary = std::make_shared<Vocabulary>(
      normalise_text(
          "(role a) (init (n zero)) (legal a go)\n"
          "(<= (next (n (s ?x))) (true (n ?x)))\n(<= terminal (true (n one))) (goal a 0)")
          .rules);
  const auto refused = make_machine("sliced", vocabulary);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().text, "terms can grow without bound, at the rule in line 2");
  EXPECT_EQ(make_machine("auto", vocabulary).value()->name(), "interpreter");
}

}  // namespace
}  // namespace ludens::gdl
