// SPDX-License-Identifier: MIT
#include "server/tournament/played_match.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <set>
#include <string_view>

#include "server/match/match.h"
#include "server/match/player_spec.h"
#include "server/records/atomic_file.h"
#include "server/records/ggp_json.h"
#include "server/records/record_files.h"
#include "server/tournament/cores.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

/// Reports to the observer of the tournament what happens in one match.
class Reporter final : public MatchObserver {
 public:
  Reporter(const StartedMatch& match, TournamentObserver& observer, MatchReleases& releases)
      : match_(match), observer_(observer), releases_(releases) {}
  void begun(const MatchRecord& record, const Position& position) override {
    observer_.match_began(match_, record, position);
  }
  void moved(const MatchRecord& record, const Position& position) override {
    observer_.moved(match_, record, position);
  }
  void decided(const MatchRecord& /*record*/) override { releases_.thinking_ended(); }
  void released(const MatchRecord& record, gdl::RoleIndex role) override {
    releases_.player_left(role, record.faults[role].total() == 0);
  }
  void warned(const std::string& text) override {
    observer_.warned("match " + match_.match + ": " + text);
  }

 private:
  const StartedMatch& match_;
  TournamentObserver& observer_;
  MatchReleases& releases_;
};

MatchOptions match_options(const MatchTask& task) {
  const TournamentPlan& plan = task.file.plan;
  const PlannedGame& game = plan.games[task.started.game];
  MatchOptions options;
  options.match_id = task.started.match;
  // A player may still know the id from a run that was killed.
  options.wire_id = options.match_id + "." + std::to_string(wall_clock_ms());
  options.player_names = task.started.players;
  options.dialect = find_dialect(plan.dialect);
  options.start_clock_seconds = static_cast<int>(game.start_clock);
  options.play_clock_seconds = static_cast<int>(game.play_clock);
  if (plan.preview_clock >= 0) options.preview_clock_seconds = plan.preview_clock;
  options.seed = task.match.block.seed;
  if (plan.replace == "random") options.replace = ReplacementPolicy::Random;
  if (plan.replace == "first") options.replace = ReplacementPolicy::First;
  options.scramble = plan.scramble;
  options.opening_steps = game.opening;
  options.step_cap = game.step_cap;
  options.failure_cap = plan.abort_after;
  options.crash_ends = plan.crash == CrashPolicy::Loses;
  options.stop_limit = options.abort_limit = std::chrono::seconds(plan.stop_wait_seconds);
  options.tournament = plan.name;
  if (plan.records == RecordPolicy::All) options.folder = task.folder / kRecordFolder;
  return options;
}

std::vector<std::unique_ptr<MatchPlayer>> make_players(const MatchTask& task,
                                                       const HostDialect& dialect,
                                                       boost::asio::io_context& context) {
  std::vector<std::unique_ptr<MatchPlayer>> players;
  std::vector<std::size_t> seats(task.file.plan.players.size());  // that have their player already
  for (std::size_t role = 0; role < task.addresses.size(); ++role) {
    const auto index = task.file.plan.find_player(task.started.players[role]);
    if (!index) {
      players.push_back(nullptr);
      continue;
    }
    const PlannedPlayer& planned = task.file.plan.players[*index];
    BuiltinOptions options;
    options.seed = player_seed(task.match.block, planned, seats[*index]++);
    const PlayerSpec spec =
        task.addresses[role] ? PlayerSpec(*task.addresses[role]) : task.file.players[*index];
    players.push_back(make_player(spec, options, dialect, context));
  }
  return players;
}

std::string moves_hash(const MatchRecord& record) {
  std::string text;
  for (const auto& moves : record.moves) {
    for (const std::string& move : moves) text += move + " ";
    text += "\n";
  }
  return text_hash(text);
}

MatchResult place(const TournamentPlan& plan, const StartedMatch& match, std::uint64_t seed) {
  const PlannedGame& game = plan.games[match.game];
  MatchResult result;
  result.tournament = plan.id();
  result.match = match.match;
  result.block = match.block;
  result.game = game.name;
  result.game_hash = game.hash;
  result.roles = game.roles;
  result.players = match.players;
  result.seed = seed;
  result.faults.resize(game.roles.size());
  result.think_ms.resize(game.roles.size());
  result.slowest_ms.resize(game.roles.size());
  return result;
}

