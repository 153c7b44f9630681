// SPDX-License-Identifier: MIT
// Stop signals, budgets, flaws, and what a context remembers.
#include <algorithm>
#include <atomic>
#include <thread>

#include "gdl/registry/machines.h"
#include "tests/gdl/interpreter/position.h"

namespace ludens::gdl {
namespace {

/// The legal moves never end; the state is harmless.
const std::string kEndless =
    "(role a) (init (p)) (<= (legal a (m ?x)) (true p) (n ?x)) (<= (n z) (true p))"
    "(<= (n (s ?x)) (n ?x)) (<= terminal (true over)) (goal a 0) (<= (next p) (does a ?m))";

class Flag final : public StopSignal {
 public:
  [[nodiscard]] bool stop_requested() const noexcept override { return ++asked_ > patience_; }
  void allow(int polls) {
    asked_ = 0;
    patience_ = polls;
  }

 private:
  mutable std::atomic<int> asked_{0};
  std::atomic<int> patience_{0};
};

TEST(InterpreterLimits, EndlessDerivationIsOverBudgetAndTheContextGoesOn) {
  MemoryBudget budget(std::size_t{4} << 20);
  {
    Position position(kEndless, {nullptr, &budget});
    std::vector<MoveId> moves;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(position.machine().legal(position.context(), position.state(), 0, moves),
                Status::OverBudget);
      EXPECT_FALSE(position.terminal());
      EXPECT_LE(budget.used(), budget.limit());
    }
  }
  EXPECT_EQ(budget.used(), 0U);
}

/// A legal move for each choice of five numbers below 40.
std::string many_moves() {
  std::string text = "(role a) (init p) (next p) (<= terminal (true over)) (goal a 0)";
  for (int i = 0; i < 40; ++i) text += "(d " + std::to_string(i) + ")";
  return text + "(<= (legal a (m ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))";
}

TEST(InterpreterLimits, SomeLegalMovesAreFoundWhereThereIsNoRoomForAll) {
  MemoryBudget budget(std::size_t{16} << 20);
  Position position(many_moves(), {nullptr, &budget});
  const Machine& machine = position.machine();
  std::vector<MoveId> moves;
  EXPECT_EQ(machine.legal(position.context(), position.state(), 0, moves), Status::OverBudget);
  for (int i = 0; i < 2; ++i) {  // the context goes on
    bool all = true;
    moves.clear();
    ASSERT_EQ(machine.some_legal(position.context(), position.state(), 0, moves, all), Status::Ok);
    EXPECT_FALSE(all);
    ASSERT_FALSE(moves.empty());
    EXPECT_TRUE(std::ranges::is_sorted(moves));
    for (const MoveId move : moves) {
      EXPECT_EQ(machine.vocabulary()->move_name(move).substr(0, 4), "( m ");
    }
  }
}

TEST(InterpreterLimits, SomeLegalMovesAreAllWhereThatIsSoon) {
  Position position(
      "(role a) (init p) (next p) (<= terminal (true over)) (goal a 0) (legal a x) (legal a y)");
  std::vector<MoveId> some, all_moves;
  bool all = false;
  ASSERT_EQ(position.machine().some_legal(position.context(), position.state(), 0, some, all),
            Status::Ok);
  EXPECT_TRUE(all);
  ASSERT_EQ(position.machine().legal(position.context(), position.state(), 0, all_moves),
            Status::Ok);
  EXPECT_EQ(some, all_moves);
}

TEST(InterpreterLimits, BudgetTooSmallForAnythingIsAValue) {
  MemoryBudget budget(1000);
  const auto machine = interpreter_of(kEndless);
  const auto context = machine->make_context({nullptr, &budget});
  State state;
  EXPECT_EQ(machine->initial(*context, state), Status::OverBudget);
  EXPECT_EQ(budget.used(), 0U);
}

TEST(InterpreterLimits, LimitsMayChangeBetweenCalls) {
  MemoryBudget small(1000), large(std::size_t{16} << 20);
  const auto machine = interpreter_of(kEndless);
  const auto context = machine->make_context({nullptr, &small});
  State state;
  EXPECT_EQ(machine->initial(*context, state), Status::OverBudget);
  context->limits.memory = &large;
  EXPECT_EQ(machine->initial(*context, state), Status::Ok);
  EXPECT_GT(large.used(), 0U);
  context->limits.memory = nullptr;
  EXPECT_EQ(machine->initial(*context, state), Status::Ok);
  EXPECT_EQ(large.used(), 0U);
}

TEST(InterpreterLimits, StopsInTheMiddleOfADerivation) {
  Flag flag;
  flag.allow(1000);
  Position position(kEndless, {&flag, nullptr});
  flag.allow(5);
  std::vector<MoveId> moves;
  EXPECT_EQ(position.machine().legal(position.context(), position.state(), 0, moves),
            Status::Stopped);
  flag.allow(1000);
  EXPECT_FALSE(position.terminal());
}

/// Legal moves take a while: all triples of a closure over the state.
std::string slow_game() {
  std::string text =
      "(role a) (<= (legal a (t ?x ?y ?z)) (path ?x ?y) (path ?y ?z))"
      "(<= (path ?x ?y) (true (edge ?x ?y)))"
      "(<= (path ?x ?z) (true (edge ?x ?y)) (path ?y ?z))"
      "(<= terminal (true over)) (goal a 0)";
  for (int i = 0; i < 20; ++i) {
    text += "(init (edge " + std::to_string(i) + " " + std::to_string((i + 1) % 20) + "))";
  }
  return text;
}

TEST(InterpreterLimits, StoppedCallMayBeMadeAgain) {
  Flag flag;
  flag.allow(1 << 20);
  Position position(slow_game(), {&flag, nullptr});
  std::vector<MoveId> moves;
  Status status = Status::Stopped;
  int polls = 1;
  for (; status != Status::Ok && polls < 1000; ++polls) {
    flag.allow(polls);
    status = position.machine().legal(position.context(), position.state(), 0, moves);
  }
  EXPECT_GT(polls, 3) << "the call should have been stopped a few times";
  EXPECT_EQ(moves.size(), 8000U);
}

TEST(InterpreterLimits, SignalIsSeenWithinAFewShortCalls) {
  Flag flag;
  flag.allow(1000);
  Position position(kEndless, {&flag, nullptr});
  flag.allow(0);
  bool ended = false;
  int calls = 0;
  while (position.machine().terminal(position.context(), position.state(), ended) == Status::Ok) {
    ASSERT_LT(++calls, 100);
  }
}

TEST(InterpreterLimits, CachesAreDroppedWhenTheyGrowLarge) {
  // Each step has a fluent never seen before; the context must not keep them all.
  MemoryBudget budget(std::size_t{1} << 20);  // outlives the context
  Position unlimited(
      "(role a) (init (n z)) (legal a m) (<= (next (n (s ?x))) (true (n ?x)))"
      "(<= terminal (true over)) (goal a 0)");
  unlimited.context().limits.memory = &budget;
  State now = unlimited.state(), after;
  std::vector<MoveId> moves;
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(unlimited.machine().legal(unlimited.context(), now, 0, moves), Status::Ok) << i;
    ASSERT_EQ(unlimited.machine().next(unlimited.context(), now, moves, after), Status::Ok) << i;
    std::swap(now, after);
    ASSERT_LE(budget.used(), budget.limit());
  }
}

