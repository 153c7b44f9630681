// SPDX-License-Identifier: MIT
// Searches whose memory is full nearly all the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "gdl/memory/hash.h"
#include "search/mcts/report.h"
#include "search/mcts/worker.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

constexpr std::uint64_t kPlies = 220;

/// Any position of the next ply; the lowest byte of a state is its ply.
std::uint64_t anywhere(std::uint64_t state, gdl::JointMove moves) {
  std::uint64_t from = state, factor = 1;
  for (const gdl::MoveId move : moves) from += (factor *= 1000) * move;
  return (gdl::scatter(from) & ~std::uint64_t{0xff}) | ((state & 0xff) + 1);
}

/// Two roles, in turn or at once, whose number of moves grows and falls in the course of the match:
/// from 4 to 84 in turn, to 20 at once. Which position a joint move leads to is anybody's guess,
/// and so is who wins after the last.
class Tides : public NativeGame {
 public:
  explicit Tides(bool at_once) : at_once_(at_once) {}
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state,
                                               gdl::RoleIndex role) const override {
    const std::uint64_t ply = state & 0xff;
    if (!at_once_ && ply % 2 != role) return {100};
    const std::uint64_t tide = ply % 100 < 50 ? ply % 50 : 50 - ply % 50;
    const std::uint64_t count = 4 + tide * (at_once_ ? 16 : 80) / 50;
    std::vector<gdl::MoveId> moves;
    for (gdl::MoveId move = 0; move < count; ++move) moves.push_back(move);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return anywhere(state, move);
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if ((state & 0xff) < kPlies) return std::nullopt;
    return std::vector{state >> 63 != 0 ? 100 : 0, state >> 63 != 0 ? 0 : 100};
  }

 private:
  bool at_once_;
};

struct Growth {
  unsigned nodes = 0, made = 0;
};

Growth growth_of(const Strategy& strategy) {
  Growth growth;
  const std::string text = strategy.explanation();
  std::sscanf(text.c_str(),
              "%*u iterations on %*u kept, %u nodes in %*u KiB, %*u bytes each, %u made",
              &growth.nodes, &growth.made);
  return growth;
}

/// The role that has a choice thinks and moves; the other has one move.
Choice play_step(Strategy& strategy, Position& position) {
  std::vector<gdl::MoveId> joint;
  for (gdl::RoleIndex r = 0; r < 2; ++r) joint.push_back(legal_moves(position, r).front());
  position.role = joint[0] == 100 ? 1 : 0;
  const Choice choice = think(strategy, position);
  joint[position.role] = choice.move;
  make_move(position, joint);
  return choice;
}

class FullMemory : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(AtOnce, FullMemory, testing::Bool());

TEST_P(FullMemory, TheTreeGoesOnGrowingToTheLastOfTwoHundredMoves) {
  gdl::MemoryBudget budget(std::size_t{1} << 20);
  const auto strategy = strategy_of("mcts:playouts=2000,steps=1,seed=1", {1, &budget});
  Position position =
      initial_position(std::make_shared<NativeMachine>(std::make_shared<Tides>(GetParam())));
  unsigned fewest_nodes = ~0U, fewest_made = ~0U, fewest_deep = ~0U;
  for (int step = 0; step < 200; ++step) {
    const Choice choice = play_step(*strategy, position);
    ASSERT_EQ(choice.iterations, 2000U);
    EXPECT_LE(budget.used(), budget.limit());
    if (step < 10) continue;
    const Growth growth = growth_of(*strategy);
    fewest_nodes = std::min(fewest_nodes, growth.nodes);
    fewest_made = std::min(fewest_made, growth.made);
    fewest_deep = std::min(fewest_deep, static_cast<unsigned>(choice.depth));
  }
  EXPECT_GT(fewest_nodes, GetParam() ? 250U : 800U);  // at once, a node has edges for both
  EXPECT_GT(fewest_made, 1600U);
  EXPECT_GE(fewest_deep, 2U);
}

