// SPDX-License-Identifier: MIT
#include "server/report/loose_records.h"

#include <algorithm>

#include "server/tournament/played_match.h"

namespace ludens::server {

namespace {

bool names_all(const MatchRecord& record) {
  return !record.game.empty() && !record.roles.empty() &&
         record.players.size() == record.roles.size() &&
         (!record.completed || record.goals.size() == record.roles.size());
}

}  // namespace

/// Games that share a name and not their roles are told apart by a number.
std::size_t LooseRecords::game_of(const MatchRecord& record) {
  std::vector<PlannedGame>& games = log_.plan.games;
  std::string name = record.game;
  for (int number = 2;; ++number) {
    const auto known = std::ranges::find(games, name, &PlannedGame::name);
    if (known == games.end()) break;
    if (known->roles == record.roles) return static_cast<std::size_t>(known - games.begin());
    name = record.game + " (" + std::to_string(number) + ")";
  }
  PlannedGame& added = games.emplace_back();
  added.name = name;
  added.roles = record.roles;
  for (const std::string& role : record.roles) added.chance.push_back(role == "random");
  return games.size() - 1;
}

void LooseRecords::add(const MatchRecord& record) {
  if (!names_all(record)) return;
  log_.plan.name = "All matches";
  log_.plan.crash = CrashPolicy::Replaced;
  const std::size_t game = game_of(record);
  StartedMatch match{record.match_id, {log_.results.size(), 0, 0, 1}, game, record.players};
  for (std::size_t role = 0; role < match.players.size(); ++role) {
    if (log_.plan.games[game].chance[role]) match.players[role].clear();
    const std::string& player = match.players[role];
    if (player.empty() || !players_.emplace(player, players_.size()).second) continue;
    log_.plan.players.emplace_back().name = player;
  }
  MatchRecord counted = record;
  counted.states.clear();  // not needed, and large
  counted.faults = count_faults(record);
  MatchResult& result = log_.results.emplace_back(result_of(log_.plan, match, 0, counted));
  for (const int goal : result.goals) {
    result.least_goal = std::min(result.least_goal, goal);
    result.greatest_goal = std::max(result.greatest_goal, goal);
  }
}

TournamentLog LooseRecords::log() const {
  TournamentLog log = log_;
  std::ranges::stable_sort(log.results, {}, &MatchResult::started_ms);
  for (std::size_t i = 0; i < log.results.size(); ++i) log.results[i].block.number = i;
  return log;
}

}  // namespace ludens::server
