// SPDX-License-Identifier: MIT
// Records of matches: the functions `ludens_record_*`.
#include <algorithm>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bindings/c/handles.h"
#include "bindings/game/recorded_match.h"
#include "server/records/atomic_file.h"
#include "server/records/ggp_json.h"
#include "server/records/replay.h"

using ludens::bindings::RecordedMatch;
using namespace ludens::c_interface;  // NOLINT: these are its functions for C
namespace gdl = ludens::gdl;
namespace server = ludens::server;

struct ludens_record {
  ludens_game game;
  RecordedMatch match;
  gdl::Rng rng{std::random_device{}()};  // of moves of `random` that no state shows

  [[nodiscard]] std::vector<std::uint64_t> row(std::size_t step) const {
    std::vector<std::uint64_t> words(ludens_state_words(&game));
    game.environment->from_machine(match.states()[step], words);
    return words;
  }
};

namespace {

/// Throws unless the step could be followed.
void expect_followed(const ludens_record& record, std::size_t step) {
  if (step <= record.match.followed()) return;
  throw std::invalid_argument("the record has no state " + std::to_string(step) +
                              ": it was followed to state " +
                              std::to_string(record.match.followed()));
}

}  // namespace

ludens_status ludens_record_begin(ludens_game* game, const char* const* players,
                                  ludens_record** out) {
  return guarded([&] {
    need(game != nullptr && out != nullptr, "game and where the record goes must not be null");
    std::vector<std::string> names = game->loaded->roles();
    for (std::size_t r = 0; players != nullptr && r < names.size(); ++r) {
      if (players[r] != nullptr) names[r] = players[r];
    }
    *out = new ludens_record{*game, {game->loaded, std::move(names)}};
    return LUDENS_OK;
  });
}

ludens_status ludens_record_play(ludens_record* record, const int32_t* actions,
                                 const uint64_t* next) {
  return guarded([&] {
    need(record != nullptr && actions != nullptr, "record and actions must not be null");
    const ludens_game& game = record->game;
    need(record->match.followed() == record->match.record().moves.size(),
         "the record holds moves that are not legal: it can't go on");
    const auto random = game.loaded->machine()->random_role();
    need(next != nullptr || !random, "in a game with chance, next must not be null");
    const auto from = record->row(record->match.followed());
    Rows rows(game, from.data());
    rows.take(0);
    std::vector<gdl::MoveId> joint(game.loaded->roles().size());
    if (const auto problem = read_actions(game, rows, actions, joint)) {
      return fail(LUDENS_ILLEGAL_ACTION, *problem);
    }
    need(next == nullptr || find_drawn(game, rows, joint, {next, from.size()}, record->rng),
         "the actions do not lead to that state from where the record stands");
    record->match.play(joint);
    return LUDENS_OK;
  });
}

ludens_status ludens_record_load(ludens_game* game, const char* path, size_t index,
                                 ludens_record** out) {
  return guarded([&] {
    need(game != nullptr && path != nullptr && out != nullptr,
         "game, path and where the record goes must not be null");
    *out = new ludens_record{*game, {game->loaded, RecordedMatch::read(path, index)}};
    return LUDENS_OK;
  });
}

void ludens_record_close(ludens_record* record) {
  delete record;
}

size_t ludens_record_steps(const ludens_record* record) {
  return record->match.record().moves.size();
}

const char* ludens_record_player(const ludens_record* record, size_t role) {
  const auto& players = record->match.record().players;
  return role < players.size() ? players[role].c_str() : nullptr;
}

ludens_status ludens_record_state(const ludens_record* record, size_t step, uint64_t* state) {
  return guarded([&] {
    need(record != nullptr && state != nullptr, "record and state must not be null");
    expect_followed(*record, step);
    std::ranges::copy(record->row(step), state);
    return LUDENS_OK;
  });
}

ludens_status ludens_record_actions(const ludens_record* record, size_t step, int32_t* actions) {
  return guarded([&] {
    need(record != nullptr && actions != nullptr, "record and actions must not be null");
    need(step < record->match.followed(), "the record has no such joint move that is legal");
    const auto joint = record->match.joint(step);
    for (std::size_t p = 0; p < ludens_player_count(&record->game); ++p) {
      actions[p] = number_of(record->game, p, joint[ludens_player_role(&record->game, p)]);
    }
    return LUDENS_OK;
  });
}

ludens_status ludens_record_end(const ludens_record* record, int32_t* completed, int32_t* goals) {
  return guarded([&] {
    need(record != nullptr && completed != nullptr, "record and completed must not be null");
    const server::MatchRecord& kept = record->match.record();
    need(!kept.completed || kept.goals.size() == record->game.loaded->roles().size(),
         "the record has goals of other roles than the game");
    *completed = kept.completed ? 1 : 0;
    if (kept.completed && goals != nullptr) std::ranges::copy(kept.goals, goals);
    return LUDENS_OK;
  });
}

ludens_status ludens_record_replay(const ludens_record* record, int32_t* agrees, char* text,
                                   size_t size) {
  return guarded([&] {
    need(record != nullptr && agrees != nullptr, "record and agrees must not be null");
    const auto found = server::replay(record->match.record(), record->game.loaded->sheet().rules);
    if (found.stopped) return fail(LUDENS_NO_MEMORY, found.why);
    *agrees = found.disagreements.empty() ? 1 : 0;
    std::string where;
    if (*agrees == 0) {
      const server::Disagreement& first = found.disagreements.front();
      where = "state " + std::to_string(first.step) + ": " + first.what;
    }
    copy_text(where, text, size, nullptr);
    return LUDENS_OK;
  });
}

ludens_status ludens_record_print(const ludens_record* record, char* text, size_t size,
                                  size_t* needed) {
  return guarded([&] {
    need(record != nullptr && (text != nullptr || size == 0), "record and text must not be null");
    copy_text(server::to_ggp_json(record->match.record()), text, size, needed);
    return LUDENS_OK;
  });
}

ludens_status ludens_record_save(const ludens_record* record, const char* path) {
  return guarded([&] {
    need(record != nullptr && path != nullptr, "record and path must not be null");
    const auto problem = server::write_atomically(
        path, server::to_ggp_json(record->match.record()) + "\n", server::Durability::Renamed);
    if (problem) return fail(LUDENS_FAILED, std::string(path) + ": " + problem.message());
    return LUDENS_OK;
  });
}
