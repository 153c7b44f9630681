// SPDX-License-Identifier: MIT
#include "server/tournament/plan.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdio>
#include <set>

#include "gdl/memory/hash.h"
#include "server/records/json_fields.h"
#include "server/records/json_number.h"
#include "server/records/json_text.h"
#include "server/records/match_record.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 4> kFormats{"round-robin", "gauntlet", "head-to-head",
                                                   "single-player"};
constexpr std::array<std::string_view, 4> kKinds{"builtin", "remote", "command", "page"};
constexpr std::array<std::string_view, 3> kRecords{"none", "json", "all"};
constexpr std::array<std::string_view, 2> kDown{"skip", "stop"};
constexpr std::array<std::string_view, 2> kCrash{"loses", "replaced"};
constexpr double kMostElo = 1000;

template <std::size_t Count, class Enumeration>
std::string_view name_of(const std::array<std::string_view, Count>& names, Enumeration value) {
  return names.at(static_cast<std::size_t>(value));
}

template <class Enumeration, std::size_t Count>
Enumeration get_choice(const json::object& object, std::string_view key,
                       const std::array<std::string_view, Count>& names) {
  const std::string text = get_text(object, key);
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) wrong_field(key, "is not one of the known words");
  return static_cast<Enumeration>(found - names.begin());
}

json::object player_json(const PlannedPlayer& player) {
  json::object out{{"name", player.name}, {"kind", name_of(kKinds, player.kind)}};
  switch (player.kind) {
    case PlannedPlayer::Kind::Builtin:
    case PlannedPlayer::Kind::Page:
      out["strategy"] = player.strategy;
      if (!player.hash.empty()) out["hash"] = player.hash;
      break;
    case PlannedPlayer::Kind::Remote:
      out["url"] = player.url;
      break;
    case PlannedPlayer::Kind::Command:
      out["command"] = player.command;
      out["port"] = player.port;
      break;
  }
  return out;
}

json::object game_json(const PlannedGame& game) {
  json::array chance;
  for (const bool played_by_host : game.chance) chance.emplace_back(played_by_host);
  return {{"name", game.name},
          {"hash", game.hash},
          {"roles", json::array(game.roles.begin(), game.roles.end())},
          {"chance", std::move(chance)},
          {"start-clock", json_number(game.start_clock)},
          {"play-clock", json_number(game.play_clock)},
          {"opening", game.opening},
          {"step-cap", game.step_cap}};
}

/// Everything that decides what happens in a block.
json::object identity(const TournamentPlan& plan) {
  json::object out{{"name", plan.name}, {"format", format_name(plan.format)}, {"seed", plan.seed}};
  if (plan.table_size != 0) out["table-size"] = plan.table_size;
  json::array players, games;
  for (const PlannedPlayer& player : plan.players) players.push_back(player_json(player));
  for (const PlannedGame& game : plan.games) games.push_back(game_json(game));
  out["players"] = std::move(players);
  out["games"] = std::move(games);
  out["preview-clock"] = plan.preview_clock;
  out["scramble"] = plan.scramble;
  out["dialect"] = plan.dialect;
  out["replace"] = plan.replace;
  // Tournaments that were played before there was a choice keep their ids.
  if (plan.crash != CrashPolicy::Replaced) out["crash"] = name_of(kCrash, plan.crash);
  out["abort-after"] = plan.abort_after;
  if (plan.sprt) {
    out["sprt"] = {{"elo0", plan.sprt->elo0},
                   {"elo1", plan.sprt->elo1},
                   {"alpha", plan.sprt->alpha},
                   {"beta", plan.sprt->beta}};
  }
  return out;
}

/// The rest of the plan.
json::object circumstances(const TournamentPlan& plan) {
  json::array matches, files;
  for (const PlannedPlayer& player : plan.players) matches.emplace_back(player.matches);
  for (const PlannedGame& game : plan.games) files.emplace_back(storable(game.file));
  return {{"rounds", plan.rounds},
          {"records", name_of(kRecords, plan.records)},
          {"down", name_of(kDown, plan.down)},
          {"patience-seconds", plan.patience_seconds},
          {"startup-seconds", plan.startup_seconds},
          {"stop-wait-seconds", plan.stop_wait_seconds},
          {"matches", std::move(matches)},
          {"files", std::move(files)}};
}

PlannedPlayer read_player(const json::object& object) {
  PlannedPlayer player;
  player.name = get_text(object, "name");
  player.kind = get_choice<PlannedPlayer::Kind>(object, "kind", kKinds);
  player.strategy = get_text(object, "strategy");
  player.hash = get_text(object, "hash");
  player.url = get_text(object, "url");
  player.command = get_text(object, "command");
  player.port = get_number(object, "port", 0, 0, kHighestPort);
  return player;
}

