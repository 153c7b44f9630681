// SPDX-License-Identifier: MIT
// Match results as a log would hold them, for tests.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "server/tournament/plan.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// A completed match between players of a block of as many matches as there are players. Each
/// player thought 30 ms in 10 moves, 5 ms over the slowest.
inline MatchResult match_result(std::size_t block, std::size_t rotation, std::string game,
                                std::vector<std::string> players, std::vector<int> goals) {
  MatchResult result;
  result.tournament = "t";
  result.match = "t." + std::to_string(block) + "." + std::to_string(rotation);
  result.block = {.number = block, .round = 0, .rotation = rotation, .size = players.size()};
  result.game = std::move(game);
  for (std::size_t role = 0; role < players.size(); ++role) {
    result.roles.push_back("r" + std::to_string(role));
  }
  result.faults.resize(players.size());
  result.think_ms.assign(players.size(), 30);
  result.slowest_ms.assign(players.size(), 5);
  result.steps = 10;
  result.started_ms = static_cast<std::int64_t>(1000 * block + 100 * rotation);
  result.duration_ms = 50;
  result.players = std::move(players);
  result.goals = std::move(goals);
  return result;
}

/// A whole block of two players: `goals` of the first one when it has the first seat, and when it
/// has the second, of 100 to be shared.
inline std::vector<MatchResult> two_player_block(std::size_t block, const std::string& game,
                                                 const std::string& first,
                                                 const std::string& second,
                                                 std::pair<int, int> goals) {
  return {match_result(block, 0, game, {first, second}, {goals.first, 100 - goals.first}),
          match_result(block, 1, game, {second, first}, {100 - goals.second, goals.second})};
}

/// The same, as it is when it was broken off.
inline MatchResult aborted(MatchResult result, std::vector<std::string> culprits) {
  result.end = MatchEnd::Aborted;
  result.reason = "broken off";
  result.goals.clear();
  result.culprits = std::move(culprits);
  return result;
}

/// Of the tournament that such results could come from.
inline TournamentPlan demo_plan() {
  TournamentPlan plan;
  plan.name = "demo";
  plan.players.resize(2);
  plan.players[0].name = "ann";
  plan.players[1].name = "bob";
  plan.games.resize(1);
  plan.games[0].name = "duel";
  return plan;
}

inline void append(std::vector<MatchResult>& results, std::vector<MatchResult> more) {
  for (MatchResult& result : more) results.push_back(std::move(result));
}

}  // namespace ludens::server
