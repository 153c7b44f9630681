// SPDX-License-Identifier: MIT
// Environments against the interpreter, state by state, on bundled games: what is seen, what is
// legal, who has won; and everything else that slots can do.
#include "gdl/environment/vector_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "gdl/interpreter/interpreter.h"
#include "gdl/registry/machines.h"
#include "tests/gdl/environment/environment_games.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/gdl/memory/peak.h"
#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

/// The caller's arrays for all results of an environment.
struct Arrays {
  explicit Arrays(const VectorEnvironment& environment)
      : game(*environment.game()),
        slots(environment.slots()),
        players(game.player_count()),
        actions(slots * players),
        rewards(slots * players),
        terminated(slots),
        truncated(slots),
        states(slots * game.state_plan().words()),
        mask_bits(slots * game.mask_plan().words()),
        bytes(slots * game.state_plan().size()),
        floats(slots * game.state_plan().size()),
        mask(slots * game.mask_plan().size()) {}

  [[nodiscard]] std::vector<View> views() {
    return {{&game.state_plan(), RowForm::Bits, states.data()},
            {&game.state_plan(), RowForm::Bytes, bytes.data()},
            {&game.state_plan(), RowForm::Floats, floats.data()},
            {&game.mask_plan(), RowForm::Bits, mask_bits.data()},
            {&game.mask_plan(), RowForm::Bytes, mask.data()}};
  }
  [[nodiscard]] StepResults results() {
    return {rewards.data(), terminated.data(), truncated.data()};
  }
  [[nodiscard]] bool fluent(std::size_t slot, std::size_t number) const {
    return bytes[slot * game.state_plan().size() + number] != 0;
  }
  [[nodiscard]] bool legal(std::size_t slot, std::size_t player, std::size_t action) const {
    return mask[slot * game.mask_plan().size() + game.mask_begin(player) + action] != 0;
  }
  /// The forms of one row say the same.
  void expect_forms_agree() const {
    const std::size_t size = game.state_plan().size(), words = game.state_plan().words();
    const std::size_t mask_size = game.mask_plan().size(), mask_words = game.mask_plan().words();
    for (std::size_t s = 0; s < slots; ++s) {
      for (std::size_t i = 0; i < words * 64; ++i) {
        const bool bit = (states[s * words + i / 64] >> (i % 64) & 1) != 0;
        ASSERT_EQ(bit, i < size && bytes[s * size + i] != 0);
        if (i < size) {
          ASSERT_EQ(bit ? 1.0F : 0.0F, floats[s * size + i]);
        }
      }
      for (std::size_t i = 0; i < mask_words * 64; ++i) {
        const bool bit = (mask_bits[s * mask_words + i / 64] >> (i % 64) & 1) != 0;
        ASSERT_EQ(bit, i < mask_size && mask[s * mask_size + i] != 0);
      }
    }
  }

  const EnvironmentGame& game;
  std::size_t slots, players;
  std::vector<std::int32_t> actions;
  std::vector<float> rewards;
  std::vector<std::uint8_t> terminated, truncated;
  std::vector<std::uint64_t> states, mask_bits;
  std::vector<std::uint8_t> bytes;
  std::vector<float> floats;
  std::vector<std::uint8_t> mask;
};

/// One slot's episode as the interpreter plays it.
class Reference {
 public:
  Reference(const EnvironmentGame& game, const std::shared_ptr<Vocabulary>& vocabulary)
      : game_(game),
        machine_(make_machine("interpreter", vocabulary).value()),
        context_(machine_->make_context()) {
    (void)machine_->initial(*context_, start_);
  }

  [[nodiscard]] const State& start() const { return start_; }

  void expect_seen(const State& state, const Arrays& arrays, std::size_t slot) {
    const Spaces& spaces = game_.spaces();
    std::vector<FluentId> fluents;
    (void)machine_->fluents(*context_, state, fluents);
    for (std::size_t n = 0; n < spaces.fluents.size(); ++n) {
      ASSERT_EQ(std::ranges::binary_search(fluents, spaces.fluents[n]), arrays.fluent(slot, n))
          << spaces.fluent_names[n];
    }
    for (std::size_t p = 0; p < spaces.players.size(); ++p) {
      const std::vector<MoveId> legal = legal_moves(state, spaces.players[p]);
      std::size_t found = 0;
      for (std::size_t a = 0; a < spaces.actions[p].size(); ++a) {
        const bool is_legal = std::ranges::binary_search(legal, spaces.actions[p][a]);
        found += is_legal ? 1 : 0;
        ASSERT_EQ(is_legal, arrays.legal(slot, p, a)) << spaces.action_names[p][a];
      }
      ASSERT_EQ(found, legal.size());
    }
  }

