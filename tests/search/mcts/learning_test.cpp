// SPDX-License-Identifier: MIT
// What mcts learns beside its tree: an evaluation, and which moves win.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/mcts/move_statistics.h"
#include "search/mcts/worker.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

using mcts::MoveStatistics;
using testing::HasSubstr;
using testing::Not;

/// One role shows one of eight numbers, six times, and wins if it showed 5 on the way.
class FiveWins final : public NativeGame {
 public:
  static constexpr gdl::MoveId kWinner = 5;
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    return {0, 1, 2, 3, 4, 5, 6, 7};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return (state + 2) | (move[0] == kWinner ? 1 : 0);
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state < 12) return std::nullopt;
    return std::vector{state % 2 == 1 ? 100 : 0};
  }
};

/// The sums of uniform or weighted playouts from the start, with moves counted.
gdl::PlayoutSums play(const gdl::MoveWeights* weights) {
  const Position position =
      initial_position(std::make_shared<NativeMachine>(std::make_shared<FiveWins>()));
  gdl::PlayoutOptions options{.per_start = 4000};
  options.weights = weights;
  options.counting = &MoveStatistics::kCounting;
  gdl::Rng rng(1);
  gdl::PlayoutSums sums;
  const std::vector starts{gdl::StateView(position.state)};
  const auto context = position.machine->make_context();
  EXPECT_EQ(position.machine->playouts(*context, starts, options, rng, sums), gdl::Status::Ok);
  return sums;
}

double won(const gdl::PlayoutSums& sums) {
  return static_cast<double>(sums.goals[0]) / 100.0 / sums.playouts[0];
}

TEST(MoveStatistics, FindTheMoveThatWinsAndPlayoutsMakeItMoreOften) {
  MoveStatistics statistics;
  const gdl::PlayoutSums uniform = play(nullptr);
  statistics.add(uniform, 1);
  EXPECT_EQ(statistics.playouts(), 4000U);
  const mcts::MoveMeans means = statistics.means();
  EXPECT_NEAR(means.of(0, FiveWins::kWinner), 1, 0.01);
  EXPECT_LT(means.of(0, 0), 0.7);
  EXPECT_NEAR(means.of(0, 99), means.rows[0].usual, 1e-6);  // was never made
  const gdl::MoveWeights weights = statistics.weights(10);
  EXPECT_GT(weights.of(0, FiveWins::kWinner), 8U);
  EXPECT_LE(weights.of(0, 0), 2U);
  EXPECT_NEAR(won(uniform), 1 - std::pow(7.0 / 8, 6), 0.05);
  EXPECT_GT(won(play(&weights)), 0.9);
}

TEST(MoveStatistics, OfAMoveThatWasSeldomMadeSayLittle) {
  MoveStatistics statistics;
  gdl::PlayoutSums sums;
  sums.playouts = {1000};
  sums.moves = {{{.made = 1000, .won = 500, .lost = 500}, {.made = 1, .won = 1, .lost = 0}}};
  statistics.add(sums, 1);
  EXPECT_LT(statistics.means().of(0, 1), 0.55);
}

TEST(MoveStatistics, FadeSoThatNewCountsWeighMore) {
  MoveStatistics statistics;
  gdl::PlayoutSums won, lost;
  won.playouts = lost.playouts = {1000};
  won.moves = {{{.made = 1000, .won = 1000, .lost = 0}, {.made = 1000, .won = 500, .lost = 500}}};
  lost.moves = {{{.made = 1000, .won = 0, .lost = 1000}, {.made = 1000, .won = 500, .lost = 500}}};
  statistics.add(won, 1);
  statistics.fade();
  EXPECT_EQ(statistics.playouts(), 500U);
  statistics.add(lost, 1);
  EXPECT_NEAR(statistics.means().of(0, 0), 1.0 / 3, 0.02);
}

/// Counts the playouts whose moves were counted.
class Counted : public NativeMachine {
 public:
  using NativeMachine::NativeMachine;
  gdl::Status playouts(Context& context, std::span<const gdl::StateView> starts,
                       const gdl::PlayoutOptions& options, gdl::Rng& rng,
                       gdl::PlayoutSums& out) const override {
    if (options.counting != nullptr) counted += starts.size() * options.per_start;
    return NativeMachine::playouts(context, starts, options, rng, out);
  }
  mutable std::uint64_t counted = 0;
};