/// Nothing depends on anything, so that the engine has nothing to do from the second state on.
const std::string kConstant = "(role r) (init (s 0)) (legal r go) (next (s 0)) (goal r 50)";

TEST(InterpreterLoading, RulesThatChangeNothingAreReady) {
  Position position(kConstant);
  EXPECT_EQ(position.legal(), (Names{"go"}));
  position.make({"go"});
  EXPECT_EQ(position.facts(), "( ( s 0 ) )");
  for (const char* none : {"", "(role r)", "(role r) (legal r go)", "(init a)"}) {
    EXPECT_NE(interpreter_of(none), nullptr);
  }
}

TEST(InterpreterLoading, ManyRolesThatChangeNothingAreReady) {
  std::string text = "(init (s 0)) (next (s 0)) (<= (legal ?r go) (role ?r))";
  for (int i = 0; i < 20'000; ++i) text += "(role r" + std::to_string(i) + ")";
  EXPECT_NE(interpreter_of(text), nullptr);
}

/// A machine of `slow_game` lists every move of the first position.
void expect_all_moves(const Machine& machine) {
  const auto context = machine.make_context();
  State state;
  ASSERT_EQ(machine.initial(*context, state), Status::Ok);
  std::vector<MoveId> moves;
  ASSERT_EQ(machine.legal(*context, state, 0, moves), Status::Ok);
  EXPECT_EQ(moves.size(), 8000U);
}

TEST(InterpreterLoading, AStopLeavesAMachineThatPlays) {
  Flag flag;  // says so from the first question on
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(slow_game()).rules);
  const auto machine = make_interpreter(vocabulary, {&flag, nullptr});
  expect_all_moves(*machine);
}

