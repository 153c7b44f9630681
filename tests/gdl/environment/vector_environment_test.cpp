// SPDX-License-Identifier: MIT
// What slots can do: be refused, cut, saved, restored and played by several threads.
#include "gdl/environment/vector_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "gdl/registry/machines.h"
#include "tests/gdl/environment/environment_arrays.h"
#include "tests/gdl/environment/environment_games.h"
#include "tests/gdl/memory/peak.h"
#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

using Arrays = tests::EnvironmentArrays;

std::vector<std::uint32_t> first_slots(std::uint32_t count) {
  std::vector<std::uint32_t> slots(count);
  std::iota(slots.begin(), slots.end(), 0U);
  return slots;
}

TEST(VectorEnvironment, RefusesAnIllegalActionAndMovesNothing) {
  VectorEnvironment environment(environment_game("tic_tac_toe"), {.slots = 700});
  Arrays arrays(environment);
  const Spaces& spaces = environment.game()->spaces();
  const auto noop = static_cast<std::int32_t>(*spaces.find_action(1, "noop"));
  const auto mark = static_cast<std::int32_t>(*spaces.find_action(0, "( MARK 2 2 )"));
  for (std::size_t s = 0; s < 700; ++s) {
    arrays.actions[2 * s] = mark;
    arrays.actions[2 * s + 1] = noop;
  }
  ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
  const auto before = arrays.bytes;
  for (const std::int32_t wrong : {mark, 10, 1'000'000, -2, INT32_MIN, INT32_MAX}) {
    for (std::size_t s = 0; s < 700; ++s) {
      arrays.actions[2 * s] = kAnyAction;
      arrays.actions[2 * s + 1] = kAnyAction;
    }
    arrays.actions[2 * 600 + 1] = wrong;
    const auto refused = environment.step(arrays.actions.data(), arrays.results(), arrays.views());
    ASSERT_TRUE(refused);
    EXPECT_EQ(600U, refused->slot);
    EXPECT_EQ(1U, refused->player);
    EXPECT_EQ(wrong, refused->action);
    environment.look(arrays.views());
    EXPECT_EQ(before, arrays.bytes);
  }
  EXPECT_EQ(700U, environment.steps());
}

