// SPDX-License-Identifier: MIT
#include "bindings/c/handles.h"

#include <algorithm>
#include <utility>

namespace ludens::c_interface {

namespace {

thread_local std::string last_error;  // NOLINT
/// Replaces `last_error` if there was no memory for that; otherwise null.
thread_local const char* fixed_error = nullptr;  // NOLINT

/// Whether a joint move leads from the state of `rows` to a row.
bool leads_to(const ludens_game& game, Rows& rows, const std::vector<gdl::MoveId>& joint,
              std::span<const std::uint64_t> row) {
  gdl::State after;
  expect_ok(rows.machine().next(rows.context(), rows.state(), joint, after));
  std::vector<std::uint64_t> made(row.size());
  game.environment->from_machine(after, made);
  return std::ranges::equal(made, row);
}

}  // namespace

ludens_status fail(ludens_status status, std::string why) noexcept {
  last_error = std::move(why);
  fixed_error = nullptr;
  return status;
}

ludens_status fail_after(ludens_status status, const char* why) noexcept {
  try {
    return fail(status, why);
  } catch (const std::bad_alloc&) {
    fixed_error = "there is not enough memory";
    return status;
  }
}

void expect_ok(gdl::Status status) {
  if (status != gdl::Status::Ok) throw std::bad_alloc();
}

void copy_text(const std::string& text, char* out, std::size_t size, std::size_t* needed) {
  if (needed != nullptr) *needed = text.size() + 1;
  if (out == nullptr || size == 0) return;
  const std::size_t length = std::min(size - 1, text.size());
  std::copy_n(text.data(), length, out);
  out[length] = 0;
}

Rows::Rows(const ludens_game& game, const std::uint64_t* rows)
    : game_(game),
      rows_(rows),
      machine_(*game.loaded->machine()),
      context_(machine_.make_context({nullptr, game.loaded->memory()})) {}

const gdl::State& Rows::take(std::size_t i) {
  const std::size_t words = game_.environment->state_plan().words();
  game_.environment->to_machine({rows_ + i * words, words}, state_);
  return state_;
}

bool Rows::terminal() {
  bool over = false;
  expect_ok(machine_.terminal(*context_, state_, over));
  return over;
}

std::vector<gdl::MoveId> Rows::legal(gdl::RoleIndex role) {
  std::vector<gdl::MoveId> moves;
  expect_ok(machine_.legal(*context_, state_, role, moves));
  return moves;
}

const std::vector<gdl::MoveId>& actions_of(const ludens_game& game, std::size_t player) {
  return game.environment->spaces().actions[player];
}

std::int32_t number_of(const ludens_game& game, std::size_t player, gdl::MoveId move) {
  const auto& actions = actions_of(game, player);
  const auto at = std::ranges::find(actions, move);
  return at == actions.end() ? -1 : static_cast<std::int32_t>(at - actions.begin());
}

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

bool find_drawn(const ludens_game& game, Rows& rows, std::vector<gdl::MoveId>& joint,
                std::span<const std::uint64_t> row, gdl::Rng& rng) {
  const auto random = rows.machine().random_role();
  if (!random) return leads_to(game, rows, joint, row);
  std::vector<gdl::MoveId> moves = rows.legal(*random);
  std::erase_if(moves, [&](gdl::MoveId move) {
    joint[*random] = move;
    return !leads_to(game, rows, joint, row);
  });
  if (moves.empty()) return false;
  joint[*random] = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  return true;
}

}  // namespace ludens::c_interface

const char* ludens_error(void) {
  const char* const fixed = ludens::c_interface::fixed_error;
  return fixed != nullptr ? fixed : ludens::c_interface::last_error.c_str();
}
