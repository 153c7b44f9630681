// SPDX-License-Identifier: MIT
#include "search/induction/retrograde.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stop_token>

#include "search/induction/backward.h"
#include "search/learning/state_count.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using ::testing::HasSubstr;

/// One role goes on, or ends the game with 100. At the hundredth step the search is stopped.
class EndsWhenItPleases final : public NativeGame {
 public:
  explicit EndsWhenItPleases(std::stop_source& stop) : stop_(stop) {}
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex role) const override {
    return role == 0 ? std::vector<gdl::MoveId>{0, 1} : std::vector<gdl::MoveId>{2};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    if (state == 100) stop_.request_stop();
    return move[0] == 0 && state < 200 ? state + 1 : kEnd;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state != kEnd) return std::nullopt;
    return std::vector{100, 0};
  }

 private:
  static constexpr std::uint64_t kEnd = 1'000'000;
  std::stop_source& stop_;
};

/// Each role has so many moves at once; then the game ends without points.
class AllAtOnce final : public NativeGame {
 public:
  AllAtOnce(std::size_t roles, std::size_t moves) : roles_(roles), moves_(moves) {}
  [[nodiscard]] std::size_t role_count() const override { return roles_; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    std::vector<gdl::MoveId> moves(moves_);
    std::iota(moves.begin(), moves.end(), 0U);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove) const override {
    return state + 1;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state == 0) return std::nullopt;
    return std::vector(roles_, 0);
  }

 private:
  std::size_t roles_, moves_;
};

/// Two to the power of 32 replies are not none.
TEST(BackwardInduction, ProvesNothingWhereThereAreTooManyReplies) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<AllAtOnce>(33, 2));
  const Position position = initial_position(machine);
  const Deadline never;
  BackwardInduction induction(machine, 0, never, nullptr);
  EXPECT_EQ(induction.solve(position.state), BackwardInduction::Outcome::OverBudget);
  EXPECT_EQ(induction.value(0), 0);
  EXPECT_FALSE(induction.is_exact());
}

/// Remembers the most pairs that it was asked for at once.
class CountsPairs final : public NativeMachine {
 public:
  using NativeMachine::NativeMachine;
  gdl::Status expand(Context& context, std::span<const gdl::StateMove> pairs,
                     gdl::Expansion& out) const override {
    most_ = std::max(most_, pairs.size());
    return NativeMachine::expand(context, pairs, out);
  }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  mutable std::size_t most_ = 0;
};

/// The legal moves after all joint moves of one state would fill the memory.
TEST(BackwardInduction, ExpandsAStateInParts) {
  const auto machine = std::make_shared<CountsPairs>(std::make_shared<AllAtOnce>(2, 200));
  const Position position = initial_position(machine);
  const Deadline never;
  BackwardInduction induction(machine, 0, never, nullptr);
  EXPECT_EQ(induction.solve(position.state), BackwardInduction::Outcome::Complete);
  EXPECT_EQ(induction.size(), 2U);
  EXPECT_EQ(induction.values_of_moves(0).size(), 200U);
  EXPECT_LE(machine->most(), 100U);
}

/// Chance goes up or down until one end is reached, which is worth 0 or 100. The search is stopped
/// when the last state is found.
class Walk final : public NativeGame {
 public:
  explicit Walk(std::stop_source& stop) : stop_(stop) {}
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::optional<gdl::RoleIndex> random() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return kLength / 2; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex role) const override {
    return role == 0 ? std::vector<gdl::MoveId>{0} : std::vector<gdl::MoveId>{0, 1};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    const std::uint64_t after = move[1] == 0 ? state - 1 : state + 1;
    if (after == kLength) stop_.request_stop();
    return after;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state != 0 && state != kLength) return std::nullopt;
    return std::vector{state == 0 ? 0 : 100, 0};
  }

 private:
  static constexpr std::uint64_t kLength = 200;
  std::stop_source& stop_;
};

/// Values rise to their limits in some hundred thousand steps; when stopped, they stay below.
TEST(BackwardInduction, StopsWhereChanceGoesInCircles) {
  std::stop_source stop;
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<Walk>(stop));
  const Position position = initial_position(machine);
  const Deadline deadline(stop.get_token());
  BackwardInduction induction(machine, 0, deadline, nullptr);
  EXPECT_EQ(induction.solve(position.state), BackwardInduction::Outcome::Stopped);
  EXPECT_GE(induction.size(), 199U);
  EXPECT_LT(induction.value(0), 1);
  EXPECT_FALSE(induction.is_exact());
}

TEST(Retrograde, KnowsEachPositionOfTheGameItHasSolved) {
  const auto machine = bundled("nim", "sliced");
  const auto strategy = strategy_of("retrograde");
  Position position = initial_position(machine);
  const std::uint64_t all = think(*strategy, position).nodes;
  while (!is_terminal(position)) {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) {
      joint.push_back(legal_moves(position, r).back());
    }
    const Choice choice = think(*strategy, position);
    EXPECT_TRUE(choice.exact);
    EXPECT_EQ(choice.nodes, all);
    joint[0] = choice.move;
    for (const RootMove& move : choice.root) EXPECT_LE(move.low, choice.value);
    make_move(position, joint);
  }
}

