// SPDX-License-Identifier: MIT
#include "server/statistics/standings_text.h"

#include <algorithm>
#include <cmath>

#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

using Align = TextTable::Align;
using Column = TextTable::Column;

/// Infinity if nothing was lost, or nothing won.
std::string signed_text(double elo) {
  if (std::isinf(elo)) return elo > 0 ? "+∞" : "-∞";
  return number_text("%+.0f", std::abs(elo) < 0.5 ? 0 : elo);  // not -0
}

std::string unless_zero(std::size_t count) {
  return count == 0 ? "" : std::to_string(count);
}

void append(std::string& text, const TextTable& table) {
  text += "\n";
  for (const std::string& line : table.lines()) text += line + "\n";
}

std::string summary(const Standings& standings) {
  std::string text = count_text(standings.matches, "match") + ", " +
                     count_text(standings.blocks, "complete block");
  if (standings.aborted != 0) text += ", " + std::to_string(standings.aborted) + " aborted";
  return text;
}

/// True if Elo is shown beside scores from which it is not computed.
bool has_mixed_games(const Standings& standings) {
  return std::any_of(standings.players.begin(), standings.players.end(), [](const auto& player) {
    return player.tally.elo && player.tally.fixed_sum_blocks != player.tally.score.blocks;
  });
}

}  // namespace

std::string percent_text(double score) {
  return number_text("%.1f", 100 * score);
}

std::string interval_text(const Estimate& estimate) {
  if (estimate.blocks == 0) return {};
  return number_text("%5.1f", 100 * estimate.low) + " .." +
         number_text("%6.1f", 100 * estimate.high);
}

std::string elo_text(const std::optional<Elo>& elo) {
  if (!elo) return {};
  if (std::isinf(elo->error())) {
    return signed_text(elo->difference) + " (" + signed_text(elo->low) + " .. " +
           signed_text(elo->high) + ")";
  }
  return signed_text(elo->difference) + " ± " + number_text("%.0f", elo->error());
}

std::string seconds_text(double ms) {
  const double seconds = ms / 1000;
  return number_text(seconds < 1 ? "%.3f" : seconds < 10 ? "%.2f" : "%.1f", seconds);
}

std::string count_text(std::size_t count, const std::string& one) {
  if (count == 1) return "1 " + one;
  const bool hisses = !one.empty() && (one.back() == 'h' || one.back() == 's');
  return std::to_string(count) + " " + one + (hisses ? "es" : "s");
}

TextTable player_table(const std::vector<PlayerStanding>& players) {
  TextTable table({{"rank"},
                   {"player", Align::Left},
                   {"score"},
                   {"95 %"},
                   {"Elo"},
                   {"blocks"},
                   {"won"},
                   {"drawn"},
                   {"lost"},
                   {"faults"},
                   {"s/move"}});
  for (const PlayerStanding& player : players) {
    const Tally& tally = player.tally;
    const bool any = tally.score.blocks != 0;
    const bool results = tally.wins + tally.draws + tally.losses != 0;
    table.add({any ? std::to_string(player.rank) : "-", player.player,
               any ? percent_text(tally.score.mean) : "-", interval_text(tally.score),
               elo_text(tally.elo), std::to_string(tally.score.blocks),
               results ? std::to_string(tally.wins) : "",
               results ? std::to_string(tally.draws) : "",
               results ? std::to_string(tally.losses) : "", unless_zero(player.faults.total()),
               player.think.moves == 0 ? "" : seconds_text(player.think.mean_ms())});
  }
  return table;
}

TextTable cross_text_table(const CrossTable& cross, CrossCell show) {
  const bool elo = show == CrossCell::Elo;
  std::vector<Column> columns{{elo ? "Elo against" : "against", Align::Left}};
  for (const std::string& player : cross.players) columns.push_back({player});
  TextTable table(std::move(columns));
  for (std::size_t row = 0; row < cross.players.size(); ++row) {
    std::vector<std::string> cells{cross.players[row]};
    for (std::size_t column = 0; column < cross.players.size(); ++column) {
      const auto& cell = cross.cells[row][column];
      const std::string text = !cell ? ""
                               : elo ? elo_text(cell->elo)
                                     : percent_text(cell->first_tally.score.mean);
      cells.push_back(!text.empty() ? text : row == column ? "·" : "-");
    }
    table.add(std::move(cells));
  }
  return table;
}

TextTable game_table(const Standings& standings) {
  std::vector<Column> columns{{"game", Align::Left}, {"blocks"}, {"aborted"}, {"steps"}};
  for (const PlayerStanding& player : standings.players) columns.push_back({player.player});
  TextTable table(std::move(columns));
  for (const GameStanding& game : standings.games) {
    std::vector<std::string> cells{game.game, std::to_string(game.blocks),
                                   unless_zero(game.aborted), number_text("%.1f", game.mean_steps)};
    for (const PlayerStanding& player : standings.players) {
      std::string cell = "-";
      for (const PlayerStanding& here : game.players) {
        if (here.player == player.player && here.tally.score.blocks != 0) {
          cell = percent_text(here.tally.score.mean);
        }
      }
      cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
  }
  return table;
}

TextTable role_table(const Standings& standings) {
  TextTable table(
      {{"game", Align::Left}, {"role", Align::Left}, {"score"}, {"matches"}, {"steps"}});
  for (const GameStanding& game : standings.games) {
    if (game.roles.size() < 2) continue;
    for (const RoleStanding& role : game.roles) {
      const bool first = &role == game.roles.data();
      table.add({first ? game.game : "", role.role, percent_text(role.mean),
                 std::to_string(role.matches),
                 first ? std::to_string(game.least_steps) + " .. " + std::to_string(game.most_steps)
                       : ""});
    }
  }
  return table;
}

TextTable fault_table(const std::vector<PlayerStanding>& players) {
  std::vector<Column> columns{{"player", Align::Left}};
  for (const FaultKind& kind : fault_kinds()) columns.push_back({std::string(kind.name)});
  columns.push_back({"aborted"});
  columns.push_back({"at fault"});
  TextTable table(std::move(columns));
  for (const PlayerStanding& player : players) {
    if (player.faults.total() + player.aborted == 0) continue;
    std::vector<std::string> cells{player.player};
    for (const FaultKind& kind : fault_kinds()) {
      cells.push_back(unless_zero(player.faults.*kind.count));
    }
    cells.push_back(unless_zero(player.aborted));
    cells.push_back(unless_zero(player.culprit));
    table.add(std::move(cells));
  }
  return table;
}

std::string standings_text(const Standings& standings) {
  std::string text = summary(standings) + "\n";
  append(text, player_table(standings.players));
  if (has_mixed_games(standings)) {
    text += "Elo, won, drawn, lost: in games of two players whose goals add up to 100\n";
  }
  if (standings.players.size() > 2 && !standings.pairs.empty()) {
    const CrossTable cross = cross_table(standings);
    append(text, cross_text_table(cross, CrossCell::Score));
    const auto has_elo = [](const Comparison& pair) { return pair.elo.has_value(); };
    if (std::any_of(standings.pairs.begin(), standings.pairs.end(), has_elo)) {
      append(text, cross_text_table(cross, CrossCell::Elo));
    }
  }
  if (standings.games.size() > 1) append(text, game_table(standings));
  if (const TextTable roles = role_table(standings); !roles.empty()) append(text, roles);
  const TextTable faults = fault_table(standings.players);
  if (!faults.empty()) append(text, faults);
  if (standings.sprt) text += "\nSPRT: " + sentence(*standings.sprt) + "\n";
  return text;
}

}  // namespace ludens::server