TEST(VectorEnvironment, DrawsTheSameChanceMovesWhateverItHasRefused) {
  const auto game = environment_game("pig");
  const VectorOptions options{.slots = 1'000, .seed = 5};
  VectorEnvironment careful(game, options), careless(game, options);
  Arrays expected(careful), seen(careless);
  for (int step = 0; step < 20; ++step) {
    std::fill(expected.actions.begin(), expected.actions.end(), kAnyAction);
    seen.actions = expected.actions;
    seen.actions.back() = 1'000'000;
    ASSERT_TRUE(careless.step(seen.actions.data(), seen.results(), seen.views()));
    seen.actions.back() = kAnyAction;
    ASSERT_FALSE(careless.step(seen.actions.data(), seen.results(), seen.views()));
    ASSERT_FALSE(careful.step(expected.actions.data(), expected.results(), expected.views()));
    ASSERT_EQ(expected.states, seen.states);
  }
}

/// The bytes of an environment with so many slots.
std::size_t bytes_with(const std::shared_ptr<const EnvironmentGame>& game, std::size_t slots) {
  MemoryBudget memory(std::size_t{1} << 30);
  const VectorEnvironment environment(game, {.slots = static_cast<std::uint32_t>(slots)}, &memory);
  return memory.used();
}

TEST(VectorEnvironment, DrawsTheSameMovesIfThereAreTooManySlotsToKeepWhatAStepComputes) {
  const auto game = environment_game("othello");
  const std::size_t lanes = game->lanes();
  const std::size_t of_block = bytes_with(game, 2 * lanes) - bytes_with(game, lanes);
  const std::size_t blocks = (std::size_t{256} << 20) / of_block;
  ASSERT_LT(bytes_with(game, blocks * lanes), blocks * of_block / 2);
  std::vector<std::vector<std::uint64_t>> seen;
  for (const OnIllegal on_illegal : {OnIllegal::Refuse, OnIllegal::End}) {
    for (const std::size_t slots : {lanes, blocks * lanes}) {
      VectorEnvironment environment(
          game, {.slots = static_cast<std::uint32_t>(slots), .seed = 5, .on_illegal = on_illegal});
      const std::vector<std::int32_t> actions(slots * game->player_count(), kAnyAction);
      for (int step = 0; step < 3; ++step) ASSERT_FALSE(environment.step(actions.data(), {}, {}));
      std::vector<std::uint64_t> states(slots * game->state_plan().words());
      const View view{&game->state_plan(), RowForm::Bits, states.data()};
      environment.look({&view, 1});
      states.resize(lanes * game->state_plan().words());
      seen.push_back(std::move(states));
      EXPECT_EQ(seen.front(), seen.back()) << slots;
    }
  }
}

TEST(VectorEnvironment, EndsAnEpisodeWithAnIllegalActionIfTold) {
  VectorEnvironment environment(
      environment_game("tic_tac_toe"),
      {.slots = 3, .restart = Restart::Never, .on_illegal = OnIllegal::End, .least_reward = -1});
  Arrays arrays(environment);
  arrays.actions = {kAnyAction, kAnyAction, 99, kAnyAction, kAnyAction, kAnyAction};
  for (int i = 0; i < 2; ++i) {
    ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    EXPECT_EQ((std::vector<std::uint8_t>{0, 1, 0}), arrays.terminated);
    const float lost = i == 0 ? -1.0F : 0.0F;
    EXPECT_EQ((std::vector<float>{0, 0, lost, lost, 0, 0}), arrays.rewards);
  }
  EXPECT_EQ(4U, environment.steps());
}

TEST(VectorEnvironment, CutsEpisodesAtTheCap) {
  VectorEnvironment environment(environment_game("connect_four"),
                                {.slots = 5, .restart = Restart::AtOnce, .step_cap = 3});
  Arrays arrays(environment);
  environment.look(arrays.views());
  const auto start = arrays.bytes;
  std::fill(arrays.actions.begin(), arrays.actions.end(), kAnyAction);
  for (int step = 1; step <= 7; ++step) {
    ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    EXPECT_EQ(std::vector<std::uint8_t>(5, step % 3 == 0), arrays.truncated);
    EXPECT_EQ(step % 3 == 0, start == arrays.bytes);
  }
}

TEST(VectorEnvironment, CutsEpisodesWhereARoleHasNoMove) {
  const auto vocabulary = std::make_shared<Vocabulary>(read_rules(R"(
    (role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3)
    (<= (legal a go) (true (step ?n)))
    (<= (legal b go) (true (step 1)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m) (does a go))
    (<= terminal (true (step 3))) (goal a 100) (goal b 0))")
                                                           .normalised.rules);
  VectorEnvironment environment(environment_game(vocabulary), {.slots = 2});
  Arrays arrays(environment);
  for (const std::int32_t action : {0, kAnyAction}) {
    environment.reset();
    arrays.actions = {action, action, action, action};
    ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    EXPECT_EQ((std::vector<std::uint8_t>{0, 0}), arrays.truncated);
    ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    EXPECT_EQ((std::vector<std::uint8_t>{1, 1}), arrays.truncated);
    EXPECT_EQ((std::vector<std::uint8_t>{0, 0}), arrays.terminated);
  }
}

TEST(VectorEnvironment, CutsEpisodesAtOnceWhereChanceNeverHasAMove) {
  const auto vocabulary = std::make_shared<Vocabulary>(read_rules(R"(
    (role a) (role random) (init start) (legal a go)
    (<= (next end) (does a go)) (<= terminal (true end)) (goal a 100) (goal random 0))")
                                                           .normalised.rules);
  VectorEnvironment environment(environment_game(vocabulary), {.slots = 2});
  Arrays arrays(environment);
  for (const std::int32_t action : {0, kAnyAction}) {
    environment.reset();
    arrays.actions = {action, action};
    ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    EXPECT_EQ((std::vector<std::uint8_t>{1, 1}), arrays.truncated);
    EXPECT_EQ((std::vector<std::uint8_t>{0, 0}), arrays.terminated);
  }
  EXPECT_EQ(0U, environment.steps());
}

TEST(VectorEnvironment, PlaysTheSameWithOneThreadAndWithThree) {
  const auto game = environment_game("pig");
  std::vector<std::vector<std::uint8_t>> seen;
  for (const std::uint32_t threads : {1, 3}) {
    VectorEnvironment environment(game, {.slots = 2000, .seed = 4, .threads = threads});
    Arrays arrays(environment);
    for (int i = 0; i < 50; ++i) {
      environment.draw(arrays.actions.data());
      ASSERT_FALSE(environment.step(arrays.actions.data(), arrays.results(), arrays.views()));
    }
    environment.roll(50, arrays.results(), arrays.views());
    seen.push_back(arrays.bytes);
    environment.reset(4);
    environment.roll(9, arrays.results(), arrays.views());
    seen.push_back(arrays.bytes);
  }
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_EQ(seen[1], seen[3]);
  EXPECT_NE(seen[0], seen[1]);
}

TEST(VectorEnvironment, DrawsActionsUniformly) {
  VectorEnvironment environment(environment_game("connect_four"), {.slots = 8000});
  Arrays arrays(environment);
  environment.draw(arrays.actions.data());
  std::map<std::int32_t, int> first;
  for (std::size_t s = 0; s < 8000; ++s) ++first[arrays.actions[2 * s]];
  double chi_square = 0;
  const double expected = 8000.0 / 7;
  ASSERT_EQ(7U, first.size());
  for (const auto& [action, count] : first) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_square, 28);  // 6 degrees of freedom: once in ten thousand seeds
}

