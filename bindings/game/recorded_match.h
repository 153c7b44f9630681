// SPDX-License-Identifier: MIT
// A match with its record, move by move.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/game/loaded_game.h"
#include "server/game/position.h"
#include "server/records/match_record.h"

namespace ludens::bindings {

/// Records have all facts, including those that nothing depends on and that fast machines drop. So
/// the match is followed on the interpreter in addition to the game's machine. One thread at a time
/// may use it.
class RecordedMatch {
 public:
  /// A new match; `players` by role. Throws GameError.
  RecordedMatch(std::shared_ptr<LoadedGame> game, std::vector<std::string> players);
  /// A stored match, whose moves are followed as far as they are legal. Throws GameError.
  RecordedMatch(std::shared_ptr<LoadedGame> game, server::MatchRecord record);
  /// Match number `index` of a file or folder; throws std::runtime_error if there is none.
  static server::MatchRecord read(const std::string& path, std::size_t index);

  /// The joint move must be legal, and the match not over. A match that was aborted goes on.
  void play(gdl::JointMove joint);

  [[nodiscard]] const std::shared_ptr<LoadedGame>& game() const { return game_; }
  [[nodiscard]] const server::MatchRecord& record() const { return record_; }
  /// The number of joint moves that were followed.
  [[nodiscard]] std::size_t followed() const { return joints_.size(); }
  /// States of the game's machine, from the initial one on, and the joint moves between them.
  [[nodiscard]] std::span<const gdl::State> states() const { return states_; }
  [[nodiscard]] gdl::JointMove joint(std::size_t step) const { return joints_[step]; }

 private:
  void begin();
  void advance(gdl::JointMove joint);
  void note();
  void follow();

  std::shared_ptr<LoadedGame> game_;
  server::MatchRecord record_;
  server::Position told_;  // of the interpreter
  std::unique_ptr<gdl::Machine::Context> context_;
  std::vector<gdl::State> states_;
  std::vector<std::vector<gdl::MoveId>> joints_;
};

}  // namespace ludens::bindings
