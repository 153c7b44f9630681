// SPDX-License-Identifier: MIT
#include "bindings/game/recorded_match.h"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "gdl/registry/machines.h"
#include "server/match/match.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"

namespace ludens::bindings {

namespace {

/// Creates an interpreter with the vocabulary of the game's machine, so that moves have the same
/// numbers.
std::shared_ptr<const gdl::Machine> interpreter_of(const LoadedGame& game) {
  auto made =
      gdl::make_machine("interpreter", game.machine()->vocabulary(), {nullptr, game.memory()});
  if (!made) throw GameError(game.sheet().name + ": " + made.error().text);
  return *std::move(made);
}

void expect_ok(gdl::Status status) {
  if (status != gdl::Status::Ok) throw std::bad_alloc();
}

/// Adds a row to a list that has one for each of `rows` states or steps. A shorter list stays as it
/// is: records that others made may lack rows.
template <typename T>
void extend(std::vector<T>& list, std::size_t rows, std::type_identity_t<T> row) {
  if (list.size() == rows) list.push_back(std::move(row));
}

}  // namespace

RecordedMatch::RecordedMatch(std::shared_ptr<LoadedGame> game, std::vector<std::string> players)
    : game_(std::move(game)), told_(interpreter_of(*game_), {nullptr, game_->memory()}) {
  const gdl::Machine& machine = *game_->machine();
  record_.start_time_ms = server::wall_clock_ms();
  record_.match_id = server::new_match_id(game_->sheet().name);
  record_.game = game_->sheet().name;
  record_.rulesheet = game_->sheet().text;
  for (gdl::RoleIndex r = 0; r < machine.role_count(); ++r) {
    record_.roles.push_back(machine.role_name(r));
  }
  record_.players = std::move(players);
  begin();
  note();
}

RecordedMatch::RecordedMatch(std::shared_ptr<LoadedGame> game, server::MatchRecord record)
    : game_(std::move(game)),
      record_(std::move(record)),
      told_(interpreter_of(*game_), {nullptr, game_->memory()}) {
  if (record_.roles_by_name) {
    record_ = server::in_order_of(std::move(record_), *game_->sheet().rules);
    record_.roles_by_name = false;
  }
  begin();
  follow();
}

server::MatchRecord RecordedMatch::read(const std::string& path, std::size_t index) {
  const auto files = server::find_records(path);
  if (!files) throw std::runtime_error(files.error().text);
  std::size_t before = 0;
  for (const auto& file : *files) {
    auto found = server::read_records(file);
    if (!found) throw std::runtime_error(found.error().text);
    if (index >= before + found->size()) {
      before += found->size();
      continue;
    }
    server::FoundRecord& match = (*found)[index - before];
    if (!match.record) throw std::runtime_error(match.place + ": " + match.record.error().text);
    return *std::move(match.record);
  }
  throw std::runtime_error(path + ": there are " + std::to_string(before) +
                           " matches, counted from 0");
}

void RecordedMatch::begin() {
  expect_ok(told_.begin());
  context_ = game_->machine()->make_context({nullptr, game_->memory()});
  states_.push_back(game_->initial());
}

void RecordedMatch::advance(gdl::JointMove joint) {
  gdl::State next;
  expect_ok(game_->machine()->next(*context_, states_.back(), joint, next));
  expect_ok(told_.advance(joint));
  states_.push_back(std::move(next));
  joints_.emplace_back(joint.begin(), joint.end());
}

void RecordedMatch::play(gdl::JointMove joint) {
  advance(joint);
  std::vector<std::string> names;
  for (const gdl::MoveId move : joint) names.push_back(told_.move_name(move));
  const std::size_t steps = record_.moves.size();
  record_.moves.push_back(std::move(names));
  if (told_.hides_moves()) extend(record_.percepts, steps, server::last_percepts(told_));
  if (!record_.values.empty()) extend(record_.values, steps, {});
  if (!record_.claims.empty()) extend(record_.claims, steps, {});
  if (!record_.risked.empty()) extend(record_.risked, steps, {});
  note();
}

/// Adds the current state to the record, with which the match goes on.
void RecordedMatch::note() {
  const std::size_t roles = told_.roles(), states = record_.states.size();
  record_.states.push_back(told_.text());
  extend(record_.state_times_ms, states, server::wall_clock_ms());
  extend(record_.errors, states, std::vector<std::string>(roles));
  extend(record_.latencies_ms, states, std::vector<double>(roles));
  record_.aborted = false;
  record_.end_reason.clear();
  record_.completed = told_.terminal();
  record_.goals.clear();
  if (record_.completed) record_.goals.assign(told_.goals().begin(), told_.goals().end());
}

void RecordedMatch::follow() {
  for (const std::vector<std::string>& names : record_.moves) {
    if (told_.terminal() || names.size() != told_.roles()) return;
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < names.size(); ++r) {
      const auto move = told_.find_legal(r, names[r]);
      if (!move) return;
      joint.push_back(*move);
    }
    advance(joint);
  }
}

}  // namespace ludens::bindings
