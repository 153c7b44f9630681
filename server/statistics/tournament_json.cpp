// SPDX-License-Identifier: MIT
#include "server/statistics/tournament_json.h"

#include <boost/json.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "server/records/faults.h"
#include "server/records/match_record.h"
#include "server/statistics/curves.h"
#include "server/statistics/standings.h"
#include "server/statistics/standings_json.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

/// More points than this can't be distinguished on a screen.
constexpr std::size_t kMaxPoints = 600;

/// Which of `count` points are shown: evenly distributed, and always the last one.
std::vector<std::size_t> shown(std::size_t count) {
  const std::size_t stride = (count + kMaxPoints - 1) / kMaxPoints;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < count; i += stride) indices.push_back(i);
  if (!indices.empty() && indices.back() + 1 != count) indices.push_back(count - 1);
  return indices;
}

/// Rounds to four digits, because more can't be seen.
double rounded(double value) {
  return std::abs(value) < 1e15 ? std::round(value * 1e4) / 1e4 : value;
}

json::array curves_json(const TournamentLog& log) {
  std::vector<std::string> players;
  for (const PlannedPlayer& player : log.plan.players) players.push_back(player.name);
  const auto blocks = played_blocks(log.results);
  json::array out;
  for (const ScoreCurve& curve : score_curves(players, blocks)) {
    json::array points;
    for (const std::size_t i : shown(curve.points.size())) {
      const ScorePoint& point = curve.points[i];
      points.push_back(json::array{point.block + 1, rounded(point.estimate.low),
                                   rounded(point.estimate.mean), rounded(point.estimate.high)});
    }
    out.push_back(json::object{{"player", curve.player}, {"points", std::move(points)}});
  }
  return out;
}

json::array llr_json(const SprtProgress& sprt) {
  json::array out;
  for (const std::size_t i : shown(sprt.curve.size())) {
    out.push_back(json::array{i + 1, rounded(sprt.curve[i])});
  }
  return out;
}

}  // namespace

json::object tournament_json(const TournamentLog& log, const std::vector<std::string>& places,
                             std::string_view note) {
  const Standings standings = standings_of(standings_input(log.plan, log.shard, log.results));
  json::array players, games, kinds, folders;
  for (const std::string& place : places) folders.emplace_back(storable(place));
  for (const PlannedPlayer& player : log.plan.players) players.emplace_back(player.name);
  for (const PlannedGame& game : log.plan.games) games.emplace_back(game.name);
  for (const FaultKind& kind : fault_kinds()) {
    kinds.push_back(json::object{{"name", kind.name}, {"meaning", kind.meaning}});
  }
  json::object out{{"name", log.plan.name},        {"format", format_name(log.plan.format)},
                   {"rounds", log.plan.rounds},    {"players", std::move(players)},
                   {"games", std::move(games)},    {"fault_kinds", std::move(kinds)},
                   {"places", std::move(folders)}, {"curves", curves_json(log)}};
  if (!note.empty()) out["note"] = note;
  if (standings.sprt) {
    out["sentence"] = sentence(*standings.sprt);
    out["llr"] = llr_json(*standings.sprt);
  }
  out["summary"] = standings_json(standings);
  return out;
}

}  // namespace ludens::server
