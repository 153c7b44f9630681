// SPDX-License-Identifier: MIT
#include "bindings/c/ludens.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "bindings/game/loaded_game.h"
#include "gdl/environment/vector_environment.h"
#include "search/registry/registry.h"

using ludens::bindings::GameError;
using ludens::bindings::LoadedGame;
namespace gdl = ludens::gdl;
namespace search = ludens::search;

struct ludens_game {
  std::shared_ptr<LoadedGame> loaded;
  std::shared_ptr<const gdl::EnvironmentGame> environment;
  std::vector<std::string> roles;
  std::string machine;
};

struct ludens_environment {
  std::shared_ptr<LoadedGame> loaded;  // its memory is counted there
  gdl::VectorEnvironment environment;
};

struct ludens_search {
  search::StrategySpec spec;
  unsigned threads;
  std::size_t memory_bytes;
  std::vector<ludens_move_value> moves;
  // What the strategy knows of: joint moves from where it began to the row where it stands.
  std::shared_ptr<LoadedGame> loaded;
  std::vector<gdl::MoveId> history;
  std::vector<std::uint64_t> row;
  std::unique_ptr<gdl::MemoryBudget> memory;  // outlives the strategy
  std::unique_ptr<search::Strategy> strategy;
  std::mutex mutex;
  std::stop_source stop;

  /// Ready for a position of which it may know something.
  void stand_at(const ludens_game& game, std::span<const std::uint64_t> state) {
    if (strategy != nullptr && loaded == game.loaded && std::ranges::equal(row, state)) return;
    strategy.reset();
    memory = std::make_unique<gdl::MemoryBudget>(memory_bytes);
    search::Resources resources;
    resources.threads = threads;
    resources.memory = memory.get();
    strategy = search::make_strategy(spec, resources).value();
    loaded = game.loaded;
    history.clear();
    row.assign(state.begin(), state.end());
  }
};

namespace {

thread_local std::string last_error;  // NOLINT

ludens_status fail(ludens_status status, std::string why) {
  last_error = std::move(why);
  return status;
}

class BadArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

void need(bool good, const char* why) {
  if (!good) throw BadArgument(why);
}

/// Runs a call, and makes a status of what it throws.
template <typename Call>
ludens_status guarded(const Call& call) {
  try {
    return call();
  } catch (const std::invalid_argument& error) {
    return fail(LUDENS_BAD_ARGUMENT, error.what());
  } catch (const GameError& error) {
    return fail(LUDENS_BAD_GAME, error.what());
  } catch (const std::bad_alloc&) {
    return fail(LUDENS_NO_MEMORY, "the memory does not suffice");
  } catch (const std::exception& error) {
    return fail(LUDENS_FAILED, error.what());
  }
}

ludens_status finish(std::shared_ptr<LoadedGame> loaded, ludens_game** out) {
  auto game = std::make_unique<ludens_game>();
  game->loaded = std::move(loaded);
  game->environment = game->loaded->environment();
  for (gdl::RoleIndex r = 0; r < game->loaded->machine()->role_count(); ++r) {
    game->roles.push_back(game->loaded->machine()->role_name(r));
  }
  game->machine = game->loaded->machine()->name();
  *out = game.release();
  return LUDENS_OK;
}

void expect_ok(gdl::Status status) {
  if (status != gdl::Status::Ok) throw std::bad_alloc();
}

/// The states of rows, one after the other, with what is needed to ask about them.
class Rows {
 public:
  Rows(const ludens_game& game, const std::uint64_t* rows)
      : game_(game),
        rows_(rows),
        machine_(*game.loaded->machine()),
        context_(machine_.make_context({nullptr, game.loaded->memory()})) {}

  const gdl::State& take(std::size_t i) {
    const std::size_t words = game_.environment->state_plan().words();
    game_.environment->to_machine({rows_ + i * words, words}, state_);
    return state_;
  }
  [[nodiscard]] const gdl::Machine& machine() const { return machine_; }
  [[nodiscard]] gdl::Machine::Context& context() { return *context_; }
  bool terminal() {
    bool over = false;
    expect_ok(machine_.terminal(*context_, state_, over));
    return over;
  }
  std::vector<gdl::MoveId> legal(gdl::RoleIndex role) {
    std::vector<gdl::MoveId> moves;
    expect_ok(machine_.legal(*context_, state_, role, moves));
    return moves;
  }

