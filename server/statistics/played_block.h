// SPDX-License-Identifier: MIT
// The unit that is compared: the matches of one block, seen together.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/tournament/result.h"

namespace ludens::server {

/// What one player got in a block. Wins, draws and losses are counted in games with two players and
/// a fixed sum.
struct BlockScore {
  std::string player;
  double score = 0;  // mean of its goals in all its seats and matches, 0..1 for 0..100
  std::size_t wins = 0, draws = 0, losses = 0;
};

struct PlayedBlock {
  std::size_t number = 0;  // in the schedule
  std::string game;
  std::vector<const MatchResult*> matches;  // by rotation; those of an unfinished block so far
  /// Nothing more will come of it: each of its matches was played, or was aborted.
  bool settled = false;
  /// Settled, and all its matches were completed. Only such blocks count.
  bool complete = false;
  bool fixed_sum = false;          // its game is
  std::vector<BlockScore> scores;  // by name of the player; empty if it is not complete

  /// Nothing if it is not complete or if that player was not there.
  [[nodiscard]] const BlockScore* find(const std::string& player) const;
  /// When its last match ended; milliseconds since 1970.
  [[nodiscard]] double ended_ms() const;
};

/// All blocks of which there is a match, in schedule order. They refer to the results, which must
/// outlive them.
///
/// An aborted match has no goals. Its block never counts, the matches of it that were completed
/// included: a player that breaks off the matches that it would lose gains nothing by the others,
/// and the block would no longer be fair. Its faults, its think time and the abort itself are
/// counted all the same.
std::vector<PlayedBlock> played_blocks(std::span<const MatchResult> results);

/// Games of two players in which the goals of all completed matches add up to 100.
std::set<std::string> fixed_sum_games(std::span<const MatchResult> results);

}  // namespace ludens::server
