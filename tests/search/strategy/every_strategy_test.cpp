// SPDX-License-Identifier: MIT
// What holds for every strategy in the registry, on any machine: a legal move at once, an end when
// asked, memory given back.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/search/games/rulesheets.h"
#include "tests/search/learning/stopping_machine.h"
#include "tests/search/strategy/odd_machines.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

using std::chrono::milliseconds;

/// In which a strategy answers, however slow sanitizers and busy machines are. That it ends soon
/// after its deadline is counted in questions, by `AsksLittleOnceItIsStopped`.
constexpr auto kPatience = std::chrono::seconds(60);

std::vector<std::string> all_strategies() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return names;
}

/// A game in which the state grows for ever and never recurs.
std::shared_ptr<const gdl::Machine> endless() {
  return interpret(
      "(role a) (role b) (init (at 0)) (legal a l) (legal a r) (legal b l) (legal b r)"
      "(<= (next (at (s ?m ?n))) (true (at ?n)) (does a ?m) (does b ?x))"
      "(<= terminal (true never)) (goal a 50) (goal b 50)");
}

std::shared_ptr<const gdl::Machine> small_tree() {
  return *TreeMachine::parse(
      "(roles max min) (max (min (max 1 99) 12 8) (min 2 (max 4 6)) (min 14 5 2))");
}

class EveryStrategy : public testing::TestWithParam<std::string> {
 protected:
  /// The move chosen by the deadline; it must be legal.
  void expect_legal_move(const std::shared_ptr<const gdl::Machine>& machine,
                         std::chrono::milliseconds time, gdl::MemoryBudget* memory = nullptr,
                         const std::string& options = "") {
    const auto spec = parse_strategy(GetParam() + options);
    ASSERT_TRUE(spec.has_value()) << spec.error().text;
    Resources resources;
    resources.memory = memory;
    expect_legal_move(*make_strategy(*spec, resources).value(), machine, time);
  }
  void expect_legal_move(Strategy& strategy, const std::shared_ptr<const gdl::Machine>& machine,
                         std::chrono::milliseconds time) {
    Position position{machine, {}, 0, {}};
    const auto context = machine->make_context();
    ASSERT_EQ(machine->initial(*context, position.state), gdl::Status::Ok);
    std::vector<gdl::MoveId> legal;
    while (machine->legal(*context, position.state, 0, legal) != gdl::Status::Ok) {
    }
    Incumbent incumbent;
    auto choice = incumbent.get();
    // Where other programs take the processor, the legal moves may not be there by the deadline.
    for (; !choice && time < kPatience; time *= 2) {
      strategy.think(position, Deadline(std::chrono::steady_clock::now() + time), incumbent);
      choice = incumbent.get();
    }
    ASSERT_TRUE(choice.has_value());
    EXPECT_NE(std::ranges::find(legal, choice->move), legal.end());
    EXPECT_GE(choice->value, 0);
    EXPECT_LE(choice->value, 100);
  }
};

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy, testing::ValuesIn(all_strategies()),
                         [](const auto& strategy) { return strategy.param; });

TEST_P(EveryStrategy, ChoosesALegalMoveInASmallGame) {
  expect_legal_move(small_tree(), milliseconds(500));
}

TEST_P(EveryStrategy, EndsInTimeOnALargeGame) {
  expect_legal_move(interpret_bundled("connect_four"), milliseconds(60));
}

TEST_P(EveryStrategy, EndsInTimeOnAGameWithoutEnd) {
  expect_legal_move(endless(), milliseconds(60));
}

TEST_P(EveryStrategy, EndsWhenTheTokenSaysSo) {
  const auto machine = interpret_bundled("connect_four");
  auto made = make_strategy({GetParam(), {}}, {});
  auto& strategy = **made;
  Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  Incumbent incumbent;
  std::stop_source source;
  const auto start = std::chrono::steady_clock::now();
  std::jthread stopper([&] {
    do {
      std::this_thread::sleep_for(milliseconds(50));
    } while (!incumbent.get() && std::chrono::steady_clock::now() - start < kPatience);
    source.request_stop();
  });
  strategy.think(position, Deadline(source.get_token()), incumbent);
  EXPECT_TRUE(incumbent.get().has_value());
}

TEST_P(EveryStrategy, EndsInTimeOnASlowMachine) {
  const auto slow = std::make_shared<const SlowMachine>(small_tree(), milliseconds(20));
  expect_legal_move(slow, milliseconds(150));
}

TEST_P(EveryStrategy, OutlivesAPastDeadline) {
  const auto machine = small_tree();
  auto made = make_strategy({GetParam(), {}}, {});
  Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context({}), position.state), gdl::Status::Ok);
  std::vector<gdl::MoveId> legal;
  ASSERT_EQ(machine->legal(*machine->make_context({}), position.state, 0, legal), gdl::Status::Ok);
  Incumbent incumbent;
  (*made)->think(position, Deadline(std::chrono::steady_clock::now()), incumbent);
  const auto choice = incumbent.get();
  EXPECT_TRUE(!choice || std::ranges::find(legal, choice->move) != legal.end());
  expect_legal_move(**made, machine, milliseconds(50));
}

