// SPDX-License-Identifier: MIT
// What the structure says of goals and end, against the machine.
#include "search/factors/condition.h"

#include <gtest/gtest.h>

#include "search/factors/projection.h"
#include "tests/search/factors/split_games.h"

namespace ludens::search::factors {
namespace {

using gdl::Structure;

bool holds(ConditionReader& reader, const Structure::Alternatives& alternatives,
           const std::vector<gdl::FluentId>& fluents) {
  return std::ranges::any_of(alternatives, [&](const auto& conditions) {
    return std::ranges::all_of(conditions, [&](const auto& c) { return reader.holds(c, fluents); });
  });
}

/// Compares what is known of end and goals with the machine, along random plays; how many
/// answers were compared.
std::size_t compare(const gdl::Machine& machine, int plays) {
  const Structure& structure = machine.structure();
  const auto context = machine.make_context();
  gdl::Rng rng(5);
  ConditionReader reader;
  std::size_t compared = 0;
  std::vector<gdl::FluentId> fluents;
  std::vector<gdl::MoveId> legal, joint(machine.role_count());
  std::vector<int> goals(machine.role_count());
  gdl::State state, next;
  for (int play = 0; play < plays; ++play) {
    EXPECT_EQ(machine.initial(*context, state), gdl::Status::Ok);
    for (bool over = false; !over; state = next) {
      EXPECT_EQ(machine.fluents(*context, state, fluents), gdl::Status::Ok);
      EXPECT_EQ(machine.terminal(*context, state, over), gdl::Status::Ok);
      EXPECT_EQ(machine.goals(*context, state, goals), gdl::Status::Ok);
      if (structure.end) {
        EXPECT_EQ(holds(reader, *structure.end, fluents), over);
        ++compared;
      }
      for (gdl::RoleIndex role = 0; role < goals.size() && !structure.goals.empty(); ++role) {
        for (const Structure::GoalValue& goal : structure.goals[role]) {
          if (!goal.alternatives || goal.value == 0) continue;
          EXPECT_EQ(holds(reader, *goal.alternatives, fluents), goals[role] == goal.value)
              << goal.value;
          ++compared;
        }
      }
      for (gdl::RoleIndex role = 0; role < joint.size() && !over; ++role) {
        EXPECT_EQ(machine.legal(*context, state, role, legal), gdl::Status::Ok);
        joint[role] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      }
      if (over) break;
      EXPECT_EQ(machine.next(*context, state, joint, next), gdl::Status::Ok);
    }
  }
  return compared;
}

TEST(Conditions, SayWhatTheMachineSays) {
  for (const char* game : {"three_boards", "eight_puzzle", "tic_tac_toe", "connect_four_small",
                           "lights_out", "peg_solitaire", "nim", "goofspiel"}) {
    SCOPED_TRACE(game);
    EXPECT_GT(compare(*test::fast_machine(test::bundled_rulesheet(game)), 5), 20u);
  }
  EXPECT_GT(compare(*test::fast_machine(test::dials(3, 12)), 200), 1000u);
  EXPECT_GT(compare(*test::fast_machine(test::fading_lamps(3, 2, 9)), 200), 1000u);
}

TEST(Conditions, OfIndependentPartsStandApart) {
  const auto machine = test::fast_machine(test::dials(3, 12));
  const Projection projection(*machine);
  const auto& goals = machine->structure().goals[0];
  ASSERT_EQ(goals.back().value, 100);
  ASSERT_TRUE(goals.back().alternatives);
  ASSERT_EQ(goals.back().alternatives->size(), 1u);
  std::set<std::uint32_t> factors;
  for (const auto& condition : goals.back().alternatives->front()) {
    factors.insert(projection.factor_of_all(condition.fluents));
  }
  EXPECT_EQ(factors.size(), 3u);
  EXPECT_FALSE(factors.contains(kNoFactor));
}

TEST(Conditions, OfAGoalThatNothingStandsInTheWayOfAreNone) {
  const auto machine = test::fast_machine(
      "(role a)(init (p 1))(legal a (set 1))(legal a (set 2))(<= (next (p ?x)) (does a (set ?x)))"
      "(<= terminal (true (p 2)))(goal a 100)");
  const auto& goals = machine->structure().goals[0];
  ASSERT_FALSE(goals.empty());
  ASSERT_TRUE(goals.back().alternatives);
  EXPECT_EQ(*goals.back().alternatives, Structure::Alternatives{{}});
}

}  // namespace
}  // namespace ludens::search::factors
