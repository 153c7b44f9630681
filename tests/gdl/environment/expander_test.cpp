// SPDX-License-Identifier: MIT
#include "gdl/environment/expander.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gdl/registry/machines.h"
#include "tests/gdl/environment/environment_games.h"
#include "tests/gdl/machine/bundled_game.h"

namespace ludens::gdl {
namespace {

std::vector<std::uint64_t> initial_row(const EnvironmentGame& game) {
  const auto context = game.machine()->make_context();
  State state;
  (void)game.machine()->initial(*context, state);
  std::vector<std::uint64_t> row(game.state_plan().words());
  game.from_machine(state, row);
  return row;
}

/// Numbers of paths of each length, and of those that end there.
void expect_paths(const char* name, const std::vector<std::size_t>& paths) {
  const auto game = environment_game(name);
  Expander expander(game);
  Successors next;
  const std::size_t words = game->state_plan().words();
  std::vector<std::uint64_t> states = initial_row(*game);
  for (const std::size_t count : paths) {
    expander.expand(states.size() / words, states, next);
    ASSERT_EQ(count, next.parent.size());
    states.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (next.terminal[i] != 0) continue;
      states.insert(states.end(), &next.states[i * words], &next.states[i * words] + words);
    }
  }
}

TEST(Expander, CountsPaths) {
  expect_paths("tic_tac_toe", {9, 72, 504, 3024, 15120, 54720});
  expect_paths("breakthrough_small", {13, 156, 1924});
  expect_paths("rock_paper_scissors", {9, 81});
}

TEST(Expander, SaysWhatMachinesSay) {
  const auto game = environment_game("connect_four");
  VectorEnvironment environment(game, {.slots = 300, .restart = Restart::NextStep});
  const std::size_t words = game->state_plan().words(), roles = game->player_count();
  std::vector<std::uint64_t> states(300 * words);
  const View view{&game->state_plan(), RowForm::Bits, states.data()};
  environment.roll(9, {}, {&view, 1});
  Successors next;
  Expander(game, -1, 1).expand(300, states, next);
  const auto& machine = *game->machine();
  const auto context = machine.make_context();
  std::size_t ended = 0;
  for (std::size_t i = 0; i < next.parent.size(); ++i) {
    State state, expected, given;
    game->to_machine(std::span(states).subspan(next.parent[i] * words, words), state);
    std::vector<MoveId> joint;
    for (std::size_t p = 0; p < roles; ++p) {
      joint.push_back(
          game->spaces().actions[p][static_cast<std::size_t>(next.actions[i * roles + p])]);
    }
    ASSERT_EQ(Status::Ok, machine.next(*context, state, joint, expected));
    game->to_machine(std::span(next.states).subspan(i * words, words), given);
    ASSERT_TRUE(StateView(expected) == StateView(given));
    bool over = false;
    ASSERT_EQ(Status::Ok, machine.terminal(*context, expected, over));
    ASSERT_EQ(over, next.terminal[i] != 0);
    std::vector<int> goals(roles);
    ASSERT_EQ(Status::Ok, machine.goals(*context, expected, goals));
    for (std::size_t p = 0; p < roles; ++p) {
      const float reward = over ? static_cast<float>(goals[p] - 50) / 50 : 0;
      ASSERT_FLOAT_EQ(reward, next.rewards[i * roles + p]);
    }
    ended += over ? 1 : 0;
  }
  EXPECT_GT(ended, 0U);
}

TEST(Expander, FollowsStatesWithoutFluents) {
  const auto game = environment_game(std::make_shared<Vocabulary>(read_rules(R"(
    (role w) (init (s 0)) (legal w a) (legal w b) (<= (next (s 0)) (true (s 0))) (goal w 50)
    (<= terminal (true (s 9))))")
                                                                      .normalised.rules));
  ASSERT_EQ(game->state_plan().words(), 0U);
  Successors next;
  Expander(game).expand(2, {}, next);
  EXPECT_THAT(next.parent, testing::ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(next.actions, testing::ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(next.terminal, testing::Each(0));
  VectorEnvironment environment(game, {.slots = 2});
  const std::vector<std::uint32_t> slots{0, 1};
  std::vector<std::uint64_t> saved(2 * environment.saved_words());
  environment.roll(3, {}, {});
  environment.save(slots, saved.data());
  environment.restore(slots, saved.data());
}

/// Forty players with two moves each have a million million joint ones, and a hundred overflow.
TEST(Expander, RefusesMoreJointActionsThanMemoryHolds) {
  for (const int roles : {40, 100}) {
    std::string text =
        "(init start) (<= (next end) (true start)) (<= terminal (true end))"
        "(<= (legal ?r 0) (role ?r)) (<= (legal ?r 1) (role ?r)) (<= (goal ?r 0) (role ?r))";
    for (int r = 0; r < roles; ++r) text += "(role r" + std::to_string(r) + ")";
    const auto game =
        environment_game(std::make_shared<Vocabulary>(read_rules(text).normalised.rules));
    MemoryBudget memory(std::size_t{64} << 20);
    Expander expander(game, 0, 1, 0, &memory);
    Successors next;
    EXPECT_THROW(expander.expand(1, initial_row(*game), next), std::bad_alloc) << roles;
  }
}

}  // namespace
}  // namespace ludens::gdl
