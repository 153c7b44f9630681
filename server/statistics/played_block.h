// SPDX-License-Identifier: MIT
// The unit of comparison: all matches of one block.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/tournament/result.h"

namespace ludens::server {

/// The results of one player in a block. Wins, draws and losses are counted in games with two
/// players and a fixed sum.
struct BlockScore {
  std::string player;
  double score = 0;  // mean of its goals in all its seats and matches, 0..1 for all
  std::size_t wins = 0, draws = 0, losses = 0;
};

struct PlayedBlock {
  std::size_t number = 0;  // in the schedule
  std::string game;
  std::vector<const MatchResult*> matches;  // by rotation; those of an unfinished block so far
  /// It is final: each of its matches was played, or was aborted.
  bool settled = false;
  /// Settled, and all its matches have a result. Only such blocks count.
  bool complete = false;
  bool fixed_sum = false;          // whether its game is
  std::vector<BlockScore> scores;  // by name of the player; empty if it is not complete

  /// Null if it is not complete or if that player was not in it.
  [[nodiscard]] const BlockScore* find(const std::string& player) const;
  /// When its last match ended; milliseconds since 1970.
  [[nodiscard]] double ended_ms() const;
};

/// All blocks with at least one match, in schedule order. They refer to the results, which must
/// outlive them.
///
/// An aborted match has no goals. Its block never counts, including its completed matches: a player
/// that aborts the matches that it would lose gains nothing from the others, and the block would no
/// longer be fair. Its faults, its think time and the abort itself are still counted.
std::vector<PlayedBlock> played_blocks(std::span<const MatchResult> results);

/// Games of two players in which the goals of all matches that count add up to 100.
std::set<std::string> fixed_sum_games(std::span<const MatchResult> results);

}  // namespace ludens::server
