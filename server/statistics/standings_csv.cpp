// SPDX-License-Identifier: MIT
// Standings as a table of comma-separated values.
#include "server/statistics/standings_text.h"

#include "server/statistics/csv.h"

namespace ludens::server {

namespace {

// Columns of the titles.
constexpr std::size_t kMatches = 4, kScore = 8;

const std::vector<std::string>& titles() {
  static const std::vector<std::string> titles{
      "game",   "rank",    "player",    "blocks",     "matches",    "wins",    "draws",
      "losses", "score",   "score_low", "score_high", "elo",        "elo_low", "elo_high",
      "faults", "aborted", "moves",     "think_ms",   "slowest_ms", "role"};
  return titles;
}

void add_estimate(std::vector<std::string>& row, const Estimate& score) {
  for (const double value : {score.mean, score.low, score.high}) {
    row.push_back(score.blocks == 0 ? "" : csv_number(value));
  }
}

void add_elo(std::vector<std::string>& row, const std::optional<Elo>& elo) {
  if (!elo) {
    row.insert(row.end(), 3, "");
    return;
  }
  for (const double value : {elo->difference, elo->low, elo->high}) {
    row.push_back(csv_number(value));
  }
}

std::string line_of(const std::string& game, const PlayerStanding& player) {
  const Tally& tally = player.tally;
  std::vector<std::string> row{game, std::to_string(player.rank), player.player};
  for (const std::size_t count :
       {tally.score.blocks, tally.matches, tally.wins, tally.draws, tally.losses}) {
    row.push_back(std::to_string(count));
  }
  add_estimate(row, tally.score);
  add_elo(row, tally.elo);
  for (const std::size_t count : {player.faults.total(), player.aborted, player.think.moves}) {
    row.push_back(std::to_string(count));
  }
  row.push_back(csv_number(player.think.total_ms));
  row.push_back(csv_number(player.think.slowest_ms));
  row.emplace_back();
  return csv_line(row);
}

/// A line of a role has no player.
std::string line_of(const std::string& game, const RoleStanding& role) {
  std::vector<std::string> row(titles().size());
  row.front() = game;
  row[kMatches] = std::to_string(role.matches);
  row[kScore] = csv_number(role.mean);
  row.back() = role.role;
  return csv_line(row);
}

}  // namespace

std::string standings_csv(const Standings& standings) {
  std::string text = csv_line(titles());
  for (const PlayerStanding& player : standings.players) text += line_of("", player);
  for (const GameStanding& game : standings.games) {
    for (const PlayerStanding& player : game.players) text += line_of(game.game, player);
  }
  for (const GameStanding& game : standings.games) {
    for (const RoleStanding& role : game.roles) text += line_of(game.game, role);
  }
  return text;
}

}  // namespace ludens::server