TEST_P(FullMemory, SeveralThreadsPruneWhileTheyGoOn) {
  gdl::MemoryBudget budget(std::size_t{2} << 20);
  {
    const auto strategy = strategy_of("mcts:playouts=10000,steps=1,seed=1", {3, &budget});
    Position position =
        initial_position(std::make_shared<NativeMachine>(std::make_shared<Tides>(GetParam())));
    unsigned full = 0, made = 0;
    for (int step = 0; step < 8; ++step) {
      EXPECT_EQ(play_step(*strategy, position).iterations, 10000U);
      EXPECT_LE(budget.used(), budget.limit());
      if (strategy->explanation().find("memory full") == std::string::npos) continue;
      ++full;
      made += growth_of(*strategy).made;
    }
    // How many in one step depends on when the system lets which thread run.
    EXPECT_GT(made, 2500U * full);
    EXPECT_GT(full, 0U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

/// For one role, with this many moves at each of forty plies; or at one of them alone, and few at
/// the others.
class Crowd : public NativeGame {
 public:
  explicit Crowd(std::uint32_t moves, std::optional<std::uint64_t> only_at = std::nullopt)
      : moves_(moves), only_at_(only_at) {}
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state, gdl::RoleIndex) const override {
    const bool many = !only_at_ || (state & 0xff) == *only_at_;
    std::vector<gdl::MoveId> moves(many ? moves_ : 8);
    std::iota(moves.begin(), moves.end(), 0);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return anywhere(state, move);
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if ((state & 0xff) < 40) return std::nullopt;
    return std::vector{static_cast<int>(state >> 32) % 100};
  }

 private:
  std::uint32_t moves_;
  std::optional<std::uint64_t> only_at_;
};

class ManyMoves : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(OfARoot, ManyMoves, testing::Values(250U, 600U, 3000U));

TEST_P(ManyMoves, AreAllTriedThoughMemoryIsInPieces) {
  gdl::MemoryBudget budget(std::size_t{2} << 20);
  const auto strategy = strategy_of("mcts:steps=1,seed=1,playouts=12000", {1, &budget});
  constexpr std::uint64_t kPly = 24;
  Position position =
      initial_position(std::make_shared<NativeMachine>(std::make_shared<Crowd>(GetParam(), kPly)));
  for (std::uint64_t ply = 0; ply < kPly; ++ply) {
    const Choice choice = think(*strategy, position);
    make_move(position, std::vector{choice.move});
  }
  think(*strategy, position);
  const std::string text = strategy->explanation();
  EXPECT_NE(text.find("memory full"), std::string::npos) << text;
  const std::vector<std::uint64_t> tried = visits(think(*strategy, position));
  EXPECT_EQ(tried.size(), GetParam());
  EXPECT_EQ(std::ranges::count(tried, 0U), 0) << text;
}

/// What is left of a page beside large nodes may be of no use to another one.
class LargeNodes : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(OfManyMoves, LargeNodes, testing::Values(3000U, 5000U));

TEST_P(LargeNodes, AreMadeToTheEnd) {
  gdl::MemoryBudget budget(std::size_t{4} << 20);
  const auto strategy = strategy_of("mcts:playouts=6000,steps=1,seed=1", {1, &budget});
  const Choice choice =
      think(*strategy,
            initial_position(std::make_shared<NativeMachine>(std::make_shared<Crowd>(GetParam()))));
  EXPECT_GT(growth_of(*strategy).made, choice.iterations / 3) << strategy->explanation();
}

TEST(MemoryOfTheWhole, IsFullToo) {
  gdl::MemoryBudget part(std::size_t{4} << 20,
                         std::make_shared<gdl::MemoryBudget>(std::size_t{1} << 20));
  const auto strategy = strategy_of("mcts:playouts=60000,steps=1,seed=1", {1, &part});
  const Choice choice = think(
      *strategy, initial_position(std::make_shared<NativeMachine>(std::make_shared<Crowd>(60))));
  EXPECT_GT(growth_of(*strategy).made, choice.iterations / 4) << strategy->explanation();
}

/// Two roles in turn, with five moves at each of eight plies. Seven matches of eight are drawn.
/// Nothing depends on a role `random`, if there is one.
class MostlyDrawn : public NativeGame {
 public:
  static constexpr std::uint64_t kPlies = 8;
  explicit MostlyDrawn(bool with_random = false) : with_random_(with_random) {}
  [[nodiscard]] std::size_t role_count() const override { return with_random_ ? 3 : 2; }
  [[nodiscard]] std::optional<gdl::RoleIndex> random() const override {
    return with_random_ ? std::optional<gdl::RoleIndex>(2) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state,
                                               gdl::RoleIndex role) const override {
    if ((state & 0xff) % 2 != role) return {100};
    return {0, 1, 2, 3, 4};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return anywhere(state, move);
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if ((state & 0xff) < kPlies) return std::nullopt;
    const std::uint64_t lot = state >> 60;
    std::vector<int> goals(role_count());
    goals[0] = lot > 1 ? 50 : lot == 0 ? 0 : 100;
    goals[1] = 100 - goals[0];
    return goals;
  }

 private:
  bool with_random_;
};

void expect_solved(std::size_t kibibytes, bool with_random) {
  gdl::MemoryBudget budget(kibibytes << 10);
  const auto strategy = strategy_of("mcts:playouts=4000000,seed=1", {1, &budget});
  const Choice choice = think(*strategy, initial_position(std::make_shared<NativeMachine>(
                                             std::make_shared<MostlyDrawn>(with_random))));
  const std::string text = strategy->explanation();
  EXPECT_NE(text.find("memory full"), std::string::npos) << text;
  EXPECT_TRUE(choice.exact) << text;
  EXPECT_EQ(choice.value, 50) << text;
  // Hardly any descents end where everything is known already, but for those that look for mistakes
  // after the proof.
  const auto descents = static_cast<double>(choice.iterations) - 15'000;
  EXPECT_GT(growth_of(*strategy).made, 0.95 * descents) << text;
}

class SmallMemory : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Kibibytes, SmallMemory, testing::Values(256, 512, 1024, 2048));

TEST_P(SmallMemory, SolvesAGameWhoseTreeDoesNotFit) {
  expect_solved(GetParam(), false);
}

TEST_P(SmallMemory, SolvesItBesideARandomRole) {
  expect_solved(GetParam(), true);
}

/// A position that was pruned and met again may be proved, with no move that shows it.
class ProvedRoot : public testing::Test {
 protected:
  /// The first of two roles has three moves.
  void SetUp() override {
    const std::vector<gdl::MoveId> moves{0, 1, 2, 9};
    ASSERT_TRUE(search.graph.plant({{}, false, {}, moves, begins}, 0, 0));
    const std::vector<std::uint64_t> goals{30, 70};
    search.goal_sums.see(goals, 1, std::nullopt);
    search.restart(1000);
  }
  mcts::Node& root() { return search.graph[search.graph.root()]; }
  void prove(mcts::Bounds bounds) {
    root().set_bounded();
    root().tighten(0, bounds);
  }
  /// Tries one more move, after which these are the bounds.
  void try_one(mcts::Bounds bounds) {
    const auto place = search.graph.open(root(), 0, 0);
    search.graph.edges(root(), 0)[place].bounds = bounds;
  }
  bool is_over() {
    search.look_for_the_end();
    return search.finished;
  }
  mcts::SharedSearch search{nullptr, std::size_t{1} << 20};

 private:
  const std::vector<std::uint32_t> begins{0, 3, 4};
};

TEST_F(ProvedRoot, IsWonOnlyByAMoveThatWins) {
  prove({100, 100});
  EXPECT_FALSE(is_over());
  try_one({0, 100});
  EXPECT_FALSE(is_over());
  try_one({100, 100});
  EXPECT_TRUE(is_over());
  EXPECT_EQ(mcts::report(search, {}).move, root().move(0, 1));
}

TEST_F(ProvedRoot, IsDrawnOnlyWhereAllMovesShowIt) {
  prove({50, 50});
  EXPECT_FALSE(is_over());
  try_one({50, 50});
  try_one({50, 50});
  EXPECT_FALSE(is_over());
  EXPECT_FALSE(search.seeks_mistakes);
  EXPECT_FALSE(mcts::report(search, {}).is_last());
  try_one({0, 40});
  EXPECT_FALSE(is_over());
  EXPECT_TRUE(search.seeks_mistakes);
}

TEST_F(ProvedRoot, TakesNoDescentsWhereItsProofDoesNotHold) {
  search.restart(100'000);
  prove({50, 50});
  try_one({50, 50});
  try_one({50, 50});
  try_one({0, 40});
  EXPECT_FALSE(is_over());
  EXPECT_TRUE(search.seeks_mistakes);
  EXPECT_LT(search.descents_left, 100'000U);
  search.descents_left -= 1'000;
  const std::vector<std::uint64_t> goals{0, 0};  // the sum of goals is not always the same
  search.goal_sums.see(goals, 1, std::nullopt);
  EXPECT_FALSE(is_over());
  EXPECT_FALSE(search.seeks_mistakes);
  EXPECT_EQ(search.descents_left, 99'000U);
}

TEST_F(ProvedRoot, IsLostWhereAllMovesAre) {
  prove({0, 0});
  try_one({0, 0});
  try_one({0, 0});
  EXPECT_FALSE(is_over());
  try_one({0, 0});
  EXPECT_TRUE(is_over());
}

}  // namespace
}  // namespace ludens::search::test