/// The players of the failed roles, each once.
std::vector<std::string> culprits_of(const MatchResult& result, const MatchRecord& record) {
  std::vector<std::string> culprits;
  for (const std::string& role : record.failed_roles) {
    const auto found = std::ranges::find(record.roles, role);
    const std::string& culprit = result.players[found - record.roles.begin()];
    if (std::ranges::find(culprits, culprit) == culprits.end()) culprits.push_back(culprit);
  }
  return culprits;
}

/// Lets the culprits lose, and all others win. If several have played and all of them failed, the
/// match is aborted: that tells nothing about who is better.
void forfeit(const MatchRecord& record, MatchResult& result) {
  if (result.reason.empty()) {
    result.reason = "role " + record.failed_roles.front() +
                    " was gone, or had failed too often, at the last step";
  }
  std::set<std::string_view> seated(result.players.begin(), result.players.end());
  seated.erase("");
  result.goals.clear();
  const bool all = seated.size() == result.culprits.size() && seated.size() > 1;
  result.end = all ? MatchEnd::Aborted : MatchEnd::Forfeited;
  if (all) return;
  for (const std::string& player : result.players) {
    const bool lost = std::ranges::find(result.culprits, player) != result.culprits.end();
    result.goals.push_back(lost ? result.least_goal : result.greatest_goal);
  }
}

/// Returns what went wrong.
std::optional<std::string> keep_record(const MatchTask& task, const MatchRecord& record,
                                       MatchResult& result) {
  if (task.file.plan.records == RecordPolicy::None) return std::nullopt;
  if (!record.file_problem.empty()) return record.file_problem;
  if (record.states.empty()) return std::nullopt;  // no record has less than the first state
  const fs::path folder = task.folder / kRecordFolder;
  const fs::path file = RecordFiles(folder, record.match_id).json();
  result.record = (fs::path(kRecordFolder) / file.filename()).string();
  if (task.file.plan.records == RecordPolicy::All) return std::nullopt;  // already written
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) error = write_atomically(file, to_ggp_json(record), Durability::Renamed);
  if (error) return file.string() + ": " + error.message();
  return std::nullopt;
}

}  // namespace

Played play(const MatchTask& task, const std::stop_token& stop, TournamentObserver& observer,
            MatchReleases& releases) {
  const auto begun = std::chrono::steady_clock::now();
  const MatchOptions options = match_options(task);
  boost::asio::io_context context(1);
  const auto players = make_players(task, *options.dialect, context);
  // Threads that were made with the players keep all processors: a page's starts a browser.
  if (!task.cores.empty()) pin_thread(task.cores);
  Reporter reporter(task.started, observer, releases);
  const MatchRecord record =
      run_match(task.file.games[task.started.game], options, players, context, stop, reporter);
  if (record.aborted && stop.stop_requested()) return Dropped{};
  MatchResult result = result_of(task.file.plan, task.started, task.match.block.seed, record);
  const gdl::GoalScale& goals = task.file.games[task.started.game].rules->goals;
  result.least_goal = goals.least();
  result.greatest_goal = goals.greatest();
  const bool crashed = !result.culprits.empty();
  if (crashed && task.file.plan.crash == CrashPolicy::Loses) forfeit(record, result);
  const std::chrono::duration<double, std::milli> duration =
      std::chrono::steady_clock::now() - begun;
  result.duration_ms = duration.count();
  if (auto problem = keep_record(task, record, result)) return RecordLost{std::move(*problem)};
  return result;
}

MatchResult result_of(const TournamentPlan& plan, const StartedMatch& match, std::uint64_t seed,
                      const MatchRecord& record) {
  MatchResult result = place(plan, match, seed);
  result.end = record.completed ? MatchEnd::Completed : MatchEnd::Aborted;
  result.reason = record.end_reason;
  result.goals = record.goals;
  result.steps = record.moves.size();
  result.moves_hash = moves_hash(record);
  result.faults = record.faults;
  result.culprits = culprits_of(result, record);
  result.started_ms = record.start_time_ms;
  for (std::size_t step = 1; step < record.latencies_ms.size(); ++step) {
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      const double ms = record.latencies_ms[step][role];
      result.think_ms[role] += ms;
      result.slowest_ms[role] = std::max(result.slowest_ms[role], ms);
    }
  }
  return result;
}

MatchResult not_played(const TournamentPlan& plan, const StartedMatch& match, std::uint64_t seed,
                       const std::string& reason, const std::string& culprit) {
  MatchResult result = place(plan, match, seed);
  result.end = MatchEnd::Aborted;
  result.reason = reason;
  result.culprits.push_back(culprit);
  result.started_ms = wall_clock_ms();
  return result;
}

}  // namespace ludens::server