/// Of the 5 ms after its deadline, in questions to the machine, which take as long as the machine
/// and the processor make them: the interpreter answers several of these in 1 ms.
TEST_P(EveryStrategy, AsksLittleOnceItIsStopped) {
  constexpr std::uint64_t kMostQuestions = 64;
  for (const std::uint64_t at : {1, 2, 5, 20, 100, 500}) {
    const auto machine =
        std::make_shared<test::StoppingMachine>(interpret_bundled("connect_four"), at);
    auto made = make_strategy({GetParam(), {}}, {});
    Position position{machine, {}, 0, {}};
    ASSERT_EQ(machine->initial(*machine->make_context({}), position.state), gdl::Status::Ok);
    Incumbent incumbent;
    const auto latest = std::chrono::steady_clock::now() + kPatience;
    (*made)->think(position, Deadline(latest, machine->token()), incumbent);
    EXPECT_LE(machine->questions(), at + kMostQuestions) << at;
  }
}

TEST_P(EveryStrategy, PublishesInTheThreadOfTheCall) {
  Resources resources;
  resources.threads = 4;
  const auto strategy = make_strategy({GetParam(), {}}, resources).value();
  const auto machine = interpret_bundled("connect_four");
  Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context({}), position.state), gdl::Status::Ok);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> published = 0, elsewhere = 0;
  std::stop_source enough;
  Incumbent incumbent([&](bool) {
    elsewhere += std::this_thread::get_id() != caller;
    if (++published == 5) enough.request_stop();
  });
  strategy->think(
      position, Deadline(std::chrono::steady_clock::now() + milliseconds(500), enough.get_token()),
      incumbent);
  EXPECT_EQ(elsewhere, 0);
}

TEST_P(EveryStrategy, OutlivesAMachineThatRunsOutOfBudget) {
  for (const int every : {2, 3, 5, 7, 11, 23}) {
    const auto poor = std::make_shared<const PoorMachine>(small_tree(), every);
    auto made = make_strategy({GetParam(), {}}, {});
    Position position{poor, {}, 0, {}};
    ASSERT_EQ(poor->initial(*poor->make_context({}), position.state), gdl::Status::Ok);
    Incumbent incumbent;
    (*made)->think(position, Deadline(std::chrono::steady_clock::now() + milliseconds(50)),
                   incumbent);
    const auto choice = incumbent.get();
    EXPECT_TRUE(!choice || choice->move != gdl::kNoMove);
  }
}

/// Who called the strategy gets what one of its threads has thrown.
TEST_P(EveryStrategy, PassesOnWhatAMachineThrows) {
  const auto machine = interpret_bundled("connect_four_small");
  for (const int from : {3, 30, 300}) {
    Resources resources;
    resources.threads = 4;
    const auto strategy = make_strategy({GetParam(), {}}, resources).value();
    const auto throwing = std::make_shared<const ThrowingMachine>(machine, from);
    Position position{throwing, {}, 0, {}};
    ASSERT_EQ(throwing->initial(*throwing->make_context({}), position.state), gdl::Status::Ok);
    Incumbent incumbent;
    bool thrown = false;
    try {
      strategy->think(position, Deadline(std::chrono::steady_clock::now() + kPatience), incumbent);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown || incumbent.get());
  }
}

TEST_P(EveryStrategy, OutlivesAFlawedGame) {
  // After l, b has no legal move; after r the match ends and no role has a goal.
  const auto flawed = interpret(
      "(role a) (role b) (init s) (<= (legal a l) (true s)) (<= (legal a r) (true s))"
      "(<= (legal b n) (true s)) (<= (next u) (does a l)) (<= (next t) (does a r))"
      "(<= (legal a l) (true u)) (<= terminal (true t)) (<= (goal a 100) (true never))");
  expect_legal_move(flawed, milliseconds(100));
}

TEST_P(EveryStrategy, NeedsLittleMemoryAndGivesItBack) {
  gdl::MemoryBudget memory(std::size_t{3} << 20);
  expect_legal_move(interpret_bundled("connect_four"), milliseconds(100), &memory);
  EXPECT_EQ(memory.used(), 0U);
}

TEST_P(EveryStrategy, TheSameSeedGivesTheSameChoice) {
  // Capped by counts, not by the clock.
  const auto machine = interpret_bundled("connect_four_small");
  std::string options;
  for (const std::string option : {"seed=11", "depth=3", "playouts=200", "nodes=2000"}) {
    const std::string more = options + (options.empty() ? ":" : ",") + option;
    if (parse_strategy(GetParam() + more).has_value()) options = more;
  }
  const Choice first = think(machine, GetParam() + options);
  const Choice second = think(machine, GetParam() + options);
  EXPECT_EQ(first.move, second.move);
  EXPECT_EQ(first.value, second.value);
  EXPECT_EQ(first.nodes, second.nodes);
}

}  // namespace
}  // namespace ludens::search
