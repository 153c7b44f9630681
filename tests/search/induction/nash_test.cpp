// SPDX-License-Identifier: MIT
#include "search/induction/nash.h"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <stop_token>
#include <tuple>
#include <vector>

#include "gdl/memory/hash.h"
#include "search/induction/backward.h"
#include "search/induction/matrix_game.h"
#include "search/registry/registry.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search::test {
namespace {

TEST(MatrixGame, HasASaddlePoint) {
  const MatrixSolution solution = solve_matrix_game(std::vector<double>{4, 2, 5, 1, 0, 9}, 3);
  EXPECT_DOUBLE_EQ(solution.value, 2);
  EXPECT_DOUBLE_EQ(solution.rows[0], 1);
}

/// Heads wins 100 or 0, tails 0 or 60: the first side mixes 3 : 5, the value is 37.5.
TEST(MatrixGame, MixesByTheOddments) {
  const MatrixSolution solution = solve_matrix_game(std::vector<double>{100, 0, 0, 60}, 2);
  EXPECT_NEAR(solution.value, 37.5, 1e-9);
  EXPECT_NEAR(solution.rows[0], 0.375, 1e-9);
  EXPECT_NEAR(solution.rows[1], 0.625, 1e-9);
}

TEST(MatrixGame, OfRockPaperScissorsIsMixedEvenly) {
  const MatrixSolution solution =
      solve_matrix_game(std::vector<double>{50, 0, 100, 100, 50, 0, 0, 100, 50}, 3);
  EXPECT_NEAR(solution.value, 50, 1e-9);
  for (const double chance : solution.rows) EXPECT_NEAR(chance, 1.0 / 3, 1e-9);
}

/// Both sides' guarantees meet, in matrices of all shapes, with many equal entries.
TEST(MatrixGame, GuaranteesBothSidesTheSameValue) {
  gdl::Rng rng(3);
  for (int i = 0; i < 400; ++i) {
    const std::size_t rows = 1 + rng.below(8), columns = 1 + rng.below(8);
    const std::uint32_t kinds = 2 + rng.below(6);
    std::vector<double> payoffs(rows * columns), turned(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        payoffs[r * columns + c] = 20 * rng.below(kinds);
        turned[c * rows + r] = 100 - payoffs[r * columns + c];
      }
    }
    const MatrixSolution own = solve_matrix_game(payoffs, columns);
    const MatrixSolution other = solve_matrix_game(turned, rows);
    ASSERT_TRUE(own.best && other.best) << i;
    ASSERT_NEAR(own.value + other.value, 100, 1e-6) << i;
  }
}

std::vector<double> random_payoffs(std::size_t moves, std::uint32_t kinds) {
  gdl::Rng rng(5);
  std::vector<double> payoffs(moves * moves);
  for (double& payoff : payoffs) payoff = rng.below(kinds);
  return payoffs;
}

/// With payoffs of two kinds, very many pivots gain nothing.
TEST(MatrixGame, IsSolvedWithHundredsOfMoves) {
  constexpr std::size_t kMoves = 300;
  for (const std::uint32_t kinds : {2U, 101U}) {
    EXPECT_TRUE(solve_matrix_game(random_payoffs(kMoves, kinds), kMoves).best) << kinds;
  }
}

TEST(MatrixGame, EndsWhenItIsToldTo) {
  constexpr std::size_t kMoves = 80;
  const std::vector<double> payoffs = random_payoffs(kMoves, 101);
  const gdl::tests::StopAfter never(1'000'000'000);
  const double value = solve_matrix_game(payoffs, kMoves, &never).value;
  EXPECT_GT(never.asked(), 10);
  for (const int patience : {0, 10}) {
    const gdl::tests::StopAfter stop(patience);
    const MatrixSolution early = solve_matrix_game(payoffs, kMoves, &stop);
    EXPECT_EQ(stop.asked(), patience + 1);
    EXPECT_NEAR(std::accumulate(early.rows.begin(), early.rows.end(), 0.0), 1, 1e-9);
    EXPECT_FALSE(early.best);
    EXPECT_GE(early.value, 0);
    EXPECT_LT(early.value, value);
  }
}

/// How often each move is answered, over many seeds.
std::map<gdl::MoveId, int> answers(const Position& position, int times) {
  std::map<gdl::MoveId, int> counts;
  for (int seed = 1; seed <= times; ++seed) {
    const auto strategy = make_known_strategy("nash", {{"seed", std::to_string(seed)}}, {});
    Incumbent incumbent;
    strategy->think(position, Deadline(), incumbent);
    ++counts[incumbent.get()->move];
  }
  return counts;
}

TEST(Nash, DrawsItsMovesByTheEquilibrium) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(2));
  const auto counts = answers(initial_position(machine, 0), 300);
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [move, count] : counts) EXPECT_GT(count, 70) << move;
}

TEST(Nash, AnswersTheSameWheneverItIsAsked) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(2));
  const auto strategy = make_known_strategy("nash", {{"seed", "5"}}, {});
  Incumbent first, second;
  strategy->think(initial_position(machine, 0), Deadline(), first);
  strategy->think(initial_position(machine, 0), Deadline(), second);
  EXPECT_EQ(first.get()->move, second.get()->move);
  EXPECT_TRUE(first.get()->exact);
  EXPECT_NEAR(first.get()->value, 50, 1e-6);
}