/// One role with two moves. The first ends the game at once; after the other there are 20 more.
class Shortcut final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    return {0, 1};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    if (state == 0 && move[0] == 0) return kEnd;
    return (state + 1) | std::uint64_t{move[0]} << (8 + (state & 0xff));
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state == kEnd) return std::vector{50};
    if ((state & 0xff) < 20) return std::nullopt;
    return std::vector{std::popcount(state >> 8) % 2 * 100};
  }

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
};

TEST(LearningOfMcts, CountsEachPlayoutOnce) {
  const auto machine = std::make_shared<Counted>(std::make_shared<Shortcut>());
  const Position position = initial_position(machine);
  mcts::SharedSearch search(nullptr, std::size_t{64} << 20);
  search.learning.order = true;
  const std::vector<gdl::MoveId> moves = legal_moves(position, 0);
  const std::vector<std::uint32_t> begins{0, static_cast<std::uint32_t>(moves.size())};
  ASSERT_TRUE(search.graph.plant({position.state, false, {}, moves, begins}, 0, 0));
  search.bounds = false;
  search.restart(1000);
  mcts::Worker worker(search, gdl::Rng(1), nullptr, 1);
  worker.use(machine.get());
  worker.run({}, Deadline(), [] {});
  EXPECT_EQ(search.iterations, 1000U);
  EXPECT_LT(machine->counted, 900U);  // others end at an end that is known
  EXPECT_EQ(search.moves.playouts(), machine->counted);
}

TEST(LearningOfMcts, WeighsMovesAnewAlsoLateInAMatch) {
  mcts::SharedSearch search(nullptr, std::size_t{1} << 20);
  search.learning.inverse_temperature = 5;
  gdl::PlayoutSums sums;
  sums.playouts = {4000};
  sums.moves = {{{.made = 4000, .won = 3000, .lost = 1000}, {.made = 4000, .won = 0, .lost = 0}}};
  for (int move = 0; move < 20; ++move) {
    search.fade_moves();
    const auto before = search.weights;
    search.learn_moves(sums, 1);
    EXPECT_NE(search.weights, before) << move;
  }
}

TEST(LearningOfMcts, ChangesTheSearchAndIsRepeatable) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const auto search = [&](const std::string& options) {
    return visits(think(*strategy_of("mcts:playouts=6000,seed=3" + options), position));
  };
  const auto plain = search("");
  for (const std::string options :
       {",evaluation=prior", ",evaluation=mixed", ",evaluation=leaf", ",mast=5", ",first=won",
        ",widening=2", ",widening=2,first=won"}) {
    const auto once = search(options);
    EXPECT_EQ(search(options), once) << options;
    EXPECT_NE(plain, once) << options;
  }
}

TEST(LearningOfMcts, LeavesProofsAlone) {
  const Position position = initial_position(bundled("tic_tac_toe", "sliced"));
  for (const std::string options :
       {",evaluation=prior", ",evaluation=leaf", ",widening=0.5,first=won,mast=5"}) {
    const Choice choice = think(*strategy_of("mcts:playouts=800000,seed=1" + options), position);
    EXPECT_TRUE(choice.exact) << options;
    EXPECT_EQ(choice.value, 50) << options;
  }
}

TEST(LearningOfMcts, SaysWhatTheEvaluationIsWorth) {
  const auto strategy = strategy_of("mcts:playouts=2000,seed=1,evaluation=prior");
  think(*strategy, initial_position(bundled("breakthrough_small", "sliced")));
  EXPECT_THAT(strategy->explanation(), HasSubstr("; evaluation learned from"));
  const auto without = strategy_of("mcts:playouts=2000,seed=1");
  think(*without, initial_position(bundled("breakthrough_small", "sliced")));
  EXPECT_THAT(without->explanation(), Not(HasSubstr("evaluation")));
}

TEST(LearningOfMcts, WideningLeavesMovesUntried) {
  const Position position = initial_position(bundled("amazons_small", "sliced"));
  const auto tried = [&](const std::string& options) {
    const auto all = visits(think(*strategy_of("mcts:playouts=1200,seed=1" + options), position));
    return std::ranges::count_if(all, [](std::uint64_t v) { return v > 0; });
  };
  EXPECT_LT(tried(",widening=0.5"), 15);
  EXPECT_EQ(tried(""), 30);
}

TEST(LearningOfMcts, WideningTriesMoreWhereAllThatWereTriedAreRefuted) {
  // Noughts must mark 2; whatever is tried first, the search finds that.
  const Choice choice =
      think(*strategy_of("mcts:playouts=3000,seed=1,widening=0.01"), after_marks({0, 4, 1}, 1));
  EXPECT_EQ(choice.move, 2U);
}

}  // namespace
}  // namespace ludens::search::test
