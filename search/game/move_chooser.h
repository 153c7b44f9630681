// SPDX-License-Identifier: MIT
// Chooses moves by a strategy, for programs that use this library.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "gdl/game/game.h"
#include "search/registry/registry.h"

namespace ludens::search {

struct MoveChooserOptions {
  unsigned threads = 1;
  /// The limit for what it stores about a game: trees and tables.
  std::size_t memory_bytes = std::size_t{1} << 30;
};

/// Chooses moves for one role of one match at a time, and reuses at each move what it found at
/// earlier ones. Not thread-safe; the search's own threads end with each call.
class MoveChooser {
 public:
  /// A strategy with its options, `mcts:playouts=2000,seed=7`; `ludens strategies` and `strategies`
  /// list them. The machine is that of the game, whatever the option `machine` says, and nothing is
  /// known of the game from before. Throws std::invalid_argument with a sentence that says what is
  /// wrong, also if the option `knowledge` names a file.
  explicit MoveChooser(std::string_view strategy = "auto", const MoveChooserOptions& options = {});

  /// Thinks for at most `time`; less if its options or a proof end it. In a game with hidden
  /// information the strategy is told what the role knows, and nothing counts as proved; if no
  /// position that fits is found in a quarter of the time, the choice is the first legal move.
  /// Throws std::invalid_argument if the role has no legal move. If the strategy throws, as when
  /// memory runs out, what it has found is lost: the next call makes a new one.
  Choice choose(const gdl::GameState& state, gdl::RoleIndex role, std::chrono::nanoseconds time);

  /// One line on how the last choice was made; may be empty.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent);

  StrategySpec spec_;
  std::unique_ptr<gdl::MemoryBudget> memory_;  // outlives the strategy
  Resources resources_;
  std::unique_ptr<Strategy> strategy_;  // null: the last one has thrown
  std::string explanation_;
};

}  // namespace ludens::search
