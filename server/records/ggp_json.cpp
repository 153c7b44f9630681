// SPDX-License-Identifier: MIT
#include "server/records/ggp_json.h"

#include <algorithm>
#include <boost/json.hpp>
#include <stdexcept>

#include "server/records/json_fields.h"
#include "server/records/json_number.h"
#include "server/records/json_text.h"
#include "server/records/record_shape.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

json::string text(const std::string& plain) {
  return json::string(storable(plain));
}

json::array texts(const std::vector<std::string>& plain) {
  json::array out;
  for (const std::string& entry : plain) out.emplace_back(text(entry));
  return out;
}

json::array rows(const std::vector<std::vector<std::string>>& plain) {
  json::array out;
  for (const auto& row : plain) out.emplace_back(texts(row));
  return out;
}

json::array tables(const std::vector<std::vector<std::vector<std::string>>>& plain) {
  json::array out;
  for (const auto& table : plain) out.emplace_back(rows(table));
  return out;
}

/// An element of the vector is no bool in each library.
json::array flags(const std::vector<bool>& plain) {
  json::array out;
  for (const bool flag : plain) out.emplace_back(flag);
  return out;
}

template <class T>
json::array numbers(const std::vector<T>& plain) {
  return json::array(plain.begin(), plain.end());
}

json::array replacements(const MatchRecord& record) {
  json::array out;
  for (const Replacement& r : record.replacements) {
    out.push_back({{"step", r.step},
                   {"role", text(r.role)},
                   {"code", text(r.code)},
                   {"answer", text(r.answer)},
                   {"played", text(r.played)}});
  }
  return out;
}

json::array by_role(const std::vector<std::map<std::string, double>>& rows) {
  json::array out;
  for (const auto& row : rows) {
    json::object step;
    for (const auto& [role, number] : row) step[storable(role)] = number;
    out.emplace_back(std::move(step));
  }
  return out;
}

void add_extensions(json::object& match, const MatchRecord& record) {
  match["x-game"] = text(record.game);
  match["x-roles"] = texts(record.roles);
  match["x-dialect"] = text(record.dialect);
  match["x-seed"] = record.seed;
  if (record.opening_steps > 0) match["x-openingSteps"] = record.opening_steps;
  if (!record.continues.empty()) match["x-continues"] = record.continues;
  if (!record.end_reason.empty()) match["x-endReason"] = text(record.end_reason);
  json::array latencies;
  for (const auto& row : record.latencies_ms) latencies.emplace_back(numbers(row));
  match["x-latenciesMs"] = std::move(latencies);
  if (!record.percepts.empty()) match["x-percepts"] = tables(record.percepts);
  match["x-values"] = by_role(record.values);
  match["x-claims"] = by_role(record.claims);
  const auto given_up = [](const auto& row) { return !row.empty(); };
  if (std::ranges::any_of(record.risked, given_up)) match["x-risked"] = by_role(record.risked);
  match["x-replacedMoves"] = replacements(record);
  match["x-warnings"] = texts(record.warnings);
  match["x-rulesheet"] = text(record.rulesheet);
}

// Reading. Helpers throw std::invalid_argument with a sentence; parse_ggp_json returns it as a
// value.

std::vector<std::map<std::string, double>> read_by_role(const json::object& match,
                                                        std::string_view key) {
  std::vector<std::map<std::string, double>> out;
  for (const json::value& row : get_array(match, key)) {
    if (!row.is_object()) wrong_field(key, "holds something else than objects");
    auto& numbers = out.emplace_back();
    for (const auto& entry : row.get_object()) {
      numbers[std::string(entry.key())] = get_number<double>(row.get_object(), entry.key(), 0);
    }
  }
  return out;
}

/// The name of the game in the address of a repository: `ticTacToe` of
/// `http://games.ggp.org/base/games/ticTacToe/v0/`. Empty if it has none.
std::string name_in_url(std::string_view url) {
  const auto is_version = [](std::string_view part) {
    return part.starts_with('v') && part.find_first_not_of("0123456789", 1) == part.npos;
  };
  while (!url.empty()) {
    const auto slash = url.find_last_of("/:");
    const std::string_view last = url.substr(slash == url.npos ? 0 : slash + 1);
    if (!last.empty() && !is_version(last)) return std::string(last);
    if (slash == url.npos) break;
    url = url.substr(0, slash);
  }
  return {};
}

