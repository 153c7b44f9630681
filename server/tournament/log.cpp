// SPDX-License-Identifier: MIT
#include "server/tournament/log.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <stdexcept>
#include <unordered_map>

#include "gdl/text/file.h"
#include "gdl/text/utf8.h"
#include "server/game/rulesheet.h"
#include "server/records/json_fields.h"
#include "server/records/json_text.h"
#include "server/tournament/schedule.h"

namespace ludens::server {

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

using Seal = gdl::LineChain::Seal;

constexpr std::string_view kLogKind = "tournament";

/// Reads the lines of a log.
class Reader {
 public:
  Reader(std::string file, LogTrust trust)
      : file_(std::move(file)), checked_(trust == LogTrust::Checked) {}

  gdl::Result<TournamentLog, LogProblem> read(std::string_view text) {
    std::size_t number = 0;
    for (std::size_t begin = text.size() - gdl::without_byte_order_mark(text).size();
         begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      if (end == std::string_view::npos) {
        log_.torn = true;
        break;
      }
      ++number;
      if (const auto what = line(text.substr(begin, end - begin), number)) {
        return LogProblem{file_, number, *what};
      }
      begin = log_.whole_bytes = end + 1;
    }
    if (!has_plan_ && !text.empty() && log_.whole_bytes == 0) log_.torn = true;
    if (!has_plan_) return LogProblem{file_, 0, "it does not say what is played"};
    return std::move(log_);
  }

 private:
  /// Returns what is wrong with the line.
  std::optional<std::string> line(std::string_view text, std::size_t number) {
    const Seal seal = log_.chain.read(text);
    if (number == 1 || text.starts_with("{\"ludens\"")) return header(text, seal);
    auto parsed = parse_result(text);
    if (!parsed) return parsed.error().text;
    if (auto what = broken(seal)) return what;
    MatchResult& result = *parsed;
    if (result.tournament != id_) {
      return "a match of " + result.tournament + " in a log of " + id_;
    }
    const auto [before, added] = lines_.emplace(result.match, number);
    if (!added) {
      return "match " + result.match + " is in line " + std::to_string(before->second) + " already";
    }
    if (auto what = misfit(result)) return what;
    if (auto what = checked_ ? misplaced(result) : std::nullopt) return what;
    log_.results.push_back(std::move(result));
    return std::nullopt;
  }

  /// Returns what a checksum that is not good means.
  [[nodiscard]] std::optional<std::string> broken(Seal seal) const {
    if (!checked_ || seal == Seal::Good) return std::nullopt;
    return std::string(seal == Seal::Missing ? "it has no checksum" : "its checksum is wrong") +
           ": it was changed, or a line before it was changed, removed or added; --trust reads it "
           "as "
           "it is";
  }

  /// Returns why the match is not one of the plan; notes what it must share with others of its
  /// block.
  std::optional<std::string> misfit(const MatchResult& result) {
    const BlockPlace& place = result.block;
    const std::string id =
        id_ + "." + std::to_string(place.number) + "." + std::to_string(place.rotation);
    if (result.match != id) return "match " + result.match + " is where " + id + " belongs";
    if (!log_.shard.has(place.number)) {
      return "block " + std::to_string(place.number) + " is not of shard " + log_.shard.text();
    }
    const auto game = log_.plan.find_game(result.game);
    if (!game) return "the plan has no game '" + result.game + "'";
    if (result.roles != log_.plan.games[*game].roles) return "the roles are not those of the game";
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      const std::string& player = result.players[role];
      if (log_.plan.games[*game].chance[role] ? player.empty()
                                              : log_.plan.find_player(player).has_value()) {
        continue;
      }
      return "role " + result.roles[role] + " is played by '" + player +
             "', which is not in the plan";
    }
    const auto [first, is_new] = blocks_.emplace(place.number, std::pair(result.game, place.size));
    if (is_new || first->second == std::pair(result.game, place.size)) return std::nullopt;
    return "block " + std::to_string(place.number) + " has another game or size in an earlier line";
  }

  /// Returns how the match differs from what the schedule has at its place.
  [[nodiscard]] std::optional<std::string> misplaced(const MatchResult& result) const {
    if (result.block.number >= schedule_->blocks()) {
      return "the plan has only " + std::to_string(schedule_->blocks()) + " blocks";
    }
    const Block block = schedule_->block(result.block.number);
    const PlannedGame& game = log_.plan.games[block.game];
    const auto differs = [&](const std::string& what) {
      return "the plan has another " + what + " for " + result.match;
    };
    if (result.game != game.name || result.game_hash != game.hash) return differs("game");
    if (!(result.block == block.place(result.block.rotation))) return differs("round or size");
    if (result.seed != block.seed) return differs("seed");
    const auto planned = seats(game, block, result.block.rotation);
    for (std::size_t role = 0; role < planned.size(); ++role) {
      const std::string name = planned[role] ? log_.plan.players[*planned[role]].name : "";
      if (result.players[role] != name) return differs("player of role " + result.roles[role]);
    }
    return std::nullopt;
  }

