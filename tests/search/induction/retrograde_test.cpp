// SPDX-License-Identifier: MIT
#include "search/induction/retrograde.h"

#include <gmock/gmock.h>

#include <cmath>

#include "search/induction/backward.h"
#include "search/learning/state_count.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using ::testing::HasSubstr;

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