  /// A random legal action of each player, by number.
  void choose(const State& state, Rng& rng, std::int32_t* actions) {
    const Spaces& spaces = game_.spaces();
    for (std::size_t p = 0; p < spaces.players.size(); ++p) {
      const std::vector<MoveId> legal = legal_moves(state, spaces.players[p]);
      const MoveId move = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      actions[p] = static_cast<std::int32_t>(std::ranges::find(spaces.actions[p], move) -
                                             spaces.actions[p].begin());
    }
  }

  /// Where the joint action leads; of chance, any of the states that its moves lead to.
  [[nodiscard]] std::vector<State> next(const State& state, const std::int32_t* actions) {
    const Spaces& spaces = game_.spaces();
    std::vector<MoveId> joint(machine_->role_count());
    for (std::size_t p = 0; p < spaces.players.size(); ++p) {
      joint[spaces.players[p]] = spaces.actions[p][static_cast<std::size_t>(actions[p])];
    }
    std::vector<MoveId> chance{0};
    if (machine_->random_role()) chance = legal_moves(state, *machine_->random_role());
    std::vector<State> states;
    for (const MoveId move : chance) {
      if (machine_->random_role()) joint[*machine_->random_role()] = move;
      (void)machine_->next(*context_, state, joint, states.emplace_back());
    }
    return states;
  }

  [[nodiscard]] bool terminal(const State& state) {
    bool over = false;
    (void)machine_->terminal(*context_, state, over);
    return over;
  }
  [[nodiscard]] float reward(const State& state, std::size_t player) {
    std::vector<int> goals(machine_->role_count());
    (void)machine_->goals(*context_, state, goals);
    return static_cast<float>(goals[game_.spaces().players[player]]) / 100;
  }
  /// Whether the row of bits is this state.
  [[nodiscard]] bool is(const State& state, const Arrays& arrays, std::size_t slot) {
    std::vector<FluentId> fluents;
    (void)machine_->fluents(*context_, state, fluents);
    const Spaces& spaces = game_.spaces();
    for (std::size_t n = 0; n < spaces.fluents.size(); ++n) {
      if (std::ranges::binary_search(fluents, spaces.fluents[n]) != arrays.fluent(slot, n))
        return false;
    }
    return true;
  }

 private:
  std::vector<MoveId> legal_moves(const State& state, RoleIndex role) {
    std::vector<MoveId> legal;
    (void)machine_->legal(*context_, state, role, legal);
    return legal;
  }

  const EnvironmentGame& game_;
  std::shared_ptr<const Machine> machine_;
  std::unique_ptr<Machine::Context> context_;
  State start_;
};

/// Plays all slots and checks each state; slots restart within the step or in the next one.
void expect_same_games(const std::string& name, std::size_t lanes, Restart restart,
                       std::uint32_t slots, int steps) {
  const auto vocabulary = tests::bundled_game(name);
  const auto game = environment_game(vocabulary, lanes);
  VectorEnvironment environment(game, {.slots = slots, .restart = restart});
  Arrays arrays(environment), last(environment);
  Reference reference(*game, vocabulary);
  Rng rng(lanes);
  std::vector<State> states(slots, reference.start());
  std::vector<bool> ended(slots, false);
  environment.look(arrays.views());
  for (int step = 0; step < steps; ++step) {
    for (std::size_t s = 0; s < slots; ++s) {
      if (ended[s]) continue;
      reference.expect_seen(states[s], arrays, s);
      if (testing::Test::HasFatalFailure()) return;
      reference.choose(states[s], rng, &arrays.actions[s * arrays.players]);
    }
    ASSERT_FALSE(
        environment.step(arrays.actions.data(), arrays.results(), arrays.views(), last.views()));
    for (std::size_t s = 0; s < slots; ++s) {
      const std::int32_t* const actions = &arrays.actions[s * arrays.players];
      const bool restarts = ended[s];
      State after = reference.start();
      if (!restarts) {
        const auto next = reference.next(states[s], actions);
        const Arrays& seen = restart == Restart::AtOnce ? last : arrays;
        const auto found = std::ranges::find_if(
            next, [&](const State& state) { return reference.is(state, seen, s); });
        ASSERT_NE(found, next.end()) << "slot " << s << " in step " << step;
        after = *found;
      }
      const bool over = !restarts && reference.terminal(after);
      ASSERT_EQ(over, arrays.terminated[s] != 0);
      ASSERT_EQ(0, arrays.truncated[s]);
      for (std::size_t p = 0; p < arrays.players; ++p) {
        ASSERT_EQ(over ? reference.reward(after, p) : 0, arrays.rewards[s * arrays.players + p]);
      }
      ended[s] = over && restart == Restart::NextStep;
      states[s] = over && restart == Restart::AtOnce ? reference.start() : after;
    }
  }
  arrays.expect_forms_agree();
}