TEST(VectorEnvironment, SavesAndRestoresSlots) {
  const auto game = environment_game("connect_four");
  VectorEnvironment environment(game, {.slots = 1500, .restart = Restart::Never});
  Arrays arrays(environment);
  environment.roll(13, arrays.results(), arrays.views());
  const auto before = arrays.bytes;
  const auto ended = arrays.terminated;
  const auto slots = first_slots(1500);
  std::vector<std::uint64_t> saved(1500 * environment.saved_words());
  environment.save(slots, saved.data());
  environment.roll(5, arrays.results(), arrays.views());
  EXPECT_NE(before, arrays.bytes);
  environment.restore(slots, saved.data());
  environment.look(arrays.views());
  EXPECT_EQ(before, arrays.bytes);
  std::vector<std::uint64_t> again(saved.size());
  environment.save(slots, again.data());
  EXPECT_EQ(saved, again);
  EXPECT_GT(std::accumulate(ended.begin(), ended.end(), 0), 0);

  // A few of them, to other slots.
  const std::vector<std::uint32_t> to{1499, 3};
  environment.reset();
  environment.restore(to, saved.data());
  environment.look(arrays.views());
  const std::size_t row = game->state_plan().size();
  EXPECT_TRUE(std::equal(&before[0], &before[row], &arrays.bytes[1499 * row]));
  EXPECT_TRUE(std::equal(&before[row], &before[row] + row, &arrays.bytes[3 * row]));
}

TEST(VectorEnvironment, ReportsWhetherSlotsThatArePutAreOver) {
  const auto game = environment_game("tic_tac_toe");
  VectorEnvironment environment(game, {.slots = 600, .restart = Restart::Never, .step_cap = 20});
  Arrays arrays(environment);
  const std::vector<std::uint32_t> some{599, 3};
  std::vector<std::uint64_t> begun(2 * environment.saved_words()), over(begun.size());
  environment.save(some, begun.data());
  environment.roll(9, arrays.results(), arrays.views());
  environment.save(some, over.data());
  const auto ended = arrays.terminated;
  EXPECT_EQ(600, std::accumulate(ended.begin(), ended.end(), 0));
  arrays.rewards.assign(arrays.rewards.size(), 7);
  environment.restore(some, begun.data(), arrays.results());
  EXPECT_EQ(598, std::accumulate(arrays.terminated.begin(), arrays.terminated.end(), 0));
  for (const std::uint32_t slot : some) EXPECT_EQ(0, arrays.terminated[slot]);
  EXPECT_EQ(2 * 2, std::ranges::count(arrays.rewards, 0.0F));
  environment.restore(some, over.data(), arrays.results());
  EXPECT_EQ(ended, arrays.terminated);

  // The states alone.
  environment.set_states(std::span(some).first(1), begun.data(), arrays.results());
  EXPECT_EQ(0, arrays.terminated[599]);
  environment.set_states(std::span(some).first(1), over.data(), arrays.results());
  EXPECT_EQ(1, arrays.terminated[599]);
}

/// A row has no bit for `( wall a )`, which always holds.
TEST(VectorEnvironment, GivesMachinesWhatAlwaysHolds) {
  const auto vocabulary = std::make_shared<Vocabulary>(read_rules(R"(
    (role r) (cell a) (cell b) (init (wall a)) (init (at s))
    (<= (next (wall ?x)) (true (wall ?x)))
    (<= (legal r (go ?x)) (cell ?x) (true (at s)) (not (true (wall ?x))))
    (<= (next (at ?x)) (does r (go ?x)))
    (<= terminal (true (at b))) (goal r 100))")
                                                           .normalised.rules);
  for (const char* name : {"interpreter", "scalar", "sliced"}) {
    const auto machine = make_machine(name, vocabulary).value();
    const auto game = EnvironmentGame::make(machine).value();
    const auto context = machine->make_context();
    State start, again;
    ASSERT_EQ(Status::Ok, machine->initial(*context, start));
    std::vector<std::uint64_t> row(game->state_plan().words());
    game->from_machine(start, row);
    game->to_machine(row, again);
    EXPECT_TRUE(StateView(start) == StateView(again)) << name;
    std::vector<MoveId> moves;
    ASSERT_EQ(Status::Ok, machine->legal(*context, again, 0, moves));
    EXPECT_THAT(moves, testing::ElementsAre(*vocabulary->find_move("(go b)"))) << name;
  }
}