double read_clock(const json::object& object, std::string_view key, double otherwise) {
  const double clock = get_number(object, key, otherwise);
  if (!is_clock(clock)) {
    wrong_field(key, "is not between 0 and " + std::to_string(kLongestClock));
  }
  return clock;
}

PlannedGame read_game(const json::object& object) {
  PlannedGame game;
  game.name = get_text(object, "name");
  game.hash = get_text(object, "hash");
  game.roles = get_texts(object, "roles");
  for (const json::value& chance : get_array(object, "chance")) {
    if (!chance.is_bool()) wrong_field("chance", "holds something else than true and false");
    game.chance.push_back(chance.get_bool());
  }
  if (game.chance.size() != game.roles.size()) wrong_field("chance", "must be one for each role");
  game.start_clock = read_clock(object, "start-clock", game.start_clock);
  game.play_clock = read_clock(object, "play-clock", game.play_clock);
  game.opening = get_number(object, "opening", game.opening, std::size_t{0}, kMostOpeningSteps);
  game.step_cap = get_number(object, "step-cap", game.step_cap, std::size_t{0}, kMost);
  return game;
}

const json::object& as_object(const json::value& value, std::string_view key) {
  if (!value.is_object()) wrong_field(key, "holds something else than objects");
  return value.get_object();
}

void read_circumstances(const json::object& object, TournamentPlan& plan) {
  plan.rounds = get_number(object, "rounds", plan.rounds, std::size_t{1}, kMost);
  plan.records = get_choice<RecordPolicy>(object, "records", kRecords);
  plan.down = get_choice<DownPolicy>(object, "down", kDown);
  plan.patience_seconds =
      get_number(object, "patience-seconds", plan.patience_seconds, 0, kLongestClock);
  plan.startup_seconds =
      get_number(object, "startup-seconds", plan.startup_seconds, 0, kLongestClock);
  plan.stop_wait_seconds =
      get_number(object, "stop-wait-seconds", plan.stop_wait_seconds, 1, kLongestClock);
  const auto matches = get_numbers<int>(object, "matches");
  const auto files = get_texts(object, "files");
  if (matches.size() != plan.players.size()) wrong_field("matches", "must be one for each player");
  if (files.size() != plan.games.size()) wrong_field("files", "must be one for each game");
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i] < 1 || matches[i] > kMostMatchesOfAPlayer) {
      wrong_field("matches", "holds something else than 1 to 1024");
    }
    plan.players[i].matches = matches[i];
  }
  for (std::size_t i = 0; i < files.size(); ++i) plan.games[i].file = files[i];
}

SprtPlan read_sprt(const json::object& object) {
  SprtPlan sprt;
  sprt.elo0 = get_number(object, "elo0", sprt.elo0);
  sprt.elo1 = get_number(object, "elo1", sprt.elo1);
  sprt.alpha = get_number(object, "alpha", sprt.alpha);
  sprt.beta = get_number(object, "beta", sprt.beta);
  if (const auto problem = complaint(sprt)) throw std::invalid_argument("'sprt': " + *problem);
  return sprt;
}

/// Results refer to players and games by their names.
void check_names(const TournamentPlan& plan) {
  std::set<std::string_view> players, games;
  for (const PlannedPlayer& player : plan.players) {
    if (!players.insert(player.name).second) wrong_field("players", "has two of one name");
  }
  for (const PlannedGame& game : plan.games) {
    if (!games.insert(game.name).second) wrong_field("games", "has two of one name");
  }
  if (players.empty()) wrong_field("players", "is empty");
  if (games.empty()) wrong_field("games", "is empty");
}

TournamentPlan read_plan(const json::object& object) {
  need_fields(object, {"name", "format", "players", "games", "run"});
  TournamentPlan plan;
  plan.name = get_text(object, "name");
  plan.format = get_choice<Format>(object, "format", kFormats);
  plan.table_size = get_number(object, "table-size", plan.table_size, std::size_t{0}, kMost);
  plan.seed = get_number(object, "seed", plan.seed);
  for (const json::value& player : get_array(object, "players")) {
    plan.players.push_back(read_player(as_object(player, "players")));
  }
  for (const json::value& game : get_array(object, "games")) {
    plan.games.push_back(read_game(as_object(game, "games")));
  }
  plan.preview_clock = get_number(object, "preview-clock", plan.preview_clock, -1, kLongestClock);
  plan.scramble = get_flag(object, "scramble");
  plan.dialect = get_text(object, "dialect");
  plan.replace = get_text(object, "replace");
  plan.crash = object.contains("crash") ? get_choice<CrashPolicy>(object, "crash", kCrash)
                                        : CrashPolicy::Replaced;
  plan.abort_after = get_number(object, "abort-after", plan.abort_after);
  if (object.contains("sprt")) plan.sprt = read_sprt(get_object(object, "sprt"));
  check_names(plan);
  read_circumstances(get_object(object, "run"), plan);
  return plan;
}

