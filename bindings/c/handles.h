// SPDX-License-Identifier: MIT
// What the sources of the C interface share: the handle of a game, errors, and rows as states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/c/ludens.h"
#include "bindings/game/loaded_game.h"
#include "gdl/machine/rng.h"

struct ludens_game {
  std::shared_ptr<ludens::bindings::LoadedGame> loaded;
  std::shared_ptr<const ludens::gdl::EnvironmentGame> environment;
};

namespace ludens::c_interface {

/// Stores the reason for the calling thread.
ludens_status fail(ludens_status status, std::string why) noexcept;

/// Stores it after an exception; says that there is not enough memory if there is none for a copy.
ludens_status fail_after(ludens_status status, const char* why) noexcept;

/// Throws std::invalid_argument, which becomes LUDENS_BAD_ARGUMENT.
inline void need(bool good, const char* why) {
  if (!good) throw std::invalid_argument(why);
}

/// Runs a call, and converts an exception to a status.
template <typename Call>
ludens_status guarded(const Call& call) noexcept {
  try {
    return call();
  } catch (const std::invalid_argument& error) {
    return fail_after(LUDENS_BAD_ARGUMENT, error.what());
  } catch (const bindings::GameError& error) {
    return fail_after(LUDENS_BAD_GAME, error.what());
  } catch (const std::bad_alloc&) {
    return fail_after(LUDENS_NO_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return fail_after(LUDENS_FAILED, error.what());
  }
}

/// Runs a call that returns no status; `otherwise` is the result after an exception.
template <typename Value, typename Call>
Value guarded_or(Value otherwise, const Call& call) noexcept {
  guarded([&] {
    otherwise = call();
    return LUDENS_OK;
  });
  return otherwise;
}

/// Throws std::bad_alloc otherwise, because nothing is stopped here.
void expect_ok(gdl::Status status);

/// Writes a text and its final 0 into `size` bytes, as much as fits; `needed` may be null.
void copy_text(const std::string& text, char* out, std::size_t size, std::size_t* needed);

/// Gives access to the states of rows, one at a time. Game and rows must outlive it.
class Rows {
 public:
  Rows(const ludens_game& game, const std::uint64_t* rows);

  const gdl::State& take(std::size_t i);
  [[nodiscard]] const gdl::Machine& machine() const { return machine_; }
  /// The state taken last.
  [[nodiscard]] const gdl::State& state() const { return state_; }
  [[nodiscard]] gdl::Machine::Context& context() { return *context_; }
  bool terminal();
  std::vector<gdl::MoveId> legal(gdl::RoleIndex role);

 private:
  const ludens_game& game_;
  const std::uint64_t* rows_;
  const gdl::Machine& machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State state_;
};

/// The actions of a player, by number.
const std::vector<gdl::MoveId>& actions_of(const ludens_game& game, std::size_t player);

/// The number of a move among the actions of its player; -1 if it has none.
std::int32_t number_of(const ludens_game& game, std::size_t player, gdl::MoveId move);

/// Reads the moves of all players from their actions into `joint` [role]; returns what is wrong
/// with one, otherwise nullopt. Does not change the role `random`.
std::optional<std::string> read_actions(const ludens_game& game, Rows& rows,
                                        const std::int32_t* actions,
                                        std::vector<gdl::MoveId>& joint);

/// Finds what the role `random` did, if the game has it, from the resulting state, and sets its
/// move in `joint`; draws one of them where several moves lead there, which roles may perceive
/// differently. False if no move of it leads from the state of `rows` to `row`.
bool find_drawn(const ludens_game& game, Rows& rows, std::vector<gdl::MoveId>& joint,
                std::span<const std::uint64_t> row, gdl::Rng& rng);

}  // namespace ludens::c_interface