TEST(VectorEnvironment, TakesStatesOfMachines) {
  const auto game = environment_game("breakthrough");
  VectorEnvironment environment(game, {.slots = 70});
  Arrays arrays(environment);
  environment.roll(11, arrays.results(), arrays.views());
  State state;
  const std::size_t words = game->state_plan().words();
  const std::span<const std::uint64_t> row(&arrays.states[69 * words], words);
  game->to_machine(row, state);
  std::vector<std::uint64_t> back(words);
  game->from_machine(state, back);
  EXPECT_TRUE(std::ranges::equal(row, back));
  const auto context = game->machine()->make_context();
  std::vector<FluentId> fluents;
  ASSERT_EQ(Status::Ok, game->machine()->fluents(*context, state, fluents));
  std::size_t held = 0;
  for (const std::uint64_t word : row) held += static_cast<std::size_t>(std::popcount(word));
  EXPECT_EQ(held, fluents.size());
  const std::vector<std::uint32_t> slot{0};
  environment.set_states(slot, back.data());
  environment.look(arrays.views());
  EXPECT_TRUE(std::ranges::equal(std::span(arrays.states).first(words), back));
}

TEST(VectorEnvironment, WritesAnySelectionOfFluents) {
  const auto game = environment_game("tic_tac_toe");
  VectorEnvironment environment(game, {.slots = 3});
  const std::vector<std::uint32_t> numbers{2, EnvironmentGame::kNothing, 0, 2};
  const RowPlan plan = game->plan(numbers);
  Arrays arrays(environment);
  std::vector<std::uint8_t> rows(3 * 4, 7);
  auto views = arrays.views();
  views.push_back({&plan, RowForm::Bytes, rows.data()});
  environment.roll(4, arrays.results(), views);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(arrays.fluent(s, 2), rows[4 * s] != 0);
    EXPECT_EQ(0, rows[4 * s + 1]);
    EXPECT_EQ(arrays.fluent(s, 0), rows[4 * s + 2] != 0);
    EXPECT_EQ(rows[4 * s], rows[4 * s + 3]);
  }
}

TEST(VectorEnvironment, CountsItsMemory) {
  const auto game = environment_game("connect_four");
  MemoryBudget little(10'000), much(std::size_t{1} << 30);
  EXPECT_THROW(VectorEnvironment(game, {.slots = 4096}, &little), std::bad_alloc);
  EXPECT_EQ(0U, little.used());
  {
    const VectorEnvironment environment(game, {.slots = 4096}, &much);
    EXPECT_GT(much.used(), 4096U * 10);
  }
  EXPECT_EQ(0U, much.used());
}

TEST(VectorEnvironment, TakesNoMemoryBeforeItIsCounted) {
  const auto game = environment_game("tic_tac_toe");
  MemoryBudget little(100'000);
  tests::forget_peak();
  const std::size_t before = tests::peak_bytes();
  for (const std::uint32_t slots : {std::uint32_t{1} << 24, ~std::uint32_t{0}}) {
    EXPECT_THROW(VectorEnvironment(game, {.slots = slots}, &little), std::bad_alloc);
    EXPECT_EQ(0U, little.used());
  }
  if (!kSanitized) {
    EXPECT_LT(tests::peak_bytes() - before, std::size_t{16} << 20);
  }
}

TEST(EnvironmentGame, SaysWhyThereIsNone) {
  const auto endless = std::make_shared<Vocabulary>(read_rules(R"(
    (role a) (init (n 0)) (legal a go) (<= (next (n (s ?x))) (true (n ?x))) (goal a 0)
    (<= terminal (true (n 1))))")
                                                        .normalised.rules);
  const auto interpreter = make_machine("interpreter", endless).value();
  const auto made = EnvironmentGame::make(interpreter);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text, testing::HasSubstr("finitely many facts"));
}

}  // namespace
}  // namespace ludens::gdl
