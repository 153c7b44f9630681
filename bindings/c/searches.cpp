// SPDX-License-Identifier: MIT
// Searches of one position: the functions `ludens_search_*`.
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "agent/knowledge/knowledge_files.h"
#include "bindings/c/handles.h"
#include "search/hidden/known_position.h"
#include "search/registry/registry.h"
#include "search/strategy/options.h"
#include "search/strategy/stated_choice.h"

using namespace ludens::c_interface;  // NOLINT: these are its functions for C
namespace gdl = ludens::gdl;
namespace search = ludens::search;

namespace {

/// The generator that the strategy's option `seed` selects.
gdl::Rng rng_of(const search::StrategySpec& spec) {
  search::OptionTexts seed;
  if (const auto given = spec.options.find("seed"); given != spec.options.end()) {
    seed.insert(*given);
  }
  return search::Options::read(spec.name, {}, seed).value().rng();
}

bool hides_moves(const ludens_game& game) {
  return game.loaded->machine()->vocabulary()->rules().has_rule(gdl::kSees);
}

}  // namespace

struct ludens_search {
  search::StrategySpec spec;
  unsigned threads;
  std::size_t memory_bytes;
  std::shared_ptr<const search::KnowledgeStore> knowledge;
  std::vector<ludens_move_value> moves;
  // Joint moves from where the search began to its current row.
  std::shared_ptr<ludens::bindings::LoadedGame> loaded;
  std::vector<gdl::MoveId> history;
  std::vector<std::uint64_t> row;
  gdl::Rng rng;                               // of moves of `random` that no state shows
  std::unique_ptr<gdl::MemoryBudget> memory;  // outlives the strategy
  std::unique_ptr<search::Strategy> strategy;
  std::mutex mutex;
  std::stop_source stop;

  /// Whether this is the state that was searched last, or the one to which `history` leads.
  [[nodiscard]] bool stands_at(const ludens_game& game,
                               std::span<const std::uint64_t> state) const {
    return loaded == game.loaded && std::ranges::equal(row, state);
  }
  /// Begins again at a state about which nothing is known.
  void begin_at(const ludens_game& game, std::span<const std::uint64_t> state) {
    std::vector<std::uint64_t> initial(state.size()), own(state.begin(), state.end());
    game.environment->from_machine(game.loaded->initial(), initial);
    need(own == initial || !hides_moves(game),
         "the rules hide something, and what the player knows follows from all moves: search the "
         "initial state first, and call ludens_search_follow for each joint move");
    strategy.reset();
    loaded = game.loaded;
    history.clear();
    row = std::move(own);
  }
  void make() {
    memory = std::make_unique<gdl::MemoryBudget>(memory_bytes);
    search::Resources resources;
    resources.threads = threads;
    resources.memory = memory.get();
    resources.knowledge = knowledge;
    strategy = search::make_strategy(spec, resources).value();
  }
  void think(const search::Position& position, const search::Deadline& deadline,
             search::Incumbent& incumbent) {
    try {
      strategy->think(position, deadline, incumbent);
    } catch (...) {
      strategy.reset();  // a strategy that has thrown is not used again
      throw;
    }
  }
};

namespace {

/// A search that runs: what cancels it, which may have come before, cancels no later one.
class Cancellation {
 public:
  explicit Cancellation(ludens_search& search) : search_(search) {}
  ~Cancellation() {
    const std::lock_guard lock(search_.mutex);
    if (search_.stop.stop_requested()) search_.stop = std::stop_source();
  }
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
  [[nodiscard]] std::stop_token token() const { return search_.stop.get_token(); }

 private:
  ludens_search& search_;
};

/// Limits the position to what the player knows, if the rules hide something. False if there was
/// not enough time to find one that fits.
bool hide(const ludens_game& game, Rows& rows, const search::Deadline& deadline,
          search::Position& position) {
  if (!hides_moves(game)) return true;
  position.known.emplace();
  expect_ok(search::hidden::perceive(*position.machine, rows.context(), position.history,
                                     position.role, *position.known));
  bool found = false;
  const gdl::Status status = search::hidden::believe(position, search::hidden::MatchPhase::GoesOn,
                                                     deadline, game.loaded->memory(), found);
  if (!found && status != gdl::Status::Stopped) throw std::bad_alloc();
  return found;
}

}  // namespace

ludens_status ludens_search_open(const char* strategy, uint32_t threads, uint32_t memory_mb,
                                 ludens_search** out) {
  return guarded([&] {
    need(strategy != nullptr && out != nullptr,
         "strategy and where the search goes must not be null");
    need(threads != 0 && memory_mb != 0, "a search needs a thread and a megabyte");
    auto spec = search::parse_strategy(strategy);
    if (!spec) return fail(LUDENS_BAD_ARGUMENT, spec.error().text);
    if (const auto problem = ludens::agent::problem_with_knowledge(*spec, nullptr)) {
      return fail(LUDENS_BAD_ARGUMENT, *problem);
    }
    auto made = std::make_unique<ludens_search>();
    made->knowledge = ludens::agent::knowledge_of(*spec);
    made->spec = *std::move(spec);
    made->threads = threads;
    made->memory_bytes = std::size_t{memory_mb} << 20;
    if (auto tried = search::make_strategy(made->spec, {}); !tried) {
      return fail(LUDENS_BAD_ARGUMENT, tried.error().text);
    }
    made->rng = rng_of(made->spec);
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
    const Cancellation cancellation(*search);
    const auto begin = std::chrono::steady_clock::now();
    search::Deadline deadline = search::Deadline::in(seconds, cancellation.token());
    if (const auto cap = search::thinking_cap(search->spec)) {
      deadline = deadline.no_later_than(begin + *cap);
    }
    const std::span row(state, ludens_state_words(game));
    if (!search->stands_at(*game, row)) search->begin_at(*game, row);
    if (search->strategy == nullptr) search->make();
    position.history = search->history;
    search::Choice first;
    first.move = legal.front();
    search::Incumbent incumbent;
    incumbent.publish(first);
    if (hide(*game, rows, deadline, position)) search->think(position, deadline, incumbent);
    search::Choice found = *incumbent.get();
    search::hidden::forget_proofs(position, found);
    search::hidden::make_legal(found, legal);
    found = search::stated(std::move(found), game->loaded->machine()->vocabulary()->rules().goals);
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
    rows.take(0);
    std::vector<gdl::MoveId> joint(game->loaded->roles().size());
    if (const auto problem = read_actions(*game, rows, actions, joint)) {
      return fail(LUDENS_ILLEGAL_ACTION, *problem);
    }
    const std::span row(next, search->row.size());
    need(find_drawn(*game, rows, joint, row, search->rng),
         "the actions do not lead to that state from where the search stands");
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
