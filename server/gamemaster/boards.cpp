// SPDX-License-Identifier: MIT
#include "server/gamemaster/boards.h"

#include <algorithm>
#include <boost/asio/thread_pool.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "agent/message/moves.h"
#include "search/strategy/stopping.h"
#include "server/http/io_thread.h"
#include "server/web/match_document.h"

namespace ludens::server {
namespace {

/// Boards that take longer are not drawn.
constexpr std::chrono::seconds kPatience{5};

/// What is drawn of a match.
struct Scene {
  std::string match;
  search::Position position;
  std::optional<agent::Part> last_move;  // with it the match has ended
};

/// The state after the move of one role, while all others can only wait; nullopt if no role can
/// make it.
std::optional<gdl::State> after(const gdl::Machine& machine, gdl::Machine::Context& context,
                                const gdl::State& before, const agent::Part& move) {
  std::vector<std::vector<gdl::MoveId>> legal(machine.role_count());
  for (gdl::RoleIndex role = 0; role < legal.size(); ++role) {
    if (machine.legal(context, before, role, legal[role]) != gdl::Status::Ok) return std::nullopt;
  }
  if (move.tree == nullptr) return std::nullopt;
  const auto id = machine.vocabulary()->find_move(*move.tree, move.node);
  const auto joint = id ? agent::with_waiting(legal, *id) : std::nullopt;
  gdl::State out;
  if (!joint || machine.next(context, before, *joint, out) != gdl::Status::Ok) return std::nullopt;
  return out;
}

/// The goals of all roles in a terminal state; empty for another one.
boost::json::object result_of(const gdl::Machine& machine, gdl::Machine::Context& context,
                              const gdl::State& state) {
  bool over = false;
  std::vector<int> goals(machine.role_count());
  if (machine.terminal(context, state, over) != gdl::Status::Ok || !over ||
      machine.goals(context, state, goals) != gdl::Status::Ok) {
    return {};
  }
  boost::json::object result;
  for (gdl::RoleIndex role = 0; role < goals.size(); ++role) {
    result[machine.role_name(role)] = goals[role];
  }
  return result;
}

/// The text of a state, or of the first one; nullopt if it can't be computed in time.
std::optional<std::string> text_of(const gdl::Machine& machine, const gdl::State* state,
                                   const gdl::StopSignal& stop) {
  const auto context = machine.make_context({&stop, nullptr});
  gdl::State first;
  if (state == nullptr && machine.initial(*context, first) != gdl::Status::Ok) return std::nullopt;
  std::string text;
  const gdl::Status status = machine.print(*context, state == nullptr ? first : *state, text);
  return status == gdl::Status::Ok ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

class Boards::Implementation {
 public:
  ~Implementation() {
    stop_.request_stop();
    thread_.stop();
    thread_.join();
  }

  std::shared_ptr<const DrawnBoard> draw(const std::string& match,
                                         const search::Position& position) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[match];
    if (!entry.is_of(position)) entry = {};
    if (entry.machine != position.machine || entry.history != position.history) {
      entry.machine = position.machine;
      entry.history = position.history;
      post(Scene{match, position, std::nullopt});
    }
    return entry.drawn;
  }

  void finish(const std::string& match, const search::Position& before, const agent::Part& move) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[match];
    if (!entry.is_of(before)) entry = {};
    entry.machine = before.machine;
    post(Scene{match, before, move});
  }

  std::shared_ptr<const DrawnBoard> latest(const std::string& match) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(match);
    return found == entries_.end() ? nullptr : found->second.drawn;
  }

  void forget(const std::string& match) {
    const std::lock_guard lock(mutex_);
    entries_.erase(match);
  }

