// SPDX-License-Identifier: MIT
// Standings as text for terminals and logs, and as a table for spreadsheets.
#pragma once

#include <string>
#include <vector>

#include "server/statistics/standings.h"
#include "server/statistics/text_table.h"

namespace ludens::server {

// Numbers for people. Scores are in percent.
std::string percent_text(double score);               // 71.3
std::string interval_text(const Estimate& estimate);  // 64.2 .. 78.5; empty without blocks
std::string elo_text(const std::optional<Elo>& elo);  // +158 ± 62; empty if there is none
std::string seconds_text(double ms);                  // 0.013, 1.25, 12.5
std::string count_text(std::size_t count, const std::string& one);  // "1 block", "2 blocks"

/// Rank, score with its interval, Elo, results, faults and think time of each player.
TextTable player_table(const std::vector<PlayerStanding>& players);

enum class CrossCell { Score, Elo };

/// One row and one column per player: the row's mean score against the column, or its Elo with the
/// interval.
TextTable cross_text_table(const CrossTable& table, CrossCell show);

/// One row per game, one column per player: the player's mean score in that game.
TextTable game_table(const Standings& standings);

/// The scores of the roles of games with several, whoever played them, and the least and the most
/// steps of a match.
TextTable role_table(const Standings& standings);

/// A row for each player that made a fault or was in a match that was aborted; kinds of faults as
/// columns, without those that did not occur.
TextTable fault_table(const std::vector<PlayerStanding>& players);

/// All tables that are not empty, and the verdict of the test; ends with a line end.
std::string standings_text(const Standings& standings);

/// A line of titles, then a line for each player: over all games (`game` is empty), then in each
/// game. Columns keep their names and their order; new ones come last. Scores are 0..1, with the
/// ends of their 95 % intervals; so is Elo. Fields are empty if there is no value.
std::string standings_csv(const Standings& standings);

}  // namespace ludens::server
