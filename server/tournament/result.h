// SPDX-License-Identifier: MIT
// What is stored about one finished match of a tournament: one line of its log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "server/records/faults.h"

namespace ludens::server {

enum class MatchEnd : std::uint8_t {
  Completed,  // the rules say that it is over; goals are there
  Aborted,    // for `reason`: a step cap, a fault of the game, a player that is down
  Forfeited,  // for `reason`: the culprits crashed or failed too often, and lose; the others win
};

/// The place of a match in the schedule. The unit of comparison is the block: the same game and
/// seed, played `size` times, with the players rotated over the seats. In a complete block each
/// player of the table has held each role equally often.
struct BlockPlace {
  std::size_t number = 0;    // of the block in the whole schedule, from 0; shards keep it
  std::size_t round = 0;     // from 0
  std::size_t rotation = 0;  // of the match within its block, from 0
  std::size_t size = 1;      // matches of the block
  friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

/// Vectors are in role order and as long as `roles`, unless stated otherwise.
struct MatchResult {
  std::string tournament;  // TournamentPlan::id()
  std::string match;       // `TOURNAMENT.BLOCK.ROTATION`, unique
  BlockPlace block;
  std::string game;       // PlannedGame::name
  std::string game_hash;  // PlannedGame::hash
  std::vector<std::string> roles;
  std::vector<std::string> players;  // PlannedPlayer::name; empty if the host plays at random
  std::uint64_t seed = 0;            // the same in all matches of a block
  MatchEnd end = MatchEnd::Completed;
  std::string reason;                 // empty if completed
  std::vector<std::string> culprits;  // players for whose failures it ended early; mostly empty
  std::vector<int> goals;             // as the rules state them; empty if aborted
  int least_goal = 0, greatest_goal = 100;  // that the rules could give
  std::size_t steps = 0;
  std::string moves_hash;  // of all joint moves: two matches with the same one were the same
  std::vector<FaultCounts> faults;
  std::string record;  // file, relative to the log's folder; empty: none was kept

  // What differs from run to run of the same plan.
  std::int64_t started_ms = 0;     // since 1970
  double duration_ms = 0;          // from before START to after STOP
  std::vector<double> think_ms;    // all answers to PLAY together
  std::vector<double> slowest_ms;  // the slowest of them

  /// Played to the end.
  [[nodiscard]] bool completed() const { return end == MatchEnd::Completed; }
  /// Has a result.
  [[nodiscard]] bool counts() const { return end != MatchEnd::Aborted; }
};

/// One line of JSON, without line end. Only the member `times` differs from run to run.
std::string to_json(const MatchResult& result);
/// The result, or a sentence that says what is wrong with the line. Unknown members are ignored.
gdl::Result<MatchResult> parse_result(std::string_view line);

}  // namespace ludens::server