  void keep(const std::vector<std::string>& matches) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const auto& entry) {
      return std::ranges::find(matches, entry.first) == matches.end();
    });
  }

 private:
  struct Entry {
    std::shared_ptr<const gdl::Machine> machine;  // of the position that was asked for last
    std::vector<gdl::MoveId> history;
    std::shared_ptr<const GameDocument> game;
    std::uint64_t picture = 0;
    std::shared_ptr<const DrawnBoard> drawn;

    /// Whether the position belongs to the same game, which has one vocabulary for all its
    /// machines.
    [[nodiscard]] bool is_of(const search::Position& position) const {
      return machine != nullptr && machine->vocabulary() == position.machine->vocabulary();
    }
  };

  /// Null if the match has ended, or another one has its name now. Under the lock.
  Entry* find(const std::string& match, const search::Position& position) {
    const auto found = entries_.find(match);
    return found != entries_.end() && found->second.is_of(position) ? &found->second : nullptr;
  }

  void post(Scene scene) {
    post_aside(thread_, [this, scene = std::make_shared<const Scene>(std::move(scene))] {
      try {
        draw_now(*scene);
      } catch (const std::exception&) {  // no memory: no board is drawn
      }
      if (scene->last_move) free_machine(*scene);
    });
  }

  /// The machine of a match that has ended is large.
  void free_machine(const Scene& scene) {
    const std::lock_guard lock(mutex_);
    if (Entry* entry = find(scene.match, scene.position)) entry->machine.reset();
  }

  /// Without enough time no board is drawn.
  void draw_now(const Scene& scene) {
    const search::Position& position = scene.position;
    const gdl::Machine& machine = *position.machine;
    const search::Deadline until(std::chrono::steady_clock::now() + kPatience, stop_.get_token());
    auto [game, picture] = game_of(scene.match, position, until);
    if (game == nullptr) return;
    gdl::State state = position.state;
    boost::json::object result;
    if (scene.last_move) {
      const auto context = machine.make_context({&until, nullptr});
      auto last = after(machine, *context, position.state, *scene.last_move);
      if (!last) return;
      state = *std::move(last);
      result = result_of(machine, *context, state);
    }
    const auto text = text_of(machine, &state, until);
    if (!text) return;
    MatchRecord record;
    record.states.push_back(*text);
    auto drawn = std::make_shared<const DrawnBoard>(
        DrawnBoard{picture, game->json(), MatchDocument(game).step(record, 0), std::move(result)});
    const std::lock_guard lock(mutex_);
    if (Entry* entry = find(scene.match, position)) entry->drawn = std::move(drawn);
  }

  std::pair<std::shared_ptr<const GameDocument>, std::uint64_t> game_of(
      const std::string& match, const search::Position& position, const gdl::StopSignal& until) {
    {
      const std::lock_guard lock(mutex_);
      const Entry* entry = find(match, position);
      if (entry == nullptr) return {};
      if (entry->game != nullptr) return {entry->game, entry->picture};
    }
    const auto initial = text_of(*position.machine, nullptr, until);
    if (!initial) return {};
    auto board = std::make_shared<const Board>(position.machine->vocabulary()->rules(), *initial);
    auto game = std::make_shared<const GameDocument>(std::move(board), Notation::Hrf);
    const std::lock_guard lock(mutex_);
    Entry* entry = find(match, position);
    if (entry == nullptr) return {};
    entry->game = game;
    entry->picture = ++pictures_;
    return {std::move(game), entry->picture};
  }

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  /// The number of the last picture. A page outlives this program, whose next run must not give a
  /// number of the page's to another game: the time in ms is later then.
  std::uint64_t pictures_ =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  std::stop_source stop_;
  boost::asio::thread_pool thread_{1};
};

Boards::Boards() : implementation_(std::make_unique<Implementation>()) {}
Boards::~Boards() = default;
std::shared_ptr<const DrawnBoard> Boards::draw(const std::string& match,
                                               const search::Position& position) {
  return implementation_->draw(match, position);
}
void Boards::finish(const std::string& match, const search::Position& before,
                    const agent::Part& move) {
  implementation_->finish(match, before, move);
}
std::shared_ptr<const DrawnBoard> Boards::latest(const std::string& match) const {
  return implementation_->latest(match);
}
void Boards::forget(const std::string& match) {
  implementation_->forget(match);
}
void Boards::keep(const std::vector<std::string>& matches) {
  implementation_->keep(matches);
}

}  // namespace ludens::server