/// One role hides in one of 200 places, the other looks into one, until it finds the first: certain
/// in the end, but values approach that in small steps, in a cycle of four states.
class HideAndSeek final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    std::vector<gdl::MoveId> places(200);
    std::iota(places.begin(), places.end(), 0U);
    return places;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return move[0] == move[1] ? kFound : (state + 1) % 4;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state != kFound) return std::nullopt;
    return std::vector{100, 0};
  }

 private:
  static constexpr std::uint64_t kFound = 1000;
};

/// To wait is worth as much as to go, as long as one goes at last.
TEST(Nash, DoesNotWaitForEver) {
  const DrawnGame at_once(
      "(roles a b) (*:r (wait left) @r (wait right) @r (go left) 100 (go right) 100)");
  const DrawnGame in_turn("(roles a b) (a:r wait (b:s wait @r) leave 40)");
  for (const auto& [game, move, value] :
       {std::tuple(&at_once, "go", 100.0), std::tuple(&in_turn, "leave", 40.0)}) {
    const Position position = initial_position(game->machine, 0);
    for (const auto& [answer, count] : answers(position, 50)) {
      EXPECT_EQ(game->move_name(answer), move);
    }
    const auto strategy = make_known_strategy("nash", {}, {});
    EXPECT_EQ(think(*strategy, position).value, value);
  }
}

/// Where chance goes in a circle, the value is the limit of an infinite sum.
TEST(Nash, DoesNotCallALimitExact) {
  const DrawnGame game("(roles a b random) (a go (random:r again @r 100))");
  const auto strategy = make_known_strategy("nash", {}, {});
  const Choice choice = think(*strategy, initial_position(game.machine, 0));
  EXPECT_NEAR(choice.value, 100, 1e-6);
  EXPECT_FALSE(choice.exact);
}

TEST(Nash, StopsInTimeWhereStatesRecur) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<HideAndSeek>());
  const auto strategy = make_known_strategy("nash", {{"seed", "1"}}, {});
  Incumbent incumbent;
  strategy->think(initial_position(machine, 0), Deadline::in(1), incumbent);
  EXPECT_FALSE(incumbent.get()->exact);
}

/// One choice each of 100 moves, whose results look random. When all are known, the search is
/// stopped.
class OneChoice final : public NativeGame {
 public:
  explicit OneChoice(std::stop_source& stop) : stop_(stop) {}
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return kStart; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    std::vector<gdl::MoveId> moves(kMoves);
    std::iota(moves.begin(), moves.end(), 0U);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t, gdl::JointMove move) const override {
    if (move[0] == kMoves - 1 && move[1] == kMoves - 1) stop_.request_stop();
    return gdl::scatter(kMoves * move[0] + move[1]) % 101;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state == kStart) return std::nullopt;
    const int goal = static_cast<int>(state);
    return std::vector{goal, 100 - goal};
  }

 private:
  static constexpr std::uint64_t kStart = 1000;
  static constexpr gdl::MoveId kMoves = 100;
  std::stop_source& stop_;
};

TEST(Nash, BeginsNoLargeMixtureWhenStopped) {
  std::stop_source stop;
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<OneChoice>(stop));
  const Position position = initial_position(machine, 0);
  const Deadline deadline(stop.get_token());
  BackwardInduction induction(machine, 0, deadline, nullptr, BackwardInduction::Choices::Mixed);
  EXPECT_EQ(induction.solve(position.state), BackwardInduction::Outcome::Stopped);
  EXPECT_EQ(induction.size(), 102U);
  EXPECT_EQ(induction.value(0), 0);
  EXPECT_FALSE(induction.is_exact());
}

TEST(Nash, KnowsNothingOfAGameThatIsTooLarge) {
  const auto machine = bundled("bidding_tic_tac_toe", "sliced");
  gdl::MemoryBudget memory(std::size_t{1} << 20);
  const auto strategy = make_known_strategy("nash", {}, {1, &memory});
  Incumbent incumbent;
  strategy->think(initial_position(machine, 0), Deadline(), incumbent);
  EXPECT_FALSE(incumbent.get()->exact);
  EXPECT_THAT(strategy->explanation(), ::testing::HasSubstr("no memory"));
}

TEST(Nash, KeepsToACapOnStates) {
  const auto machine = bundled("goofspiel", "sliced");
  for (const auto& [nodes, exact] : {std::pair("100", false), std::pair("1000000", true)}) {
    const auto strategy = make_known_strategy("nash", {{"nodes", nodes}}, {});
    Incumbent incumbent;
    strategy->think(initial_position(machine, 0), Deadline(), incumbent);
    EXPECT_EQ(incumbent.get()->exact, exact) << strategy->explanation();
  }
}

TEST(Nash, GuaranteesWhatTheOtherRoleLeaves) {
  const auto machine = bundled("goofspiel", "sliced");
  double sum = 0;
  for (gdl::RoleIndex role = 0; role < machine->role_count(); ++role) {
    if (role == machine->random_role()) continue;
    const auto strategy = make_known_strategy("nash", {}, {});
    Incumbent incumbent;
    strategy->think(initial_position(machine, role), Deadline(), incumbent);
    ASSERT_TRUE(incumbent.get()->exact);
    sum += incumbent.get()->value;
  }
  EXPECT_NEAR(sum, 100, 1e-6);
}

}  // namespace
}  // namespace ludens::search::test
