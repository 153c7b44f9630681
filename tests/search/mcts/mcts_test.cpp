// SPDX-License-Identifier: MIT
#include "search/mcts/mcts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <thread>

#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

using namespace std::chrono_literals;
using gdl::MoveId;

constexpr MoveId kWait = TicTacToe::kWait;

std::uint64_t visits_below(const Choice& choice) {
  return std::accumulate(choice.root.begin(), choice.root.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const RootMove& m) { return sum + m.visits; });
}

TEST(Mcts, OnePlayoutIsEnoughForALegalMove) {
  const Choice choice = think(*strategy_of("mcts:playouts=1"), after_marks({}, 0));
  EXPECT_LT(choice.move, kWait);
  EXPECT_EQ(choice.root.size(), 9U);
  EXPECT_EQ(choice.iterations, 1U);
}

TEST(Mcts, WithoutTimeTheFirstLegalMoveStands) {
  const Position position = after_marks({4}, 1);
  const Choice choice =
      think(*strategy_of("mcts"), position, Deadline(std::chrono::steady_clock::now() + 0s));
  EXPECT_EQ(choice.move, 0U);
}

/// A node counts roles by a byte.
TEST(Mcts, TheFirstLegalMoveStandsWhereThereAreTooManyRolesForATree) {
  for (const std::size_t roles : {254, 255, 256, 300}) {
    std::string text = "(init begun) (<= terminal (not (true begun)))";
    for (std::size_t r = 0; r < roles; ++r) {
      const std::string role = "r" + std::to_string(r);
      text += "(role " + role + ") (legal " + role + " a) (legal " + role + " b) (goal " + role +
              " 50)";
    }
    const Position position =
        initial_position(machine_of(text, "interpreter"), static_cast<gdl::RoleIndex>(roles - 1));
    const Choice choice = think(*strategy_of("mcts:playouts=100,seed=1"), position);
    EXPECT_LT(choice.move, 2U);
    EXPECT_EQ(choice.iterations, roles <= 255 ? 100U : 0U) << roles;
  }
}

TEST(Mcts, TheSameSeedMakesTheSameSearch) {
  for (const char* spec :
       {"mcts:playouts=700,seed=5", "mcts:playouts=700,seed=5,leaves=8,batch=16"}) {
    const Choice a = think(*strategy_of(spec), after_marks({4}, 1));
    const Choice b = think(*strategy_of(spec), after_marks({4}, 1));
    EXPECT_EQ(a.move, b.move);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.variation, b.variation);
    for (std::size_t i = 0; i < a.root.size(); ++i) {
      EXPECT_EQ(a.root[i].visits, b.root[i].visits);
      EXPECT_EQ(a.root[i].value, b.root[i].value);
    }
  }
}

TEST(Mcts, EquallyGoodMovesAreTakenByTheTiesOption) {
  // One playout and nine moves that nothing is known of but one.
  EXPECT_EQ(think(*strategy_of("mcts:playouts=9,seed=1,ties=first,bounds=off,gamma=0"),
                  after_marks({}, 0))
                    .root[0]
                    .visits > 0,
            true);
  std::vector<MoveId> taken;
  for (int seed = 1; seed <= 20; ++seed) {
    taken.push_back(
        think(*strategy_of("mcts:playouts=1,seed=" + std::to_string(seed)), after_marks({}, 0))
            .move);
  }
  EXPECT_NE(std::ranges::count(taken, taken.front()), 20);
}

/// The first role draws at once by two of its moves; the third begins a long fight, of two ways in
/// turn, that it hardly ever wins.
class DrawOrFight final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<MoveId> legal(std::uint64_t state, gdl::RoleIndex role) const override {
    if (state == 0 && role == 0) return {0, 1, 2};
    if (state == 0 || turn(state) != role) return {3};
    return {0, 1};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    if (state == 0) return move[0] == 2 ? 1 : kDrawn;
    return (state + 1) | std::uint64_t{move[turn(state)]} << (8 + (state & 0xff));
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state == kDrawn) return std::vector{50, 50};
    if ((state & 0xff) < 25) return std::nullopt;
    return (state >> 9 & 0x7f) == 0x7f ? std::vector{100, 0} : std::vector{0, 100};
  }

 private:
  static constexpr std::uint64_t kDrawn = 0xff;
  static gdl::RoleIndex turn(std::uint64_t state) { return state % 2; }
};

