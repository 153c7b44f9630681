// SPDX-License-Identifier: MIT
// The visible state of a running tournament.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/statistics/standings.h"
#include "server/tournament/observer.h"

namespace ludens::server {

/// A running match.
struct RunningMatch {
  std::string game;
  std::size_t round = 0;             // from 0
  std::size_t lane = 0;              // from 0
  std::vector<std::string> players;  // by role, without those of the host
  std::size_t step = 0;              // joint moves made; 0: players still prepare
  double waited_ms = 0;              // since the players were asked last
  double clock_ms = 0;               // the time that they have for it
  std::string last_move;             // joint move, by role; empty before the first
};

struct LiveSnapshot {
  std::string title;  // of the tournament, with its format
  std::size_t matches_done = 0, matches_total = 0;
  std::size_t blocks_total = 0;
  double elapsed_ms = 0;              // of this run
  double matches_a_minute = 0;        // of this run
  std::optional<double> left_ms;      // at this rate; unknown before the first match is over
  std::vector<RunningMatch> running;  // by lane
  Standings standings;
  std::vector<std::string> messages;  // oldest first
};

/// Follows a tournament. Any thread may call the observer's functions; `snapshot` is for one
/// thread.
class LiveState final : public TournamentObserver {
 public:
  using Clock = std::chrono::steady_clock;
  explicit LiveState(std::function<Clock::time_point()> now = Clock::now) : now_(std::move(now)) {}

  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_began(const StartedMatch& match, const MatchRecord& record,
                   const Position& position) override;
  void moved(const StartedMatch& match, const MatchRecord& record,
             const Position& position) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void match_dropped(const StartedMatch& match) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;

  LiveSnapshot snapshot();

 private:
  struct Running {
    RunningMatch match;
    Clock::time_point asked;
  };

  void update_standings(std::vector<MatchResult> arrived, Clock::time_point now);

  const std::function<Clock::time_point()> now_;
  // Do not change once it has begun.
  TournamentPlan plan_;
  TournamentOverview overview_;
  Clock::time_point begun_;

  std::mutex mutex_;                        // guards the following
  std::size_t ended_ = 0;                   // matches of this run
  std::map<std::string, Running> running_;  // by match id
  std::vector<MatchResult> arrived_;        // that are not in `results_` yet
  std::vector<std::string> messages_;

  // Belong to the thread that takes snapshots: standings are computed without the lock.
  std::vector<MatchResult> results_;
  Standings standings_;
  bool stale_ = true;
  std::optional<Clock::time_point> standings_time_;
};

}  // namespace ludens::server
