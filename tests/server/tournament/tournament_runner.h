// SPDX-License-Identifier: MIT
// What tests of whole tournaments have in common: the file of one, and an observer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "server/tournament/runner.h"
#include "tests/server/match/test_games.h"
#include "tests/server/scratch_folder.h"
#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {

/// What a line of the log says but for its times.
inline std::string timeless(MatchResult result) {
  result.started_ms = 0;
  result.duration_ms = 0;
  result.think_ms.assign(result.roles.size(), 0);
  result.slowest_ms.assign(result.roles.size(), 0);
  return to_json(result);
}

/// Checks the order of calls, and requests a stop after this many matches.
class Watcher final : public TournamentObserver {
 public:
  explicit Watcher(std::size_t stop_after = 0) : stop_after_(stop_after) {}

  void began(const TournamentPlan&, const TournamentOverview& overview) override {
    matches = overview.matches;
    done_before = overview.done.size();
  }
  void match_began(const StartedMatch& match, const MatchRecord&, const Position&) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(running_.insert(match.match).second);
    most_at_once = std::max(most_at_once, running_.size());
    for (const std::string& player : match.players) ++busy_[player];
    for (const auto& [player, times] : busy_)
      most_busy[player] = std::max(most_busy[player], times);
  }
  void moved(const StartedMatch& match, const MatchRecord& record, const Position&) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(running_.contains(match.match));
    moves += record.moves.empty() ? 0 : 1;
  }
  void match_ended(const StartedMatch& match, const MatchResult& result) override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(match.match, result.match);
    if (running_.contains(match.match)) forget(match);
    results.push_back(result);
    if (results.size() == stop_after_) stop.request_stop();
  }
  void match_dropped(const StartedMatch& match) override {
    const std::lock_guard lock(mutex_);
    if (running_.contains(match.match)) forget(match);
    ++dropped;
  }
  void block_ended(std::span<const MatchResult> matches_of_block) override {
    for (std::size_t i = 0; i < matches_of_block.size(); ++i) {
      EXPECT_EQ(matches_of_block[i].block.rotation, i);
    }
    ++blocks;
  }
  void decided(const std::string& text) override { verdict = text; }
  void warned(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    warnings.push_back(text);
  }
  void ended(const TournamentEnding& end) override {
    EXPECT_TRUE(running_.empty());
    ending = end;
  }

  std::stop_source stop;
  std::size_t matches = 0, done_before = 0, blocks = 0, dropped = 0, moves = 0, most_at_once = 0;
  std::map<std::string, int> most_busy;
  std::vector<MatchResult> results;
  std::vector<std::string> warnings;
  std::string verdict;
  TournamentEnding ending;

 private:
  void forget(const StartedMatch& match) {
    running_.erase(match.match);
    for (const std::string& player : match.players) --busy_[player];
  }

  std::size_t stop_after_;
  std::mutex mutex_;
  std::set<std::string> running_;
  std::map<std::string, int> busy_;
};

class TournamentRunner : public testing::Test {
 protected:
  TournamentRunner() {
    file_.plan.name = "cup";
    file_.plan.rounds = 3;
    add_game("picking", kPicking);
    options_.folder = scratch_.path() / "run";
    options_.concurrency = 2;
  }

  void add_game(const std::string& name, const std::string& rules) {
    file_.games.push_back(read_rulesheet(name, rules));
    const gdl::Rules& read = *file_.games.back().rules;
    PlannedGame game;
    game.name = name;
    game.hash = text_hash(rules);
    for (std::size_t role = 0; role < read.roles.size(); ++role) {
      game.roles.push_back(read.print(read.roles[role]));
      game.chance.push_back(role == read.random);
    }
    game.start_clock = 60;
    game.play_clock = 60;
    file_.plan.games.push_back(game);
  }
  void add_builtin(const std::string& name, const std::string& strategy = "random") {
    file_.plan.players.push_back(builtin_player(name, strategy));
    file_.players.push_back(parse_player(strategy).value());
  }
  void add_remote(const std::string& name, const std::string& url) {
    PlannedPlayer player;
    player.name = name;
    player.kind = PlannedPlayer::Kind::Remote;
    player.url = url;
    file_.plan.players.push_back(player);
    file_.players.push_back(parse_player(url).value());
  }
  void add_command(const std::string& name, const std::string& command) {
    PlannedPlayer player;
    player.name = name;
    player.kind = PlannedPlayer::Kind::Command;
    player.command = command;
    file_.plan.players.push_back(player);
    file_.players.emplace_back(Command{});
  }

  TournamentEnding run(Watcher& watcher) {
    auto outcome = run_tournament(file_, options_, watcher.stop.get_token(), watcher);
    if (!outcome) {
      ADD_FAILURE() << outcome.error().problems.at(0);
      return {};
    }
    return *outcome;
  }
  std::string refusal() {
    Watcher watcher;
    const auto outcome = run_tournament(file_, options_, {}, watcher);
    return outcome.error().problems.at(0);
  }
  TournamentLog log() const { return log(options_.folder); }
  static TournamentLog log(const std::filesystem::path& folder) { return read_log(folder).value(); }
  static std::set<std::string> lines(const TournamentLog& log) {
    std::set<std::string> out;
    for (const MatchResult& result : log.results) out.insert(timeless(result));
    return out;
  }
  /// The faults of a player in all matches of the log.
  static FaultCounts faults(const TournamentLog& log, const std::string& player) {
    FaultCounts sum;
    for (const MatchResult& result : log.results) {
      for (std::size_t role = 0; role < result.roles.size(); ++role) {
        if (result.players[role] == player) sum += result.faults[role];
      }
    }
    return sum;
  }

  ScratchFolder scratch_;
  TournamentFile file_;
  RunOptions options_;
};

}  // namespace ludens::server