TEST(Mcts, EquallyGoodMovesThatAreSettledAreTakenByTheTiesOption) {
  const Position position =
      initial_position(std::make_shared<NativeMachine>(std::make_shared<DrawOrFight>()));
  const auto chosen = [&](const std::string& ties, int seed) {
    const Choice choice =
        think(*strategy_of("mcts:playouts=1000,ties=" + ties + ",seed=" + std::to_string(seed)),
              position);
    EXPECT_GT(choice.root[2].visits, choice.root[0].visits + choice.root[1].visits);
    EXPECT_LT(choice.root[2].low, choice.root[2].high);
    EXPECT_EQ(choice.value, 50);
    return choice.move;
  };
  std::array<int, 3> taken{};
  for (int seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(chosen("first", seed), 0U);
    ++taken[chosen("random", seed)];
  }
  EXPECT_GT(taken[0], 0);
  EXPECT_GT(taken[1], 0);
}

TEST(Mcts, KeepsTheTreeBetweenMoves) {
  auto strategy = strategy_of("mcts:playouts=2000,seed=1,bounds=off");
  Position position = after_marks({}, 0);
  const Choice before = think(*strategy, position);
  ASSERT_EQ(visits_below(before), 2000U);
  const MoveId own = before.move;
  const MoveId reply = own == 4 ? 0 : 4;
  make_move(position, std::vector{own, kWait});
  make_move(position, std::vector{kWait, reply});
  const Choice after = think(*strategy, position);
  EXPECT_EQ(after.iterations, 2000U);
  EXPECT_GT(visits_below(after), 2000U);
  EXPECT_NE(strategy->explanation().find("kept"), std::string::npos);
}

TEST(Mcts, GoesOnWithTheSamePosition) {
  auto strategy = strategy_of("mcts:playouts=300,seed=1,bounds=off");
  const Position position = after_marks({}, 0);
  think(*strategy, position);
  EXPECT_EQ(visits_below(think(*strategy, position)), 600U);
}

TEST(Mcts, StartsAnewInAPositionItCannotFollow) {
  auto strategy = strategy_of("mcts:playouts=300,seed=1,bounds=off");
  think(*strategy, after_marks({0, 1, 2}, 1));
  EXPECT_EQ(visits_below(think(*strategy, after_marks({4}, 1))), 300U);
  Position elsewhere = after_marks({4}, 1);  // the same history, another state
  elsewhere.state = after_marks({0}, 1).state;
  const Choice choice = think(*strategy, elsewhere);
  EXPECT_EQ(visits_below(choice), 300U);
  EXPECT_EQ(choice.root.front().move, 1U);
}

TEST(Mcts, StatisticsSurviveAChangeOfMachine) {
  const auto game = std::make_shared<TicTacToe>();
  const auto vocabulary = NativeMachine::vocabulary_for(*game);
  Position position = initial_position(std::make_shared<NativeMachine>(game, vocabulary, 0));
  Position changed =
      initial_position(std::make_shared<NativeMachine>(game, vocabulary, 0xabcdef0123456789));
  auto strategy = strategy_of("mcts:playouts=3000,seed=1");
  think(*strategy, position);
  const Choice choice = think(*strategy, changed);
  EXPECT_GT(visits_below(choice), 5000U);
  for (const MoveId cell : {4, 0, 8}) {
    const bool crosses = changed.history.size() % 4 == 0;
    const auto move = crosses ? std::vector{cell, kWait} : std::vector{kWait, cell};
    make_move(position, move);
    make_move(changed, move);
  }
  // Alternately on both machines, also where nodes of both are met.
  changed.role = position.role = 1;
  EXPECT_LT(think(*strategy, position).move, kWait);
  const Choice last = think(*strategy, changed);
  EXPECT_TRUE(last.exact);
  EXPECT_EQ(last.value, 50);
}