  std::optional<std::string> header(std::string_view text, Seal seal) {
    const auto parsed = read_json_text(text);
    if (!parsed || !parsed->is_object()) return "not the beginning of a tournament's log";
    const json::object& object = parsed->get_object();
    try {
      if (get_text(object, "ludens") != kLogKind) return "not the beginning of a tournament's log";
      const int version = get_number(object, "version", 0);
      if (version < 1 || version > kLogVersion) {
        return "written as version " + std::to_string(version) + ", this program reads version " +
               std::to_string(kLogVersion);
      }
      if (version == 1 && seal == Seal::Missing && checked_) {
        return "written by an earlier version, without checksums; --trust reads it as it is";
      }
      if (auto what = broken(seal)) return what;
      return take_header(object);
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }

  std::optional<std::string> take_header(const json::object& object) {
    const json::array& shard = get_array(object, "shard");
    const auto part = to_numbers<std::size_t>(shard, "shard");
    if (part.size() != 2 || part[0] < 1 || part[0] > part[1])
      return "'shard' is not a part of a whole";
    auto plan = parse_plan(json::serialize(get_object(object, "plan")));
    if (!plan) return "the plan: " + plan.error().text;
    if (const auto problem = too_many_matches(*plan)) return "the plan: " + *problem;
    if (has_plan_ && plan->id() != id_) return "another plan";
    log_.plan = *std::move(plan);
    log_.shard = {part[0], part[1]};
    id_ = log_.plan.id();
    schedule_.emplace(log_.plan);
    if (get_text(object, "id") != id_) return "the plan is not that of " + get_text(object, "id");
    has_plan_ = true;
    return std::nullopt;
  }

  std::string file_, id_;
  bool checked_;
  bool has_plan_ = false;
  std::optional<Schedule> schedule_;  // of the plan
  TournamentLog log_;
  std::unordered_map<std::string, std::size_t> lines_;
  std::unordered_map<std::size_t, std::pair<std::string, std::size_t>> blocks_;  // game, size
};

/// A match's line without its times.
std::string timeless(MatchResult result) {
  result.started_ms = 0;
  result.duration_ms = 0;
  std::fill(result.think_ms.begin(), result.think_ms.end(), 0);
  std::fill(result.slowest_ms.begin(), result.slowest_ms.end(), 0);
  result.record.clear();
  return to_json(result);
}

}  // namespace

std::string LogProblem::text() const {
  return file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": " + what;
}

void throw_exception_from_error(const LogProblem& problem,
                                const boost::source_location& /*where*/) {
  throw std::runtime_error(problem.text());
}

gdl::Result<TournamentLog, LogProblem> read_log(const fs::path& folder, LogTrust trust) {
  const fs::path file = folder / kLogFile;
  const auto text = gdl::read_file(file);
  if (!text) return LogProblem{file.string(), 0, text.error().message()};
  return parse_log(file.string(), *text, trust);
}

gdl::Result<TournamentLog, LogProblem> parse_log(std::string file, std::string_view text,
                                                 LogTrust trust) {
  return Reader(std::move(file), trust).read(text);
}

std::optional<LogProblem> LogJoiner::add(const fs::path& folder, const TournamentLog& log) {
  const std::string file = (folder / kLogFile).string();
  if (plan_) {
    if (const auto other = differences(*plan_, log.plan); !other.empty()) {
      return LogProblem{file, 1, "of another tournament than the first: " + other.front()};
    }
  }
  const auto place = [](const MatchResult& result) {
    return Place{result.block.number, result.block.rotation};
  };
  for (const MatchResult& result : log.results) {
    const auto there = results_.find(place(result));
    if (there != results_.end() && timeless(there->second) != timeless(result)) {
      return LogProblem{file, 0, "match " + result.match + " is another one in an earlier log"};
    }
  }
  if (!plan_) plan_ = log.plan;
  plan_->rounds = std::max(plan_->rounds, log.plan.rounds);
  for (const MatchResult& result : log.results) {
    const auto [there, added] = results_.emplace(place(result), result);
    const bool other_record = !added && !there->second.record.empty();
    if (result.record.empty() || other_record) continue;
    there->second.record = (folder / result.record).string();
  }
  return std::nullopt;
}

TournamentLog LogJoiner::joined() const {
  TournamentLog log;
  if (plan_) log.plan = *plan_;
  for (const auto& [place, result] : results_) log.results.push_back(result);
  return log;
}

gdl::Result<TournamentLog, LogProblem> join_logs(const std::vector<fs::path>& folders,
                                                 LogTrust trust) {
  LogJoiner joiner;
  for (const fs::path& folder : folders) {
    auto read = read_log(folder, trust);
    if (!read) return read.error();
    if (auto problem = joiner.add(folder, *read)) return std::move(*problem);
  }
  return joiner.joined();
}

std::string log_text(const TournamentLog& log) {
  gdl::LineChain chain;
  std::string text = chain.seal(log_header(log.plan, log.shard));
  for (const MatchResult& result : log.results) text += chain.seal(to_json(result));
  return text;
}

std::optional<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/') return std::nullopt;
  const auto count = std::from_chars(index.ptr + 1, end, shard.count);
  if (count.ec != std::errc() || count.ptr != end) return std::nullopt;
  if (shard.index < 1 || shard.index > shard.count) return std::nullopt;
  return shard;
}

std::string log_header(const TournamentPlan& plan, const Shard& shard) {
  return "{\"ludens\":\"" + std::string(kLogKind) +
         "\",\"version\":" + std::to_string(kLogVersion) +
         ",\"id\":" + json::serialize(json::value(plan.id())) + ",\"shard\":[" +
         std::to_string(shard.index) + "," + std::to_string(shard.count) +
         "],\"plan\":" + to_json(plan) + "}";
}

}  // namespace ludens::server
