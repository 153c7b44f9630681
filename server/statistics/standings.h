// SPDX-License-Identifier: MIT
// How good each player is at each game, with confidence intervals: the data for tables, pages and
// JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/statistics/elo.h"
#include "server/statistics/estimate.h"
#include "server/statistics/played_block.h"
#include "server/statistics/sprt_progress.h"
#include "server/tournament/log.h"
#include "server/tournament/plan.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// The results of one player in complete blocks.
struct Tally {
  std::size_t matches = 0;                      // the number of blocks is in `score`
  std::size_t wins = 0, draws = 0, losses = 0;  // of matches of fixed-sum games
  Estimate score;
  std::size_t fixed_sum_blocks = 0;  // those of fixed-sum games
  std::optional<Elo> elo;            // of its score in them, against the players that it met
};

/// Think time of a player in all its matches in the log, whether they count or not.
struct ThinkTime {
  std::size_t moves = 0;
  double total_ms = 0;
  double slowest_ms = 0;
  [[nodiscard]] double mean_ms() const {
    return moves == 0 ? 0 : total_ms / static_cast<double>(moves);
  }
};

struct PlayerStanding {
  std::size_t rank = 1;  // by mean score; equal scores share one
  std::string player;
  Tally tally;
  // For all matches in the log, whether they count or not:
  FaultCounts faults;
  std::size_t aborted = 0;  // matches with this player that were aborted
  std::size_t culprit = 0;  // matches that were aborted or lost for its failures
  ThinkTime think;
};

/// How one role of a game has done, whoever played it.
struct RoleStanding {
  std::string role;
  std::size_t matches = 0;  // completed ones
  double mean = 0;          // of its goals in them, 0..1
};

struct GameStanding {
  std::string game;
  bool fixed_sum = false;
  std::size_t matches = 0;                      // in the log
  std::size_t aborted = 0;                      // of them
  std::size_t blocks = 0;                       // complete ones
  double mean_steps = 0;                        // of completed matches
  std::size_t least_steps = 0, most_steps = 0;  // likewise
  std::vector<RoleStanding> roles;      // without those of chance, in the order of the rules
  std::vector<PlayerStanding> players;  // by rank
};

/// Two players in the blocks in which both were. The advantage is 0.5 + (first - second) / 2 of
/// each block's scores: 0.5 if they are equally good, the first one's score if the sum is fixed.
struct Comparison {
  std::string game;  // empty: all games
  std::string first, second;
  Tally first_tally, second_tally;
  Estimate advantage;
  std::optional<Elo> elo;  // of the advantage in blocks of fixed-sum games

  /// The same from the second player's view.
  [[nodiscard]] Comparison turned() const;
};

struct Standings {
  std::size_t matches = 0;                // in the log
  std::size_t aborted = 0;                // of them
  std::size_t blocks = 0;                 // complete ones
  std::vector<PlayerStanding> players;    // by rank
  std::vector<GameStanding> games;        // in the plan's order
  std::vector<Comparison> pairs;          // of all games together; the first is earlier in the plan
  std::vector<Comparison> pairs_by_game;  // by pair, then by game; those who met
  std::optional<SprtProgress> sprt;
};

/// What to count.
struct StandingsInput {
  std::vector<std::string> players;  // in the order of tables; including those who have not played
  std::vector<std::string> games;    // in the order of tables
  std::optional<SprtPlan> sprt;      // of the first player against the second
  Shard shard;                       // which blocks of the schedule `results` can hold
  std::span<const MatchResult> results;
};

StandingsInput standings_input(const TournamentPlan& plan, const Shard& shard,
                               std::span<const MatchResult> results);

/// Computes standings from the whole log, in any order. An interval treats blocks of several games
/// or opponents as drawn from one population: the differences between games are part of the
/// uncertainty, so the interval is conservative for exactly these games.
Standings standings_of(const StandingsInput& input);

/// All against all: `cells[row][column]` is the comparison of `players[row]` with
/// `players[column]`, empty if they have not met.
struct CrossTable {
  std::vector<std::string> players;  // by rank
  std::vector<std::vector<std::optional<Comparison>>> cells;
};
/// For one game, or for all games together if `game` is empty.
CrossTable cross_table(const Standings& standings, const std::string& game = {});

}  // namespace ludens::server