/// How people find the entry of a list: by its name, otherwise by its number.
std::string entry_name(const json::value& entry, std::size_t index) {
  if (const json::object* object = entry.if_object(); object != nullptr) {
    if (const json::value* name = object->if_contains("name"); name != nullptr) {
      return json::serialize(*name);
    }
  }
  return std::to_string(index + 1);
}

void compare(const json::value& before, const json::value& now, const std::string& place,
             std::vector<std::string>& out) {
  if (before == now) return;
  if (before.is_object() && now.is_object()) {
    for (const auto& [key, value] : before.get_object()) {
      const json::value* other = now.get_object().if_contains(key);
      compare(value, other != nullptr ? *other : json::value(),
              place.empty() ? std::string(key) : place + " " + std::string(key), out);
    }
    for (const auto& [key, value] : now.get_object()) {
      if (!before.get_object().contains(key)) {
        compare({}, value, place.empty() ? std::string(key) : place + " " + std::string(key), out);
      }
    }
    return;
  }
  if (before.is_array() && now.is_array() && before.get_array().size() == now.get_array().size()) {
    for (std::size_t i = 0; i < before.get_array().size(); ++i) {
      compare(before.at(i), now.at(i), place + " " + entry_name(before.at(i), i), out);
    }
    return;
  }
  const auto text = [](const json::value& value) {
    return value.is_null() ? std::string("nothing") : json::serialize(value);
  };
  out.push_back(place + ": was " + text(before) + ", is " + text(now));
}

}  // namespace

std::optional<std::string> complaint(const SprtPlan& plan) {
  const auto out_of = [](double value, double low, double high) {
    return !(value > low && value < high);
  };
  if (out_of(plan.elo0, -kMostElo, kMostElo) || out_of(plan.elo1, -kMostElo, kMostElo)) {
    return "elo0 and elo1 must be between -1000 and 1000";
  }
  if (!(plan.elo0 < plan.elo1)) return "elo0 must be less than elo1";
  if (out_of(plan.alpha, 0, 1) || out_of(plan.beta, 0, 1)) {
    return "alpha and beta must be between 0 and 1";
  }
  if (!(plan.alpha + plan.beta < 1)) return "alpha + beta must be less than 1";
  return std::nullopt;
}

std::string_view format_name(Format format) {
  return name_of(kFormats, format);
}

std::optional<Format> find_format(std::string_view name) {
  const auto* const found = std::find(kFormats.begin(), kFormats.end(), name);
  if (found == kFormats.end()) return std::nullopt;
  return static_cast<Format>(found - kFormats.begin());
}

std::vector<std::string_view> format_names() {
  return {kFormats.begin(), kFormats.end()};
}

bool is_clock(double seconds) {
  return seconds >= 0 && seconds <= kLongestClock;
}

std::size_t PlannedGame::seats() const {
  return static_cast<std::size_t>(std::count(chance.begin(), chance.end(), false));
}

std::string TournamentPlan::id() const {
  return safe_file_name(name) + "-" + text_hash(json::serialize(identity(*this))).substr(0, 8);
}

std::optional<std::size_t> TournamentPlan::find_player(std::string_view player) const {
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (players[i].name == player) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> TournamentPlan::find_game(std::string_view game) const {
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (games[i].name == game) return i;
  }
  return std::nullopt;
}

std::string to_json(const TournamentPlan& plan) {
  json::object out = identity(plan);
  out["run"] = circumstances(plan);
  return json::serialize(out);
}

gdl::Result<TournamentPlan> parse_plan(std::string_view text) {
  const auto parsed = read_json_text(text);
  if (!parsed) return parsed.error();
  const json::object* object = parsed->if_object();
  if (object == nullptr) return gdl::Error{"no object"};
  try {
    return read_plan(*object);
  } catch (const std::invalid_argument& problem) {
    return gdl::Error{problem.what()};
  }
}

std::vector<std::string> differences(const TournamentPlan& before, const TournamentPlan& now) {
  std::vector<std::string> out;
  compare(identity(before), identity(now), "", out);
  return out;
}

std::string text_hash(std::string_view text) {
  const std::uint64_t hash = gdl::hash_of_text(text);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

}  // namespace ludens::server