 private:
  const ludens_game& game_;
  const std::uint64_t* rows_;
  const gdl::Machine& machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State state_;
};

const std::vector<gdl::MoveId>& actions_of(const ludens_game& game, std::size_t player) {
  return game.environment->spaces().actions[player];
}

std::int32_t number_of(const ludens_game& game, std::size_t player, gdl::MoveId move) {
  const auto& actions = actions_of(game, player);
  const auto at = std::ranges::find(actions, move);
  return at == actions.end() ? -1 : static_cast<std::int32_t>(at - actions.begin());
}

/// The moves of all players by their actions, into `joint`; what is wrong with one, else nothing.
std::optional<std::string> read_actions(const ludens_game& game, Rows& rows,
                                        const std::int32_t* actions,
                                        std::vector<gdl::MoveId>& joint) {
  const bool over = rows.terminal();
  for (std::size_t p = 0; p < ludens_player_count(&game); ++p) {
    const std::int32_t action = actions[p];
    const auto role = static_cast<gdl::RoleIndex>(ludens_player_role(&game, p));
    const bool known = action >= 0 && static_cast<std::size_t>(action) < actions_of(game, p).size();
    if (known) joint[role] = actions_of(game, p)[static_cast<std::size_t>(action)];
    if (!known || over || !std::ranges::binary_search(rows.legal(role), joint[role])) {
      return "action " + std::to_string(action) + " of player " + std::to_string(p) +
             " is not legal";
    }
  }
  return std::nullopt;
}

/// Whether a joint move leads from the state of `rows` to a row.
bool leads_to(const ludens_game& game, Rows& rows, const gdl::State& from,
              const std::vector<gdl::MoveId>& joint, std::span<const std::uint64_t> row) {
  gdl::State after;
  expect_ok(rows.machine().next(rows.context(), from, joint, after));
  std::vector<std::uint64_t> made(row.size());
  game.environment->from_machine(after, made);
  return std::ranges::equal(made, row);
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

/// At most two views, in `out`.
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
const char* ludens_error(void) {
  return last_error.c_str();
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
  return game->machine.c_str();
}

size_t ludens_role_count(const ludens_game* game) {
  return game->roles.size();
}
const char* ludens_role_name(const ludens_game* game, size_t role) {
  return role < game->roles.size() ? game->roles[role].c_str() : nullptr;
}
size_t ludens_player_count(const ludens_game* game) {
  return game->environment->player_count();
}
size_t ludens_player_role(const ludens_game* game, size_t player) {
  const auto& players = game->environment->spaces().players;
  return player < players.size() ? players[player] : game->roles.size();
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
  const auto found = game->environment->spaces().find_action(player, name);
  return found ? static_cast<int32_t>(*found) : -1;
}
size_t ludens_fluent_count(const ludens_game* game) {
  return game->environment->spaces().fluents.size();
}
const char* ludens_fluent_name(const ludens_game* game, size_t fluent) {
  const auto& names = game->environment->spaces().fluent_names;
  return fluent < names.size() ? names[fluent].c_str() : nullptr;
}
uint64_t ludens_game_hash(const ludens_game* game) {
  return game->environment->spaces().hash();
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
    const std::size_t roles = game->roles.size();
    std::vector<int> values(roles);
    for (std::size_t i = 0; i < count; ++i) {
      const gdl::State& state = rows.take(i);
      if (terminal != nullptr) terminal[i] = rows.terminal() ? 1 : 0;
      if (goals == nullptr) continue;
      expect_ok(rows.machine().goals(rows.context(), state, values));
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
          const std::size_t bit =
              ludens_mask_begin(game, p) + static_cast<std::size_t>(number_of(*game, p, move));
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
    std::vector<gdl::MoveId> joint(game->roles.size());
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
    if (needed != nullptr) *needed = facts.size() + 1;
    if (size != 0) {
      const std::size_t length = std::min(size - 1, facts.size());
      std::memcpy(text, facts.data(), length);
      text[length] = '\0';
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

// --- searches

ludens_status ludens_search_open(const char* strategy, uint32_t threads, uint32_t memory_mb,
                                 ludens_search** out) {
  return guarded([&] {
    need(strategy != nullptr && out != nullptr,
         "strategy and where the search goes must not be null");
    need(threads != 0 && memory_mb != 0, "a search needs a thread and a megabyte");
    auto spec = search::parse_strategy(strategy);
    if (!spec) return fail(LUDENS_BAD_ARGUMENT, spec.error().text);
    auto made = std::make_unique<ludens_search>();
    made->spec = *std::move(spec);
    made->threads = threads;
    made->memory_bytes = std::size_t{memory_mb} << 20;
    if (auto tried = search::make_strategy(made->spec, {}); !tried) {
      return fail(LUDENS_BAD_ARGUMENT, tried.error().text);
    }
    *out = made.release();
    return LUDENS_OK;
  });
}

void ludens_search_close(ludens_search* search) {
  delete search;
}

ludens_status ludens_search_run(ludens_search* search, ludens_game* game, const uint64_t* state,
                                size_t player, double seconds, ludens_choice* choice) {
  return guarded([&] {
    need(search != nullptr && game != nullptr && state != nullptr && choice != nullptr,
         "search, game, state and choice must not be null");
    need(player < ludens_player_count(game), "there is no such player");
    need(seconds >= 0 && seconds < 1e8, "the seconds must be a number from 0 on");
    Rows rows(*game, state);
    search::Position position;
    position.machine = game->loaded->machine();
    position.state = rows.take(0);
    position.role = static_cast<gdl::RoleIndex>(ludens_player_role(game, player));
    need(!rows.terminal(), "the game is over in this state");
    const std::vector<gdl::MoveId> legal = rows.legal(position.role);
    need(!legal.empty(), "the player has no legal move in this state");
    std::stop_token token;
    {
      const std::lock_guard lock(search->mutex);
      search->stop = std::stop_source();
      token = search->stop.get_token();
    }
    const search::Deadline deadline = search::Deadline::in(seconds, token);
    search->stand_at(*game, {state, ludens_state_words(game)});
    position.history = search->history;
    search::Choice first;
    first.move = legal.front();
    search::Incumbent incumbent;
    incumbent.publish(first);
    search->strategy->think(position, deadline, incumbent);
    const search::Choice found = *incumbent.get();
    *choice = {number_of(*game, player, found.move),
               found.value,
               found.exact ? 1 : 0,
               found.depth,
               found.iterations,
               found.nodes};
    search->moves.clear();
    for (const search::RootMove& m : found.root) {
      search->moves.push_back({number_of(*game, player, m.move), m.value, m.low, m.high, m.visits});
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_search_follow(ludens_search* search, ludens_game* game, const int32_t* actions,
                                   const uint64_t* next) {
  return guarded([&] {
    need(search != nullptr && game != nullptr && actions != nullptr && next != nullptr,
         "search, game, actions and the next state must not be null");
    need(search->loaded == game->loaded, "nothing was searched in this game yet");
    Rows rows(*game, search->row.data());
    const gdl::State from = rows.take(0);
    std::vector<gdl::MoveId> joint(game->roles.size());
    if (const auto problem = read_actions(*game, rows, actions, joint)) {
      return fail(LUDENS_ILLEGAL_ACTION, *problem);
    }
    const std::span row(next, search->row.size());
    const auto random = rows.machine().random_role();
    // What `random` did is told by where it led.
    const std::vector<gdl::MoveId> drawn =
        random ? rows.legal(*random) : std::vector<gdl::MoveId>{gdl::kNoMove};
    const bool found = std::ranges::any_of(drawn, [&](gdl::MoveId move) {
      if (random) joint[*random] = move;
      return leads_to(*game, rows, from, joint, row);
    });
    need(found, "the actions do not lead to that state from where the search stands");
    search->history.insert(search->history.end(), joint.begin(), joint.end());
    search->row.assign(row.begin(), row.end());
    return LUDENS_OK;
  });
}

void ludens_search_cancel(ludens_search* search) {
  if (search == nullptr) return;
  const std::lock_guard lock(search->mutex);
  search->stop.request_stop();
}

size_t ludens_search_moves(const ludens_search* search, ludens_move_value* moves, size_t size) {
  const std::size_t count = std::min(size, search->moves.size());
  if (moves != nullptr) std::copy_n(search->moves.begin(), count, moves);
  return search->moves.size();
}
