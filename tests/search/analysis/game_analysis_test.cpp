// SPDX-License-Identifier: MIT
#include "search/analysis/game_analysis.h"

#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

GameAnalysis analysis_of(std::shared_ptr<const NativeGame> game, const AnalysisBudget& budget = {},
                         gdl::MemoryBudget* memory = nullptr) {
  const NativeMachine machine(std::move(game));
  const auto context = machine.make_context({.stop = nullptr, .memory = memory});
  gdl::State start;
  EXPECT_EQ(machine.initial(*context, start), gdl::Status::Ok);
  gdl::Rng rng(1);
  const GameAnalysis result = analyse(machine, *context, start, budget, Deadline(), rng);
  EXPECT_EQ(context->limits.stop, nullptr);
  return result;
}

TEST(GameAnalysis, TicTacToeIsVisitedAndProved) {
  const GameAnalysis game = analysis_of(std::make_shared<TicTacToe>());
  EXPECT_EQ(game.states, 5478U);
  EXPECT_EQ(game.depth, 9U);
  EXPECT_EQ(game.players, 2U);
  EXPECT_TRUE(game.turn_taking.holds && game.turn_taking.proved);
  EXPECT_TRUE(game.fixed_sum.holds && game.fixed_sum.proved);
  EXPECT_FALSE(game.single_player.holds);
  EXPECT_TRUE(!game.chance.holds && game.chance.proved);
  EXPECT_TRUE(!game.states_recur.holds && game.states_recur.proved);
  EXPECT_EQ(game.playouts, 200U);
  EXPECT_EQ(game.longest, 9U);
  EXPECT_NEAR(game.mean_length, 7.6, 0.3);
  EXPECT_NEAR(game.tree_magnitude, 5.41, 0.1);  // 255,168 games
  ASSERT_EQ(game.mean_goals.size(), 2U);
  EXPECT_NEAR(game.mean_goals[0] + game.mean_goals[1], 100, 1e-9);
  EXPECT_GT(game.mean_goals[0], 55);
}

TEST(GameAnalysis, WhatWasOnlySampledIsNotProved) {
  AnalysisBudget budget;
  budget.states = 100;
  const GameAnalysis game = analysis_of(std::make_shared<TicTacToe>(), budget);
  EXPECT_FALSE(game.explored());
  EXPECT_TRUE(game.turn_taking.holds && !game.turn_taking.proved);
  EXPECT_TRUE(game.fixed_sum.holds && !game.fixed_sum.proved);
  EXPECT_TRUE(!game.states_recur.holds && !game.states_recur.proved);
  EXPECT_TRUE(!game.chance.holds && game.chance.proved);  // no role is `random`
}

TEST(GameAnalysis, SimultaneousMovesAreSeen) {
  AnalysisBudget budget;
  budget.states = 0;
  const GameAnalysis game = analysis_of(std::make_shared<RockPaperScissors>(3), budget);
  EXPECT_TRUE(!game.turn_taking.holds && game.turn_taking.proved);
  EXPECT_TRUE(game.fixed_sum.holds);
  EXPECT_EQ(game.mean_branching, 9);
  EXPECT_EQ(game.mean_length, 3);
  EXPECT_NEAR(game.tree_magnitude, 3 * std::log10(9), 1e-9);
}

TEST(GameAnalysis, RecurrenceIsSeenAndAGameWithoutEndIsCut) {
  AnalysisBudget budget;
  budget.playouts = 5;
  budget.step_cap = 50;
  const GameAnalysis game = analysis_of(std::make_shared<Dial>(), budget);
  EXPECT_EQ(game.cut, 5U);
  EXPECT_EQ(game.playouts, 0U);
  EXPECT_TRUE(game.states_recur.holds && game.states_recur.proved);
  EXPECT_EQ(game.states, 12U);
  EXPECT_EQ(game.depth, std::nullopt);
  EXPECT_FALSE(game.fixed_sum.holds);
  EXPECT_TRUE(game.single_player.holds && game.single_player.proved);
}

/// Collects coins: each step takes 0 to 20 points, `random` may take 10 away in the third.
class Coins final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::optional<gdl::RoleIndex> random() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }  // step * 256 + points
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state,
                                               gdl::RoleIndex role) const override {
    if (state / 256 == 2)
      return role == 1 ? std::vector<gdl::MoveId>{0, 1} : std::vector<gdl::MoveId>{0};
    return role == 0 ? std::vector<gdl::MoveId>{0, 1, 2} : std::vector<gdl::MoveId>{0};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    const std::uint64_t taken = move[1] == 1 ? std::min<std::uint64_t>(10, state % 256) : 0;
    return state + 256 + 10 * move[0] - taken;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state / 256 < 3) return std::nullopt;
    return std::vector{static_cast<int>(state % 256), 0};
  }
};

TEST(GameAnalysis, ChanceAndFallingGoalsAreSeen) {
  const GameAnalysis game = analysis_of(std::make_shared<Coins>());
  EXPECT_EQ(game.players, 1U);
  EXPECT_TRUE(game.single_player.holds);
  EXPECT_TRUE(game.chance.holds && game.chance.proved);
  EXPECT_TRUE(game.turn_taking.holds && game.turn_taking.proved);
  EXPECT_TRUE(!game.fixed_sum.holds && game.fixed_sum.proved);
  EXPECT_EQ(game.depth, 3U);
  EXPECT_TRUE(game.monotone_goals[0].proved);
}

TEST(GameAnalysis, MemoryIsReservedAndGivenBack) {
  gdl::MemoryBudget large(std::size_t{64} << 20), small(10'000);
  EXPECT_TRUE(analysis_of(std::make_shared<TicTacToe>(), {}, &large).explored());
  EXPECT_EQ(large.used(), 0U);
  EXPECT_FALSE(analysis_of(std::make_shared<TicTacToe>(), {}, &small).explored());
  EXPECT_EQ(small.used(), 0U);
}

TEST(GameAnalysis, StopsAtTheDeadlineWithWhatItHas) {
  const NativeMachine machine(std::make_shared<TicTacToe>());
  const auto context = machine.make_context(gdl::Limits{});
  gdl::State start;
  ASSERT_EQ(machine.initial(*context, start), gdl::Status::Ok);
  gdl::Rng rng(1);
  const GameAnalysis game =
      analyse(machine, *context, start, {}, Deadline(std::chrono::steady_clock::now()), rng);
  EXPECT_EQ(game.playouts, 0U);
  EXPECT_FALSE(game.explored());
  EXPECT_EQ(game.players, 2U);
}

}  // namespace
}  // namespace ludens::search::test
