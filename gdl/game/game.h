// SPDX-License-Identifier: MIT
// A game ready to be played, for programs that use this library: rules in, states and moves out. It
// is built on `Machine`, which has everything that a search needs; this has what most other
// programs need.
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

/// Rules that are broken, a file that can't be read, a machine that can't be built, or a memory
/// budget that is used up. `what` is a sentence for people; for rules it has one line per error,
/// `NAME:LINE:COLUMN: error: TEXT`.
class GameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct GameOptions {
  /// `auto`, the fastest machine that can be built for the game; `interpreter`, which is ready at
  /// once; or another name of `machine_kinds`.
  std::string machine = "auto";
  /// The limit for the machine and all states of the game together.
  std::size_t memory_bytes = std::size_t{2} << 30;
};

class GameState;

/// A game. Cheap to copy; copies are the same game, which lives as long as any of them or of their
/// states. Immutable: any thread may use it.
class Game {
 public:
  /// Reads rules in the Game Description Language, prefix or infix, or in HRF and builds a machine,
  /// which takes milliseconds for most games and seconds for large ones. `name` appears in
  /// messages. Throws GameError.
  static Game from_text(std::string rules, const GameOptions& options = {},
                        std::string_view name = "rules");
  /// The same for a file.
  static Game from_file(const std::filesystem::path& file, const GameOptions& options = {});

  [[nodiscard]] std::size_t role_count() const { return machine()->role_count(); }
  [[nodiscard]] std::string role_name(RoleIndex role) const { return machine()->role_name(role); }
  /// As hosts write it: `noop`, `( mark 1 1 )`.
  [[nodiscard]] std::string move_name(MoveId move) const;
  /// The move with this name; case does not matter. nullopt if no such move has been seen.
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

/// A state of a game, and the joint moves that led to it. A copy advances independently. One thread
/// at a time may use a state; different threads may use different states of one game. Functions
/// that evaluate rules throw GameError when there is not enough memory.
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
  /// The goals of all roles. Before the end, what the rules say, or 0 where they say nothing.
  [[nodiscard]] std::vector<int> goals() const;
  /// The facts that hold, as hosts write them: `( ( cell 1 1 b ) ( control x ) )`.
  [[nodiscard]] std::string text() const;
  /// Plays `count` random games from here to their ends, many at once where the machine can. Goals,
  /// from 0 to 100 as searches see them (`GoalScale`), are summed by role, so that the mean of role
  /// r is `goals[r] / count`; `steps` counts joint moves.
  [[nodiscard]] PlayoutSums playouts(std::uint32_t count, Rng& rng) const;

  /// For strategies: the state as its machine knows it, and all joint moves since the initial
  /// state, stored contiguously. Valid until the state changes.
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
