// SPDX-License-Identifier: MIT
// Games, states and environments.
#include "bindings/c/ludens.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bindings/c/handles.h"
#include "gdl/environment/vector_environment.h"

using ludens::bindings::LoadedGame;
using namespace ludens::c_interface;  // NOLINT: these are its functions for C
namespace gdl = ludens::gdl;

struct ludens_environment {
  std::shared_ptr<LoadedGame> loaded;  // which counts its memory
  gdl::VectorEnvironment environment;
};

namespace {

ludens_status finish(std::shared_ptr<LoadedGame> loaded, ludens_game** out) {
  auto game = std::make_unique<ludens_game>();
  game->loaded = std::move(loaded);
  game->environment = game->loaded->environment();
  *out = game.release();
  return LUDENS_OK;
}

gdl::VectorOptions options_of(const ludens_environment_options& given) {
  need(given.reset >= LUDENS_SAME_STEP && given.reset <= LUDENS_NO_RESET,
       "reset is LUDENS_SAME_STEP, LUDENS_NEXT_STEP or LUDENS_NO_RESET");
  gdl::VectorOptions options;
  options.slots = given.slots;
  options.threads = given.threads;
  options.seed = given.seed;
  options.step_cap = given.max_steps;
  options.restart = static_cast<gdl::Restart>(given.reset);
  options.on_illegal = given.end_illegal != 0 ? gdl::OnIllegal::End : gdl::OnIllegal::Refuse;
  options.least_reward = given.least_reward;
  options.greatest_reward = given.greatest_reward;
  return options;
}

/// Writes at most two views to `out`.
std::span<const gdl::View> views_of(const gdl::EnvironmentGame& game, const ludens_results* results,
                                    gdl::View* out) {
  std::size_t count = 0;
  if (results != nullptr && results->states != nullptr) {
    out[count++] = {&game.state_plan(), gdl::RowForm::Bits, results->states};
  }
  if (results != nullptr && results->masks != nullptr) {
    out[count++] = {&game.mask_plan(), gdl::RowForm::Bits, results->masks};
  }
  return {out, count};
}

gdl::StepResults step_results(const ludens_results* results) {
  if (results == nullptr) return {};
  return {results->rewards, results->terminated, results->truncated};
}

void expect_usable(const ludens_environment* environment) {
  need(environment != nullptr, "the environment is null");
  need(environment->environment.usable(),
       "this process was forked, and the environment's threads were not: open a new one");
}

}  // namespace

int ludens_interface(void) {
  return LUDENS_INTERFACE;
}
const char* ludens_version(void) {
  return LUDENS_VERSION;
}

// --- games

ludens_status ludens_game_open(const char* game, ludens_game** out) {
  return guarded([&] {
    need(game != nullptr && out != nullptr, "the game's name and where it goes must not be null");
    return finish(LoadedGame::open(game, "auto"), out);
  });
}

ludens_status ludens_game_from_text(const char* text, const char* name, ludens_game** out) {
  return guarded([&] {
    need(text != nullptr && out != nullptr, "the rules and where the game goes must not be null");
    return finish(LoadedGame::from_text(text, name == nullptr ? "rules" : name, "auto"), out);
  });
}

ludens_status ludens_game_open_on(const char* game, const char* machine, uint32_t memory_mb,
                                  ludens_game** out) {
  return guarded([&] {
    need(game != nullptr && machine != nullptr && out != nullptr,
         "the game's name, the machine and where the game goes must not be null");
    need(memory_mb != 0, "a game needs a megabyte");
    return finish(LoadedGame::open(game, machine, std::size_t{memory_mb} << 20), out);
  });
}

void ludens_game_close(ludens_game* game) {
  delete game;
}

const char* ludens_machine_name(const ludens_game* game) {
  return game->loaded->machine_name().c_str();
}

size_t ludens_role_count(const ludens_game* game) {
  return game->loaded->roles().size();
}
const char* ludens_role_name(const ludens_game* game, size_t role) {
  const std::vector<std::string>& roles = game->loaded->roles();
  return role < roles.size() ? roles[role].c_str() : nullptr;
}
size_t ludens_player_count(const ludens_game* game) {
  return game->environment->player_count();
}
size_t ludens_player_role(const ludens_game* game, size_t player) {
  const auto& players = game->environment->spaces().players;
  return player < players.size() ? players[player] : game->loaded->roles().size();
}
size_t ludens_action_count(const ludens_game* game, size_t player) {
  return player < ludens_player_count(game) ? game->environment->action_count(player) : 0;
}
const char* ludens_action_name(const ludens_game* game, size_t player, size_t action) {
  if (action >= ludens_action_count(game, player)) return nullptr;
  return game->environment->spaces().action_names[player][action].c_str();
}
int32_t ludens_find_action(const ludens_game* game, size_t player, const char* name) {
  if (name == nullptr || player >= ludens_player_count(game)) return -1;
  return guarded_or(int32_t{-1}, [&] {
    const auto found = game->environment->spaces().find_action(player, name);
    return found ? static_cast<int32_t>(*found) : -1;
  });
}
size_t ludens_fluent_count(const ludens_game* game) {
  return game->environment->spaces().fluents.size();
}
const char* ludens_fluent_name(const ludens_game* game, size_t fluent) {
  const auto& names = game->environment->spaces().fluent_names;
  return fluent < names.size() ? names[fluent].c_str() : nullptr;
}
uint64_t ludens_game_hash(const ludens_game* game) {
  return guarded_or(uint64_t{0}, [&] { return game->environment->spaces().hash(); });
}
size_t ludens_state_words(const ludens_game* game) {
  return game->environment->state_plan().words();
}
size_t ludens_mask_words(const ludens_game* game) {
  return game->environment->mask_plan().words();
}
size_t ludens_mask_begin(const ludens_game* game, size_t player) {
  const std::size_t players = ludens_player_count(game);
  return player < players ? game->environment->mask_begin(player)
                          : game->environment->mask_plan().size();
}