TEST(Mcts, StaysWithinItsMemoryAndMoves) {
  gdl::MemoryBudget budget(std::size_t{512} << 10);
  {
    auto strategy = strategy_of("mcts:playouts=20000,seed=1,bounds=off", {1, &budget});
    const Choice choice = think(*strategy, after_marks({}, 0));
    EXPECT_EQ(choice.iterations, 20000U);
    EXPECT_EQ(visits_below(choice), 20000U);
    EXPECT_NE(strategy->explanation().find("memory full"), std::string::npos);
    EXPECT_LE(budget.used(), budget.limit());
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Mcts, WithoutAnyMemoryTheFirstLegalMoveStands) {
  gdl::MemoryBudget budget(100);
  auto strategy = strategy_of("mcts:playouts=20,seed=1", {1, &budget});
  EXPECT_EQ(think(*strategy, after_marks({}, 0)).move, 0U);
}

TEST(Mcts, ARateCapsTheIterationsOfAMoveByItsTime) {
  const Deadline deadline(std::chrono::steady_clock::now() + 1h);
  const Choice choice =
      think(*strategy_of("mcts:rate=0.05,bounds=off"), after_marks({}, 0), deadline);
  EXPECT_LE(choice.iterations, 180U);
  EXPECT_GE(choice.iterations, 170U);
}

TEST(Mcts, AnswersEarlyWhereItHasNoChoice) {
  const Deadline deadline(std::chrono::steady_clock::now() + 1h);
  const auto strategy = strategy_of("mcts:early=on,bounds=off");
  EXPECT_EQ(think(*strategy, after_marks({}, 1), deadline).move, kWait);
}

TEST(Mcts, AnswersEarlyWhereTheChoiceCanNotChangeAnyMore) {
  const Position position = after_marks({0, 3, 1, 4}, 0);  // 2 wins
  for (const bool early : {true, false}) {
    const std::string name = std::string("mcts:bounds=off,early=") + (early ? "on" : "off");
    gdl::MoveId move = gdl::kNoMove;
    bool said = !early;
    // About half of the time is left when it answers early, unless the process is held up.
    for (double time = early ? 2 : 0.3; (move != 2 || said != early) && time < 100; time *= 2) {
      const auto strategy = strategy_of(name);
      move = think(*strategy, position, Deadline::in(time)).move;
      said = strategy->explanation().find("no time left to change") != std::string::npos;
    }
    EXPECT_EQ(move, 2U);
    EXPECT_EQ(said, early);
  }
}

TEST(Mcts, MixesItsMovesWhereRolesMoveAtOnce) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  const Choice choice = think(*strategy_of("mcts:playouts=6000,seed=1"), initial_position(machine));
  EXPECT_NEAR(choice.value, 50, 8);
  EXPECT_FALSE(choice.exact);
  for (const RootMove& move : choice.root) EXPECT_GT(move.visits, 6000U / 8) << move.move;
}

TEST(Mcts, AGameWithoutEndIsCutAndLeft) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<Dial>());
  const Choice choice =
      think(*strategy_of("mcts:playouts=500,steps=50,seed=1"), initial_position(machine));
  EXPECT_EQ(choice.iterations, 500U);
  EXPECT_EQ(choice.value, 0);
}

TEST(Mcts, ACapOnDepthKeepsTheTreeFlat) {
  const Choice choice =
      think(*strategy_of("mcts:playouts=2000,depth=1,seed=1,bounds=off"), after_marks({}, 0));
  EXPECT_EQ(choice.depth, 1U);
  EXPECT_EQ(visits_below(choice), 2000U);
  EXPECT_EQ(choice.move, 4U);  // flat Monte Carlo likes the centre
}

