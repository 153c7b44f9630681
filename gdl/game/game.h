// SPDX-License-Identifier: MIT
// A game ready to be played, for programs that use this library: rules in, states and moves out.
// Behind it is `Machine`, which has everything for searches; this has what most others need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// Rules that are broken, a file that can't be read, a machine that can't be built, or a budget of
/// memory that is used up. `what` is a sentence for people; of rules it is a line for each error,
/// `NAME:LINE:COLUMN: error: TEXT`.
class GameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct GameOptions {
  /// `auto`, the fastest that the game can have; `interpreter`, which is ready at once; or another
  /// name of `machine_kinds`.
  std::string machine = "auto";
  /// For the machine and all states of the game together.
  std::size_t memory_bytes = std::size_t{2} << 30;
};

class GameState;

/// A game. Cheap to copy; copies are the same game, which lives as long as any of them or of their
/// states. Immutable: any thread.
class Game {
 public:
  /// Reads rules in the Game Description Language or in HRF and builds a machine, which takes
  /// milliseconds for most games and seconds for large ones. `name` stands in messages. Throws
  /// GameError.
  static Game from_text(std::string rules, const GameOptions& options = {},
                        std::string_view name = "rules");
  /// The same of a file.
  static Game from_file(const std::filesystem::path& file, const GameOptions& options = {});

  [[nodiscard]] std::size_t role_count() const { return machine()->role_count(); }
  [[nodiscard]] std::string role_name(RoleIndex role) const { return machine()->role_name(role); }
  /// As hosts write it: `noop`, `( mark 1 1 )`.
  [[nodiscard]] std::string move_name(MoveId move) const;
  /// The move that is written so, compared without regard to case; nullopt if none has been seen.
  [[nodiscard]] std::optional<MoveId> find_move(std::string_view name) const;
  /// Warnings and notes about the rules.
  [[nodiscard]] const Diagnostics& diagnostics() const;
  [[nodiscard]] const std::shared_ptr<const Machine>& machine() const;

  /// Throws GameError.
  [[nodiscard]] GameState initial_state() const;

 private:
  friend class GameState;
  struct Loaded;
  explicit Game(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}
  std::shared_ptr<const Loaded> loaded_;
};

/// A state of a game, and the joint moves that led to it. A copy moves on by itself. One thread at
/// a time uses a state; different states of one game may be used by different threads. What derives
/// something throws GameError where memory does not suffice.
class GameState {
 public:
  GameState(const GameState& other);
  GameState& operator=(const GameState& other);
  GameState(GameState&&) noexcept = default;
  GameState& operator=(GameState&&) noexcept = default;
  ~GameState() = default;

  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] bool is_terminal() const;
  /// Ascending; empty where the state is terminal, or the rules are flawed. A role that waits has
  /// one legal move.
  [[nodiscard]] std::vector<MoveId> legal_moves(RoleIndex role) const;
  /// Makes a joint move: one legal move of each role, in role order; std::invalid_argument
  /// otherwise, and then the state is as it was.
  void play(JointMove moves);
  /// Of all roles, 0 to 100. What the rules say before the end, or 0 where they say nothing.
  [[nodiscard]] std::vector<int> goals() const;
  /// The facts that hold, as hosts write them: `( ( cell 1 1 b ) ( control x ) )`.
  [[nodiscard]] std::string text() const;
  /// Plays `count` random games from here to their ends, many at once where the machine can. Goals
  /// are summed by role, so that the mean of role r is `goals[r] / count`; `steps` are joint moves.
  [[nodiscard]] PlayoutSums playouts(std::uint32_t count, Rng& rng) const;

  /// For strategies: the state as its machine knows it, and the joint moves since the initial
  /// state, behind one another. Valid until the state moves on.
  [[nodiscard]] StateView view() const { return state_; }
  [[nodiscard]] const std::vector<MoveId>& history() const { return history_; }

 private:
  friend class Game;
  explicit GameState(Game game);
  [[nodiscard]] const Machine& machine() const { return *game_.machine(); }

  Game game_;
  std::unique_ptr<Machine::Context> context_;
  State state_;
  std::vector<MoveId> history_;
};

}  // namespace ludens::gdl
