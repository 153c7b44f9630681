// SPDX-License-Identifier: MIT
// Environments against the interpreter, state by state, on bundled games: what is seen, what is
// legal, and who has won.
#include <gtest/gtest.h>

#include <algorithm>

#include "gdl/registry/machines.h"
#include "tests/gdl/environment/environment_arrays.h"
#include "tests/gdl/environment/environment_games.h"
#include "tests/gdl/machine/bundled_game.h"

namespace ludens::gdl {
namespace {

using Arrays = tests::EnvironmentArrays;

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

}  // namespace
}  // namespace ludens::gdl