/// A machine that wants batches, and notes what it gets.
class BatchMachine final : public NativeMachine {
 public:
  using NativeMachine::NativeMachine;
  [[nodiscard]] std::size_t preferred_batch() const override { return 512; }
  gdl::Status expand(Context& context, std::span<const gdl::StateMove> pairs,
                     gdl::Expansion& out) const override {
    raise(largest_expansion, pairs.size());
    ++expansions;
    return NativeMachine::expand(context, pairs, out);
  }
  gdl::Status playouts(Context& context, std::span<const gdl::StateView> starts,
                       const gdl::PlayoutOptions& options, gdl::Rng& rng,
                       gdl::PlayoutSums& out) const override {
    raise(largest_playouts, starts.size() * options.per_start);
    raise(largest_starts, starts.size());
    return NativeMachine::playouts(context, starts, options, rng, out);
  }
  mutable std::atomic<std::size_t> largest_expansion = 0, largest_starts = 0, largest_playouts = 0;
  mutable std::atomic<std::size_t> expansions = 0;

 private:
  static void raise(std::atomic<std::size_t>& largest, std::size_t size) {
    std::size_t before = largest;
    while (before < size && !largest.compare_exchange_weak(before, size)) {
    }
  }
};

/// A machine that likes batches and can't derive the middle as the first mark within its budget.
class NoMiddle final : public NativeMachine {
 public:
  NoMiddle() : NativeMachine(std::make_shared<TicTacToe>()) {}
  [[nodiscard]] std::size_t preferred_batch() const override { return 256; }
  gdl::Status expand(Context& context, std::span<const gdl::StateMove> pairs,
                     gdl::Expansion& out) const override {
    const auto is_bad = [](const gdl::StateMove& pair) {
      return pair.state.words()[0] == 0 && pair.move[0] == 4;
    };
    if (std::ranges::any_of(pairs, is_bad)) return gdl::Status::OverBudget;
    return NativeMachine::expand(context, pairs, out);
  }
  gdl::Status playouts(Context& context, std::span<const gdl::StateView> starts,
                       const gdl::PlayoutOptions& options, gdl::Rng& rng,
                       gdl::PlayoutSums& out) const override {
    ++batches;
    return NativeMachine::playouts(context, starts, options, rng, out);
  }
  mutable std::size_t batches = 0;
};

TEST(Mcts, FillsTheBatchesOfAMachineThatLikesThem) {
  const auto machine = std::make_shared<BatchMachine>(std::make_shared<TicTacToe>());
  Position position = initial_position(machine);
  const Choice choice = think(*strategy_of("mcts:playouts=40960,seed=1,bounds=off"), position);
  EXPECT_EQ(choice.iterations, 40960U / 4);
  EXPECT_EQ(machine->largest_expansion, 128U);
  EXPECT_EQ(machine->largest_playouts, 512U);
  EXPECT_LE(machine->expansions, 80U);
  EXPECT_EQ(visits_below(choice), 40960U / 4);
}

TEST(Mcts, BatchesOfItsOwnSizeAndProofsGoTogether) {
  const auto machine = std::make_shared<BatchMachine>(std::make_shared<TicTacToe>());
  const Choice choice = think(*strategy_of("mcts:leaves=16,batch=16,playouts=200000,seed=1"),
                              initial_position(machine));
  EXPECT_EQ(machine->largest_playouts, 16U);
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 50);
}

TEST(Mcts, NoPassHasMoreDescentsThanANodeCanCount) {
  const auto machine = std::make_shared<BatchMachine>(std::make_shared<TicTacToe>());
  const auto strategy = strategy_of("mcts:batch=1048576,playouts=1100000,steps=1,bounds=off");
  think(*strategy, initial_position(machine));
  EXPECT_EQ(machine->largest_starts, 4096U);
  // All threads together have 65,535 descents on their way at most.
  const auto shared = std::make_shared<BatchMachine>(std::make_shared<TicTacToe>());
  const auto several =
      strategy_of("mcts:leaves=4096,batch=4096,playouts=9000,bounds=off", {32, nullptr});
  think(*several, initial_position(shared));
  EXPECT_EQ(shared->largest_starts, 65535U / 32);
}