class EveryGame : public testing::TestWithParam<const char*> {};

TEST_P(EveryGame, IsPlayedAsTheInterpreterPlaysIt) {
  expect_same_games(GetParam(), 0, Restart::NextStep, 20, 60);
}

TEST_P(EveryGame, BeginsAnewWithinTheStep) {
  expect_same_games(GetParam(), 64, Restart::AtOnce, 5, 80);
}

INSTANTIATE_TEST_SUITE_P(Bundled, EveryGame,
                         testing::Values("amazons_small", "bidding_tic_tac_toe", "breakthrough",
                                         "checkers", "chess", "connect_four", "cooperative",
                                         "eight_puzzle", "goofspiel", "hex_small", "knights_tour",
                                         "lights_out", "nim", "othello", "peg_solitaire", "pig",
                                         "rock_paper_scissors", "sharing_game", "three_boards",
                                         "three_player", "tic_tac_toe", "tron"),
                         [](const auto& game) { return std::string(game.param); });

TEST(VectorEnvironment, IsTheSameAtEveryWidth) {
  for (const std::size_t lanes : {64, 128, 256, 512}) {
    if (kernel::find(lanes) == nullptr) continue;
    expect_same_games("tic_tac_toe", lanes, Restart::AtOnce, 600, 14);
    expect_same_games("breakthrough_small", lanes, Restart::NextStep, 90, 40);
  }
}

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

TEST(Spaces, NumberNamesInNaturalOrder) {
  const auto game = environment_game(std::make_shared<Vocabulary>(read_rules(R"(
    (role Ann) (role random) (init (on 2)) (init (on 10)) (<= (next (on ?n)) (does Ann (Take ?n)))
    (<= (legal Ann (Take ?n)) (true (on ?n))) (legal Ann wait) (legal random roll)
    (<= terminal (true (on 2)) (not (true (on 10)))) (goal Ann 100) (goal random 0)
    (legal Ann (Take 1))
    )")
                                                                      .normalised.rules));
  const Spaces& spaces = game->spaces();
  EXPECT_EQ(std::vector<std::string>{"Ann"}, spaces.player_names);
  EXPECT_EQ((std::vector<std::string>{"( Take 1 )", "( Take 2 )", "( Take 10 )", "wait"}),
            spaces.action_names[0]);
  EXPECT_EQ((std::vector<std::string>{"( on 2 )", "( on 10 )"}), spaces.fluent_names);
  EXPECT_EQ(spaces.find_action(0, "( TAKE 10 )"), std::optional<std::uint32_t>(2));
  EXPECT_EQ(spaces.find_action(0, "( take 3 )"), std::nullopt);
}

TEST(Spaces, PutNumbersBeforeWordsThatBeginWithADigit) {
  std::string text =
      "(role a) (init s) (<= (legal a ?n) (num ?n)) (<= (next (was ?n)) (does a ?n))"
      "(<= terminal (true (was 1))) (goal a 0) (num last) (num (of 9))";
  std::vector<std::string> numbers, words;
  for (int n = 1; n <= 30; ++n) {
    numbers.push_back(std::to_string(n));
    words.push_back(numbers.back() + "a");
    text += "(num " + numbers.back() + ") (num " + words.back() + ")";
  }
  std::vector<std::string> expected{"( of 9 )"};
  expected.insert(expected.end(), numbers.begin(), numbers.end());
  std::ranges::sort(words);
  expected.insert(expected.end(), words.begin(), words.end());
  expected.emplace_back("last");
  const auto game =
      environment_game(std::make_shared<Vocabulary>(read_rules(text).normalised.rules));
  EXPECT_EQ(game->spaces().action_names[0], expected);
}

TEST(Spaces, AreTheSameForEveryMachineAndTellGamesApart) {
  const auto hash = [](const char* name, const char* machine) {
    auto made = make_machine(machine, tests::bundled_game(name));
    return EnvironmentGame::make(made.value()).value()->spaces().hash();
  };
  EXPECT_EQ(hash("tic_tac_toe", "interpreter"), hash("tic_tac_toe", "sliced"));
  EXPECT_NE(hash("tic_tac_toe", "sliced"), hash("connect_four", "sliced"));
}

}  // namespace
}  // namespace ludens::gdl