void read_extensions(const json::object& match, MatchRecord& record) {
  record.game = get_text(match, "x-game");
  if (record.game.empty()) record.game = name_in_url(record.game_meta_url);
  record.roles = get_texts(match, "x-roles");
  record.dialect = get_text(match, "x-dialect");
  record.seed = get_number<std::uint64_t>(match, "x-seed", 0);
  record.opening_steps = get_number<std::size_t>(match, "x-openingSteps", 0);
  record.continues = get_text(match, "x-continues");
  record.end_reason = get_text(match, "x-endReason");
  record.rulesheet = get_text(match, "x-rulesheet");
  record.warnings = get_texts(match, "x-warnings");
  for (const json::value& row : get_array(match, "x-latenciesMs")) {
    if (!row.is_array()) wrong_field("x-latenciesMs", "holds something else than arrays");
    record.latencies_ms.push_back(to_numbers<double>(row.get_array(), "x-latenciesMs"));
  }
  for (const json::value& table : get_array(match, "x-percepts")) {
    if (!table.is_array()) wrong_field("x-percepts", "holds something else than arrays");
    record.percepts.push_back(to_rows(table.get_array(), "x-percepts"));
  }
  record.values = read_by_role(match, "x-values");
  record.claims = read_by_role(match, "x-claims");
  record.risked = read_by_role(match, "x-risked");
  for (const json::value& entry : get_array(match, "x-replacedMoves")) {
    if (!entry.is_object()) wrong_field("x-replacedMoves", "holds something else than objects");
    const json::object& o = entry.get_object();
    record.replacements.push_back({get_number<std::size_t>(o, "step", 0), get_text(o, "role"),
                                   get_text(o, "code"), get_text(o, "answer"),
                                   get_text(o, "played")});
  }
}

MatchRecord read(const json::object& match) {
  MatchRecord record;
  need_fields(match, {"matchId", "states", "moves"});
  record.match_id = get_text(match, "matchId");
  record.start_time_ms = get_number<std::int64_t>(match, "startTime", 0);
  record.random_token = get_text(match, "randomToken");
  record.game_meta_url = get_text(match, "gameMetaURL");
  record.preview_clock = get_number(match, "previewClock", -1);
  record.start_clock = get_number(match, "startClock", 0.0);
  record.play_clock = get_number(match, "playClock", 0.0);
  record.players = get_texts(match, "playerNamesFromHost");
  for (const json::value& human : get_array(match, "isPlayerHuman")) {
    if (!human.is_bool()) wrong_field("isPlayerHuman", "holds something else than true and false");
    record.human.push_back(human.get_bool());
  }
  record.tournament = get_text(match, "tournamentNameFromHost");
  record.scrambled = get_flag(match, "scrambled");
  record.states = get_texts(match, "states");
  record.moves = get_rows(match, "moves");
  record.state_times_ms = get_numbers<std::int64_t>(match, "stateTimes");
  record.errors = get_rows(match, "errors");
  record.completed = get_flag(match, "isCompleted");
  record.aborted = get_flag(match, "isAborted");
  record.says_open = match.contains("isCompleted") && !record.completed && !record.aborted;
  record.goals = get_numbers<int>(match, "goalValues");
  if (!record.completed) record.goals.clear();  // the format has goals of completed matches only
  read_extensions(match, record);
  if (std::string problem = shape_problem(record); !problem.empty()) {
    throw std::invalid_argument(problem);
  }
  return record;
}

}  // namespace

std::string to_ggp_json(const MatchRecord& record) {
  json::object match;
  match["matchId"] = text(record.match_id);
  match["startTime"] = record.start_time_ms;
  match["randomToken"] = text(record.random_token);
  match["gameMetaURL"] = text(record.game_meta_url);
  match["previewClock"] = record.preview_clock;
  match["startClock"] = json_number(record.start_clock);
  match["playClock"] = json_number(record.play_clock);
  match["playerNamesFromHost"] = texts(record.players);
  match["isPlayerHuman"] = flags(record.human);
  if (!record.tournament.empty()) match["tournamentNameFromHost"] = text(record.tournament);
  match["scrambled"] = record.scrambled;
  match["states"] = texts(record.states);
  match["moves"] = rows(record.moves);
  match["stateTimes"] = numbers(record.state_times_ms);
  match["errors"] = rows(record.errors);
  match["isCompleted"] = record.completed;
  match["isAborted"] = record.aborted;
  if (record.completed) match["goalValues"] = numbers(record.goals);
  add_extensions(match, record);
  return json::serialize(match) + "\n";
}

gdl::Result<MatchRecord> parse_ggp_json(std::string_view text) {
  const auto parsed = read_json_text(text);
  if (!parsed) return parsed.error();
  const json::object* match = parsed->if_object();
  if (match != nullptr && match->contains("data")) match = match->at("data").if_object();
  if (match == nullptr) return gdl::Error{"no match object"};
  try {
    return read(*match);
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

}  // namespace ludens::server