TEST(Mcts, ThreadsShareOneTree) {
  auto strategy = strategy_of("mcts:playouts=4000,seed=1,bounds=off", {4, nullptr});
  const Choice choice = think(*strategy, after_marks({}, 0));
  EXPECT_EQ(choice.iterations, 4000U);
  EXPECT_EQ(visits_below(choice), 4000U);
  auto prover = strategy_of("mcts:seed=1", {3, nullptr});
  const Choice proof = think(*prover, after_marks({4, 0}, 0));
  EXPECT_TRUE(proof.exact);
}

/// A machine that gives up in some calls: each playout lasts until it is stopped, or goes over its
/// budget.
class StuckMachine final : public NativeMachine {
 public:
  StuckMachine(bool over_budget, std::size_t batch)
      : NativeMachine(std::make_shared<TicTacToe>()), over_budget_(over_budget), batch_(batch) {}
  [[nodiscard]] std::size_t preferred_batch() const override { return batch_; }
  gdl::Status playouts(Context& context, std::span<const gdl::StateView>,
                       const gdl::PlayoutOptions&, gdl::Rng&, gdl::PlayoutSums&) const override {
    if (over_budget_) return gdl::Status::OverBudget;
    while (!context.limits.stop->stop_requested()) std::this_thread::sleep_for(100us);
    return gdl::Status::Stopped;
  }

 private:
  bool over_budget_;
  std::size_t batch_;
};

TEST(Mcts, StopsWhenAPlayoutDoesNotEnd) {
  const auto machine = std::make_shared<StuckMachine>(false, 1);
  auto strategy = strategy_of("mcts", {2, nullptr});
  const auto begin = std::chrono::steady_clock::now();
  const Choice choice = think(*strategy, initial_position(machine), Deadline(begin + 30ms));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
  EXPECT_LT(choice.move, kWait);
  EXPECT_EQ(visits_below(choice), 0U);
  EXPECT_EQ(strategy_of("mcts")->explanation(), "");
}

TEST(Mcts, PondersUntilItIsStopped) {
  std::stop_source source;
  Incumbent incumbent;
  auto strategy = strategy_of("mcts:bounds=off");
  const Position position = after_marks({}, 0);
  std::jthread ponderer(
      [&] { strategy->think(position, Deadline(source.get_token()), incumbent); });
  const auto enough = [&] { return incumbent.get() && incumbent.get()->iterations >= 100; };
  for (int i = 0; i < 60'000 && !enough(); ++i) std::this_thread::sleep_for(1ms);
  source.request_stop();
  ponderer.join();
  EXPECT_GE(incumbent.get()->iterations, 100U);
}

TEST(Mcts, MakesFullPassesAgainWhenItHasPassedWhatCannotBeWorkedOut) {
  const auto machine = std::make_shared<NoMiddle>();
  const Choice choice = think(*strategy_of("mcts:playouts=51200,leaves=64,depth=1,seed=1"),
                              initial_position(machine));
  EXPECT_EQ(choice.iterations, 51200U / 4);
  EXPECT_EQ(choice.root[4].value, 0);
  EXPECT_LT(machine->batches, 51200U / 4 / 4);
}

TEST(Mcts, WhatCannotBeWorkedOutIsWorthNothing) {
  for (const std::size_t batch : {1, 64}) {
    const auto machine = std::make_shared<StuckMachine>(true, batch);
    const Choice choice =
        think(*strategy_of("mcts:playouts=160,seed=1,leaves=8"), initial_position(machine));
    EXPECT_LT(choice.move, kWait);
    EXPECT_EQ(choice.value, 0);
  }
}

}  // namespace
}  // namespace ludens::search::test