TEST(InterpreterLoading, SoDoesABudgetThatIsTooSmall) {
  MemoryBudget budget(1000);
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(slow_game()).rules);
  const auto machine = make_interpreter(vocabulary, {nullptr, &budget});
  EXPECT_EQ(budget.used(), 0U);
  expect_all_moves(*machine);
}

TEST(InterpreterLimits, AMillionAnswersAreLeftWhenToldToStop) {
  std::string text =
      "(role r) (init a) (<= terminal (true b)) (goal r 0) (<= (next a) (true a))"
      "(<= (legal r (play ?x ?y)) (mv ?x) (mv ?y) (true a))";
  for (int i = 0; i < 500; ++i) text += "(mv " + std::to_string(i) + ")";
  Flag flag;
  flag.allow(1 << 30);
  Position position(text, {&flag, nullptr});
  std::vector<MoveId> moves;
  ASSERT_EQ(position.machine().legal(position.context(), position.state(), 0, moves), Status::Ok);
  ASSERT_EQ(moves.size(), 250'000U);
  flag.allow(5);  // the answers are known, and are listed once more
  EXPECT_EQ(position.machine().legal(position.context(), position.state(), 0, moves),
            Status::Stopped);
}

TEST(InterpreterFlaws, GoalsMissingDoubledAndNoNumbersAtTheEnd) {
  Position position(
      "(role a) (role b) (role c) (role d) (init (p)) (legal ?r m) (goal b 30)"
      "(goal b 70) (goal c win) (goal d (f 1)) (<= terminal (true q))"
      "(<= (next q) (does a m))");
  EXPECT_EQ(position.goals(), (std::vector{0, 70, 0, 0}));
  EXPECT_TRUE(position.context().flaws.empty()) << "not the end";
  position.make({"m", "m", "m", "m"});
  EXPECT_EQ(position.goals(), (std::vector{0, 70, 0, 0}));
  EXPECT_EQ(position.goals(), (std::vector{0, 70, 0, 0}));
  ASSERT_EQ(position.context().flaws.size(), 4U) << "each once";
  EXPECT_EQ(position.context().flaws[0].kind, Flaw::Kind::GoalMissing);
  EXPECT_EQ(position.context().flaws[1].kind, Flaw::Kind::GoalDoubled);
  EXPECT_EQ(position.context().flaws[2].kind, Flaw::Kind::GoalNotANumber);
  EXPECT_EQ(position.context().flaws[3].kind, Flaw::Kind::GoalNotANumber);
  EXPECT_EQ(position.context().flaws[3].state, "( q )");
}

TEST(InterpreterFlaws, RoleWithoutLegalMove) {
  Position position(
      "(role a) (role b) (init (p 1)) (legal a m) (<= terminal (true over))"
      "(goal a 0) (goal b 0)");
  EXPECT_TRUE(position.legal(1).empty());
  ASSERT_EQ(position.context().flaws.size(), 1U);
  EXPECT_EQ(position.context().flaws[0].kind, Flaw::Kind::NoLegalMove);
  EXPECT_EQ(position.context().flaws[0].role, 1U);
  EXPECT_EQ(position.context().flaws[0].state, "( ( p 1 ) )");
}

TEST(InterpreterFlaws, NoLegalMoveAtTheEndIsNoFlaw) {
  Position position(
      "(role a) (init over) (<= (legal a m) (not (true over)))"
      "(<= terminal (true over)) (goal a 0)");
  EXPECT_TRUE(position.legal().empty());
  EXPECT_TRUE(position.context().flaws.empty());
}

const std::string kCounter =
    "(role a) (init (n 0)) (<= (legal a (add ?x)) (digit ?x))"
    "(<= (next (n ?z)) (true (n ?y)) (does a (add ?x)) (sum ?y ?x ?z))"
    "(<= terminal (true (n 3))) (<= (goal a ?x) (true (n ?x))) (digit 1) (digit 2)"
    "(sum 0 1 1) (sum 0 2 2) (sum 1 1 2) (sum 1 2 3) (sum 2 1 3) (sum 2 2 3)";

TEST(InterpreterStates, SameAnswersInAnyOrderOfStates) {
  Position position(kCounter);
  const Machine& machine = position.machine();
  Machine::Context& context = position.context();
  std::vector<MoveId> moves;
  ASSERT_EQ(machine.legal(context, position.state(), 0, moves), Status::Ok);
  // Breadth-first over all states, several times: tables of more states than the context keeps.
  for (int round = 0; round < 3; ++round) {
    std::vector<State> layer{position.state()};
    std::vector<std::string> seen;
    for (int depth = 0; depth < 3; ++depth) {
      std::vector<State> below;
      for (const State& state : layer) {
        seen.push_back(machine.print(context, state));
        bool ended = false;
        ASSERT_EQ(machine.terminal(context, state, ended), Status::Ok);
        EXPECT_EQ(ended, seen.back() == "( ( n 3 ) )");
        if (ended) continue;
        for (const MoveId& move : moves) {
          below.emplace_back();
          ASSERT_EQ(machine.next(context, state, JointMove(&move, 1), below.back()), Status::Ok);
        }
      }
      layer = below;
    }
    EXPECT_EQ(seen, (Names{"( ( n 0 ) )", "( ( n 1 ) )", "( ( n 2 ) )", "( ( n 2 ) )",
                           "( ( n 3 ) )", "( ( n 3 ) )", "( ( n 3 ) )"}));
  }
}

TEST(InterpreterStates, EqualPositionsAreEqualStates) {
  Position one(kCounter);
  one.make({"( add 1 )"});
  one.make({"( add 1 )"});
  const State first = one.state();
  Position two(kCounter);
  two.make({"( add 2 )"});
  EXPECT_EQ(one.facts(), two.facts());
  const auto& machine = one.machine();
  State initial, after;
  ASSERT_EQ(machine.initial(one.context(), initial), Status::Ok);
  const auto move = machine.vocabulary()->find_move("( add 2 )");
  ASSERT_TRUE(move);
  ASSERT_EQ(machine.next(one.context(), initial, JointMove(&*move, 1), after), Status::Ok);
  EXPECT_TRUE(StateView(after) == StateView(first));
  EXPECT_EQ(hash(after), hash(first));
}

TEST(InterpreterStates, ThreadsShareAMachine) {
  const auto machine = interpreter_of(kCounter);
  std::vector<std::uint64_t> sums(4);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t& sum : sums) {
      threads.emplace_back([&machine, &sum] {
        const auto context = machine->make_context();
        State initial;
        if (machine->initial(*context, initial) != Status::Ok) return;
        Rng rng(7);
        PlayoutSums out;
        const std::vector<StateView> starts{initial};
        if (machine->playouts(*context, starts, {200, 100}, rng, out) != Status::Ok) return;
        sum = out.goals[0];
      });
    }
  }
  for (const std::uint64_t sum : sums) EXPECT_EQ(sum, 600U);
}

}  // namespace
}  // namespace ludens::gdl
