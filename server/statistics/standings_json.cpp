// SPDX-License-Identifier: MIT
#include "server/statistics/standings_json.h"

#include <boost/json.hpp>
#include <cmath>

namespace ludens::server {

namespace {

namespace json = boost::json;

json::value finite(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

json::object as_json(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"low", estimate.low}, {"high", estimate.high}};
}

json::value as_json(const std::optional<Elo>& elo) {
  if (!elo) return nullptr;
  return json::object{{"difference", finite(elo->difference)},
                      {"low", finite(elo->low)},
                      {"high", finite(elo->high)},
                      {"error", finite(elo->error())}};
}

void add(json::object& out, const Tally& tally) {
  out["blocks"] = tally.score.blocks;
  out["matches"] = tally.matches;
  out["wins"] = tally.wins;
  out["draws"] = tally.draws;
  out["losses"] = tally.losses;
  out["score"] = tally.score.blocks == 0 ? json::value(nullptr) : as_json(tally.score);
  out["fixed_sum_blocks"] = tally.fixed_sum_blocks;
  out["elo"] = as_json(tally.elo);
}

json::array as_json(const std::vector<PlayerStanding>& players) {
  json::array out;
  for (const PlayerStanding& player : players) {
    json::object row{{"rank", player.rank}, {"player", player.player}};
    add(row, player.tally);
    json::object faults;
    for (const FaultKind& kind : fault_kinds()) faults[kind.name] = player.faults.*kind.count;
    row["faults"] = std::move(faults);
    row["aborted"] = player.aborted;
    row["culprit"] = player.culprit;
    row["think"] = json::object{{"moves", player.think.moves},
                                {"total_ms", player.think.total_ms},
                                {"slowest_ms", player.think.slowest_ms}};
    out.push_back(std::move(row));
  }
  return out;
}

json::array as_json(const std::vector<GameStanding>& games) {
  json::array out;
  for (const GameStanding& game : games) {
    json::array roles;
    for (const RoleStanding& role : game.roles) {
      roles.push_back(
          json::object{{"role", role.role}, {"matches", role.matches}, {"mean", role.mean}});
    }
    out.push_back(json::object{{"game", game.game},
                               {"fixed_sum", game.fixed_sum},
                               {"matches", game.matches},
                               {"aborted", game.aborted},
                               {"blocks", game.blocks},
                               {"mean_steps", game.mean_steps},
                               {"least_steps", game.least_steps},
                               {"most_steps", game.most_steps},
                               {"roles", std::move(roles)},
                               {"standings", as_json(game.players)}});
  }
  return out;
}

/// Pairs over all games, each with its games.
json::array pairs_json(const Standings& standings) {
  const auto as_row = [](const Comparison& pair) {
    json::object row{{"first", pair.first}, {"second", pair.second}};
    add(row, pair.first_tally);
    row["second_score"] = as_json(pair.second_tally.score);
    row["advantage"] = as_json(pair.advantage);
    row["elo"] = as_json(pair.elo);
    return row;
  };
  json::array out;
  for (const Comparison& pair : standings.pairs) {
    json::object row = as_row(pair);
    json::array games;
    for (const Comparison& one : standings.pairs_by_game) {
      if (one.first != pair.first || one.second != pair.second) continue;
      json::object game = as_row(one);
      game.erase("first");
      game.erase("second");
      game["game"] = one.game;
      games.push_back(std::move(game));
    }
    row["games"] = std::move(games);
    out.push_back(std::move(row));
  }
  return out;
}

json::value as_json(const std::optional<SprtProgress>& sprt) {
  if (!sprt) return nullptr;
  return json::object{{"first", sprt->first},      {"second", sprt->second},
                      {"elo0", sprt->plan.elo0},   {"elo1", sprt->plan.elo1},
                      {"alpha", sprt->plan.alpha}, {"beta", sprt->plan.beta},
                      {"llr", sprt->llr},          {"lower", sprt->lower},
                      {"upper", sprt->upper},      {"blocks", sprt->blocks},
                      {"waiting", sprt->waiting},  {"decision", name_of(sprt->decision)}};
}

}  // namespace

json::object standings_json(const Standings& standings) {
  return {{"standings", as_json(standings.players)},
          {"matches", standings.matches},
          {"aborted", standings.aborted},
          {"blocks", standings.blocks},
          {"games", as_json(standings.games)},
          {"pairs", pairs_json(standings)},
          {"sprt", as_json(standings.sprt)}};
}

}  // namespace ludens::server
