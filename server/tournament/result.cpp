// SPDX-License-Identifier: MIT
#include "server/tournament/result.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "server/records/json_fields.h"
#include "server/records/json_text.h"
#include "server/records/match_record.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 3> kEnds{"completed", "aborted", "forfeited"};

json::array texts(const std::vector<std::string>& plain) {
  json::array out;
  for (const std::string& text : plain) out.emplace_back(storable(text));
  return out;
}

double microsecond(double ms) {
  return std::round(ms * 1000) / 1000;
}

json::array times(const std::vector<double>& ms) {
  json::array out;
  for (const double time : ms) out.emplace_back(microsecond(time));
  return out;
}

/// The counts that are not 0; usually there are none.
json::object faults_json(const FaultCounts& counts) {
  json::object out;
  for (const FaultKind& kind : fault_kinds()) {
    if (counts.*kind.count > 0) out[kind.name] = counts.*kind.count;
  }
  return out;
}

FaultCounts read_faults(const json::value& value) {
  if (!value.is_object()) wrong_field("faults", "holds something else than objects");
  FaultCounts counts;
  for (const FaultKind& kind : fault_kinds()) {
    counts.*kind.count = get_number<std::size_t>(value.get_object(), kind.name, 0);
  }
  return counts;
}

MatchEnd read_end(const json::object& line) {
  const auto* const found = std::ranges::find(kEnds, get_text(line, "end"));
  if (found == kEnds.end()) wrong_field("end", "is neither completed nor aborted nor forfeited");
  return static_cast<MatchEnd>(found - kEnds.begin());
}

void check_lengths(const MatchResult& result) {
  const auto check = [&](std::string_view key, std::size_t length) {
    if (length != result.roles.size()) wrong_field(key, "must be one for each role");
  };
  check("players", result.players.size());
  check("faults", result.faults.size());
  check("think_ms", result.think_ms.size());
  check("slowest_ms", result.slowest_ms.size());
  if (result.counts() || !result.goals.empty()) check("goals", result.goals.size());
  for (const int goal : result.goals) {
    if (goal < result.least_goal || goal > result.greatest_goal) {
      wrong_field("goals", "holds something else than " + std::to_string(result.least_goal) +
                               " to " + std::to_string(result.greatest_goal));
    }
  }
  if (result.block.rotation >= result.block.size) {
    wrong_field("rotation", "must be below the size of the block");
  }
}

void read_range(const json::object& line, MatchResult& result) {
  if (!line.contains("goal-range")) return;
  const std::vector<int> range = get_numbers<int>(line, "goal-range");
  if (range.size() != 2 || range[0] >= range[1]) {
    wrong_field("goal-range", "must be the least and the greatest goal");
  }
  result.least_goal = range[0];
  result.greatest_goal = range[1];
}

MatchResult read_result(const json::object& line) {
  need_fields(line, {"match", "tournament", "block", "round", "rotation", "size", "game", "roles",
                     "players", "end", "goals", "faults", "times"});
  MatchResult result;
  result.match = get_text(line, "match");
  result.tournament = get_text(line, "tournament");
  result.block.number = get_number<std::size_t>(line, "block", 0);
  result.block.round = get_number<std::size_t>(line, "round", 0);
  result.block.rotation = get_number<std::size_t>(line, "rotation", 0);
  result.block.size = get_number<std::size_t>(line, "size", 1);
  result.game = get_text(line, "game");
  result.game_hash = get_text(line, "hash");
  result.roles = get_texts(line, "roles");
  result.players = get_texts(line, "players");
  result.seed = get_number<std::uint64_t>(line, "seed", 0);
  result.end = read_end(line);
  result.reason = get_text(line, "reason");
  result.culprits = get_texts(line, "culprits");
  result.goals = get_numbers<int>(line, "goals");
  read_range(line, result);
  result.steps = get_number<std::size_t>(line, "steps", 0);
  result.moves_hash = get_text(line, "moves");
  for (const json::value& role : get_array(line, "faults")) {
    result.faults.push_back(read_faults(role));
  }
  result.record = get_text(line, "record");
  const json::object& times = get_object(line, "times");
  result.started_ms = get_number<std::int64_t>(times, "started_ms", 0);
  result.duration_ms = get_number<double>(times, "duration_ms", 0);
  result.think_ms = get_numbers<double>(times, "think_ms");
  result.slowest_ms = get_numbers<double>(times, "slowest_ms");
  check_lengths(result);
  return result;
}

}  // namespace

std::string to_json(const MatchResult& result) {
  json::array faults;
  for (const FaultCounts& counts : result.faults) faults.emplace_back(faults_json(counts));
  json::object out{{"match", result.match},
                   {"tournament", result.tournament},
                   {"block", result.block.number},
                   {"round", result.block.round},
                   {"rotation", result.block.rotation},
                   {"size", result.block.size},
                   {"game", storable(result.game)},
                   {"hash", result.game_hash},
                   {"roles", texts(result.roles)},
                   {"players", texts(result.players)},
                   {"seed", result.seed},
                   {"end", kEnds.at(static_cast<std::size_t>(result.end))},
                   {"goals", json::array(result.goals.begin(), result.goals.end())},
                   {"steps", result.steps},
                   {"moves", result.moves_hash},
                   {"faults", std::move(faults)}};
  if (result.least_goal != 0 || result.greatest_goal != 100) {
    out["goal-range"] = {result.least_goal, result.greatest_goal};
  }
  if (!result.completed()) out["reason"] = storable(result.reason);
  if (!result.culprits.empty()) out["culprits"] = texts(result.culprits);
  if (!result.record.empty()) out["record"] = storable(result.record);
  out["times"] = {{"started_ms", result.started_ms},
                  {"duration_ms", microsecond(result.duration_ms)},
                  {"think_ms", times(result.think_ms)},
                  {"slowest_ms", times(result.slowest_ms)}};
  return json::serialize(out);
}

gdl::Result<MatchResult> parse_result(std::string_view line) {
  const auto parsed = read_json_text(line);
  if (!parsed) return parsed.error();
  const json::object* object = parsed->if_object();
  if (object == nullptr) return gdl::Error{"no object"};
  try {
    return read_result(*object);
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

}  // namespace ludens::server