// --- states

ludens_status ludens_initial(const ludens_game* game, uint64_t* state) {
  return guarded([&] {
    need(game != nullptr && state != nullptr, "game and state must not be null");
    game->environment->from_machine(game->loaded->initial(), {state, ludens_state_words(game)});
    return LUDENS_OK;
  });
}

ludens_status ludens_look(ludens_game* game, size_t count, const uint64_t* states,
                          uint8_t* terminal, int32_t* goals) {
  return guarded([&] {
    need(game != nullptr && states != nullptr, "game and states must not be null");
    Rows rows(*game, states);
    const std::size_t roles = game->loaded->roles().size();
    std::vector<int> values(roles);
    for (std::size_t i = 0; i < count; ++i) {
      const gdl::State& state = rows.take(i);
      if (terminal != nullptr) terminal[i] = rows.terminal() ? 1 : 0;
      if (goals == nullptr) continue;
      expect_ok(rows.machine().stated_goals(rows.context(), state, values));
      std::ranges::copy(values, goals + i * roles);
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_legal(ludens_game* game, size_t count, const uint64_t* states,
                           uint64_t* masks) {
  return guarded([&] {
    need(game != nullptr && states != nullptr && masks != nullptr,
         "game, states and masks must not be null");
    Rows rows(*game, states);
    const std::size_t words = ludens_mask_words(game);
    std::fill_n(masks, count * words, 0);
    for (std::size_t i = 0; i < count; ++i) {
      rows.take(i);
      if (rows.terminal()) continue;
      for (std::size_t p = 0; p < ludens_player_count(game); ++p) {
        const auto role = static_cast<gdl::RoleIndex>(ludens_player_role(game, p));
        for (const gdl::MoveId move : rows.legal(role)) {
          const std::int32_t action = number_of(*game, p, move);
          if (action < 0) continue;  // a row may be no state of the game
          const std::size_t bit = ludens_mask_begin(game, p) + static_cast<std::size_t>(action);
          masks[i * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
      }
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_next(ludens_game* game, size_t count, const uint64_t* states,
                          const int32_t* actions, uint64_t seed, uint64_t* next) {
  return guarded([&] {
    need(game != nullptr && states != nullptr && actions != nullptr && next != nullptr,
         "game, states, actions and next must not be null");
    Rows rows(*game, states);
    gdl::Rng rng(seed);
    const std::size_t players = ludens_player_count(game), words = ludens_state_words(game);
    std::vector<gdl::MoveId> joint(game->loaded->roles().size());
    std::vector<std::uint64_t> made(count * words);
    gdl::State after;
    for (std::size_t i = 0; i < count; ++i) {
      const gdl::State& state = rows.take(i);
      const auto random = rows.machine().random_role();
      if (random) {
        const std::vector<gdl::MoveId> moves = rows.legal(*random);
        need(!moves.empty(), "the role random has no legal move in a state");
        joint[*random] = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      }
      if (const auto problem = read_actions(*game, rows, actions + i * players, joint)) {
        return fail(LUDENS_ILLEGAL_ACTION, "state " + std::to_string(i) + ": " + *problem);
      }
      expect_ok(rows.machine().next(rows.context(), state, joint, after));
      game->environment->from_machine(after, {&made[i * words], words});
    }
    std::ranges::copy(made, next);
    return LUDENS_OK;
  });
}

ludens_status ludens_print(ludens_game* game, const uint64_t* state, char* text, size_t size,
                           size_t* needed) {
  return guarded([&] {
    need(game != nullptr && state != nullptr && (text != nullptr || size == 0),
         "game, state and text must not be null");
    Rows rows(*game, state);
    std::string facts;
    expect_ok(rows.machine().print(rows.context(), rows.take(0), facts));
    ludens::c_interface::copy_text(facts, text, size, needed);
    return LUDENS_OK;
  });
}

ludens_status ludens_fluents(const ludens_game* game, const uint64_t* state, uint32_t* fluents,
                             size_t size, size_t* count) {
  return guarded([&] {
    need(game != nullptr && state != nullptr && count != nullptr,
         "game, state and where the count goes must not be null");
    need(fluents != nullptr || size == 0, "fluents must not be null");
    *count = 0;
    for (std::size_t f = 0; f < ludens_fluent_count(game); ++f) {
      if ((state[f / 64] >> (f % 64) & 1) == 0) continue;
      if (*count < size) fluents[*count] = static_cast<std::uint32_t>(f);
      ++*count;
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_state_of(const ludens_game* game, const uint32_t* fluents, size_t count,
                              uint64_t* state) {
  return guarded([&] {
    need(game != nullptr && state != nullptr && (fluents != nullptr || count == 0),
         "game, fluents and state must not be null");
    for (std::size_t i = 0; i < count; ++i) {
      need(fluents[i] < ludens_fluent_count(game), "a fluent's number is too large for the game");
    }
    std::fill_n(state, ludens_state_words(game), 0);
    for (std::size_t i = 0; i < count; ++i) {
      state[fluents[i] / 64] |= std::uint64_t{1} << (fluents[i] % 64);
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_actions(ludens_game* game, const uint64_t* state, size_t player,
                             int32_t* actions, size_t size, size_t* count) {
  return guarded([&] {
    need(game != nullptr && state != nullptr && count != nullptr,
         "game, state and where the count goes must not be null");
    need(player < ludens_player_count(game), "there is no such player");
    need(actions != nullptr || size == 0, "actions must not be null");
    std::vector<std::uint64_t> mask(ludens_mask_words(game));
    if (const auto status = ludens_legal(game, 1, state, mask.data()); status != LUDENS_OK) {
      return status;
    }
    *count = 0;
    const std::size_t begin = ludens_mask_begin(game, player);
    for (std::size_t a = 0; a < ludens_action_count(game, player); ++a) {
      if ((mask[(begin + a) / 64] >> ((begin + a) % 64) & 1) == 0) continue;
      if (*count < size) actions[*count] = static_cast<std::int32_t>(a);
      ++*count;
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_playouts(ludens_game* game, size_t count, const uint64_t* states,
                              uint32_t per_state, uint64_t seed, uint64_t* goals, uint64_t* steps) {
  return guarded([&] {
    need(game != nullptr && states != nullptr && goals != nullptr,
         "game, states and goals must not be null");
    Rows rows(*game, states);
    gdl::StateBatch batch;
    for (std::size_t i = 0; i < count; ++i) batch.push_back(rows.take(i));
    std::vector<gdl::StateView> starts;
    for (std::size_t i = 0; i < count; ++i) starts.push_back(batch[i]);
    gdl::Rng rng(seed);
    gdl::PlayoutOptions options;
    options.per_start = per_state;
    gdl::PlayoutSums sums;
    expect_ok(rows.machine().playouts(rows.context(), starts, options, rng, sums));
    std::ranges::copy(sums.goals, goals);
    if (steps != nullptr) *steps = sums.steps;
    return LUDENS_OK;
  });
}

// --- environments

ludens_environment_options ludens_default_options(void) {
  return {1, 1, 0, 0, LUDENS_SAME_STEP, 0, 0, 1};
}

ludens_status ludens_environment_open(ludens_game* game, const ludens_environment_options* options,
                                      ludens_environment** out) {
  return guarded([&] {
    need(game != nullptr && options != nullptr && out != nullptr,
         "game, options and where the environment goes must not be null");
    *out = new ludens_environment{
        game->loaded, {game->environment, options_of(*options), game->loaded->memory()}};
    return LUDENS_OK;
  });
}

void ludens_environment_close(ludens_environment* environment) {
  delete environment;
}

ludens_status ludens_reset(ludens_environment* environment, uint64_t seed,
                           const ludens_results* results) {
  return guarded([&] {
    expect_usable(environment);
    gdl::View views[2];
    environment->environment.reset(seed);
    environment->environment.look(views_of(*environment->environment.game(), results, views));
    return LUDENS_OK;
  });
}

ludens_status ludens_step(ludens_environment* environment, const int32_t* actions,
                          const ludens_results* results) {
  return guarded([&] {
    expect_usable(environment);
    need(actions != nullptr, "the actions must not be null");
    gdl::View views[2];
    const auto illegal = environment->environment.step(
        actions, step_results(results), views_of(*environment->environment.game(), results, views));
    if (!illegal) return LUDENS_OK;
    return fail(LUDENS_ILLEGAL_ACTION, "slot " + std::to_string(illegal->slot) + ": action " +
                                           std::to_string(illegal->action) + " of player " +
                                           std::to_string(illegal->player) + " is not legal");
  });
}

ludens_status ludens_roll(ludens_environment* environment, uint32_t steps,
                          const ludens_results* results) {
  return guarded([&] {
    expect_usable(environment);
    gdl::View views[2];
    environment->environment.roll(steps, step_results(results),
                                  views_of(*environment->environment.game(), results, views));
    return LUDENS_OK;
  });
}

uint64_t ludens_steps(const ludens_environment* environment) {
  return environment->environment.steps();
}