TEST(Retrograde, PlaysATheoreticalWinToItsEnd) {
  const auto machine = bundled("nim", "sliced");
  const auto first = strategy_of("retrograde"), second = strategy_of("retrograde");
  Position position = initial_position(machine);
  const double promised = think(*first, position).value;
  while (!is_terminal(position)) {
    Position other = position;
    other.role = 1;
    const gdl::MoveId joint[] = {think(*first, position).move, think(*second, other).move};
    make_move(position, joint);
  }
  EXPECT_EQ(goals_of(position)[0], promised);
}

/// Going on wins, too, but later.
TEST(Retrograde, EndsTheGameWhereThatIsAsGood) {
  std::stop_source stop;
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<EndsWhenItPleases>(stop));
  EXPECT_EQ(think(*strategy_of("retrograde:nodes=1000"), initial_position(machine)).move, 1U);
}

TEST(Retrograde, DrawsAmongEquallyGoodMovesWhereAskedTo) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position position = initial_position(machine);
  std::set<gdl::MoveId> random, first;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string options = ",seed=" + std::to_string(seed);
    const auto strategy = strategy_of("retrograde:ties=random" + options);
    const Choice choice = think(*strategy, position);
    EXPECT_EQ(choice.value, 50);
    EXPECT_EQ(think(*strategy, position).move, choice.move) << "asked again";
    random.insert(choice.move);
    first.insert(think(*strategy_of("retrograde:ties=first" + options), position).move);
  }
  EXPECT_GT(random.size(), 2U);
  EXPECT_EQ(first, std::set{legal_moves(position, 0).front()});
}

/// One role goes round a ring of five states, either way, and may end the game in one of them.
class Ring final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state, gdl::RoleIndex) const override {
    return state == kWayOut ? std::vector<gdl::MoveId>{1, 2, 3} : std::vector<gdl::MoveId>{1, 2};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return move[0] == 3 ? kOver : (state + (move[0] == 1 ? 1 : 4)) % 5;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state != kOver) return std::nullopt;
    return std::vector{100};
  }

 private:
  static constexpr std::uint64_t kWayOut = 2, kOver = 5;
};

/// All moves are worth 100 there, also those that lead away from the end.
TEST(Retrograde, DoesNotGoInCirclesForVariety) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<Ring>());
  for (int seed = 1; seed <= 8; ++seed) {
    const auto strategy = strategy_of("retrograde:ties=random,seed=" + std::to_string(seed));
    Position position = initial_position(machine);
    for (int step = 0; step < 5 && !is_terminal(position); ++step) {
      make_move(position, std::vector<gdl::MoveId>{think(*strategy, position).move});
    }
    EXPECT_TRUE(is_terminal(position)) << seed;
  }
}

TEST(Retrograde, GivesUpWhereThereIsNoEndOfStates) {
  const auto machine = bundled("connect_four", "sliced");
  const auto strategy = strategy_of("retrograde:trial=0");
  const Choice choice = think(*strategy, initial_position(machine), Deadline::in(3600));
  EXPECT_FALSE(choice.exact);
  EXPECT_THAT(strategy->explanation(), HasSubstr("no time"));
}

TEST(Retrograde, AfterATrialGoesOnIfFewStatesAreLeft) {
  const auto machine = bundled("nim", "sliced");
  const Position position = initial_position(machine);
  const Deadline later = Deadline::in(1e7);
  for (const auto& [most, outcome] : {std::pair(10'000.0, BackwardInduction::Outcome::Complete),
                                      std::pair(1e30, BackwardInduction::Outcome::Stopped),
                                      std::pair(0.0, BackwardInduction::Outcome::Stopped)}) {
    BackwardInduction induction(machine, 0, later, nullptr);
    induction.set_patience({.trial = TimePoint::min(), .states = most});
    EXPECT_EQ(induction.solve(position.state), outcome) << most;
  }
}

TEST(BackwardInduction, HasValuesOfWhatItFoundBeforeItWasStopped) {
  for (const bool all : {false, true}) {
    std::stop_source stop;
    const auto machine = std::make_shared<NativeMachine>(std::make_shared<EndsWhenItPleases>(stop));
    const Deadline deadline(stop.get_token());
    BackwardInduction induction(machine, 0, deadline, nullptr);
    if (all) induction.need_all();
    EXPECT_EQ(induction.solve(initial_position(machine).state),
              BackwardInduction::Outcome::Stopped);
    EXPECT_EQ(induction.value(0), all ? 0 : 100);
  }
}

TEST(StateCount, IsNeverLessThanTheStatesThereAre) {
  for (const char* game : {"nim", "tic_tac_toe", "cooperative"}) {
    const auto machine = bundled(game, "sliced");
    const Position position = initial_position(machine);
    const Deadline never;
    BackwardInduction induction(machine, 0, never, nullptr);
    ASSERT_EQ(induction.solve(position.state), BackwardInduction::Outcome::Complete) << game;
    const double most = most_states(*machine, never, nullptr, 1);
    EXPECT_GE(most, static_cast<double>(induction.size())) << game;
    EXPECT_TRUE(std::isfinite(most)) << game;
  }
}

TEST(StateCount, IsUnknownWithoutANetwork) {
  const auto machine = bundled("nim", "interpreter");
  EXPECT_TRUE(std::isinf(most_states(*machine, Deadline(), nullptr, 1)));
}

}  // namespace
}  // namespace ludens::search::test
