// SPDX-License-Identifier: MIT
// A running tournament, shown by a feed.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/tournament/log.h"
#include "server/tournament/observer.h"
#include "server/web/match_feed.h"
#include "server/web/watched_match.h"

namespace ludens::server {

/// Reports all matches to the feed, and the standings whenever blocks have ended, at most every two
/// seconds. Standings are counted on the feed's thread, so that no match waits for them.
class WatchedTournament final : public TournamentObserver {
 public:
  /// The feed must outlive it.
  explicit WatchedTournament(MatchFeed& feed) : feed_(feed) {}

  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_began(const StartedMatch& match, const MatchRecord& record,
                   const Position& position) override;
  void moved(const StartedMatch& match, const MatchRecord& record,
             const Position& position) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void match_dropped(const StartedMatch& match) override;
  void block_ended(std::span<const MatchResult> matches) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;
  void ended(const TournamentEnding& ending) override;

 private:
  std::shared_ptr<WatchedMatch> find(const std::string& match);
  void tell_standings();

  MatchFeed& feed_;
  std::mutex mutex_;                                              // guards the following
  std::map<std::string, std::shared_ptr<WatchedMatch>> matches_;  // by id; those that run
  TournamentLog log_;
  std::chrono::steady_clock::time_point told_;
};

}  // namespace ludens::server
