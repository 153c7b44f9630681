// SPDX-License-Identifier: MIT
#include "server/web/watched_tournament.h"

#include "server/statistics/tournament_json.h"
#include "server/web/match_document.h"

namespace ludens::server {

namespace {

constexpr std::chrono::seconds kBetweenStandings{2};

}  // namespace

void WatchedTournament::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  const std::lock_guard lock(mutex_);
  log_.plan = plan;
  log_.shard = overview.shard;
  log_.results.assign(overview.done.begin(), overview.done.end());
  tell_standings();
}

void WatchedTournament::match_began(const StartedMatch& match, const MatchRecord& record,
                                    const Position& position) {
  const auto live = std::make_shared<WatchedMatch>(feed_);
  live->begun(record, position);
  const std::lock_guard lock(mutex_);
  matches_[match.match] = live;
}

void WatchedTournament::moved(const StartedMatch& match, const MatchRecord& record,
                              const Position& position) {
  if (const auto live = find(match.match)) live->moved(record, position);
}

void WatchedTournament::match_ended(const StartedMatch& match, const MatchResult& result) {
  feed_.ended(match.match, ending_json(result.counts(), result.goals, result.reason));
  const std::lock_guard lock(mutex_);
  matches_.erase(match.match);
  log_.results.push_back(result);
}

void WatchedTournament::match_dropped(const StartedMatch& match) {
  feed_.dropped(match.match);
  const std::lock_guard lock(mutex_);
  matches_.erase(match.match);
}

void WatchedTournament::block_ended(std::span<const MatchResult> /*matches*/) {
  const std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() - told_ >= kBetweenStandings) tell_standings();
}

void WatchedTournament::decided(const std::string& verdict) {
  feed_.note(verdict);
}

void WatchedTournament::warned(const std::string& text) {
  feed_.note(text);
}

void WatchedTournament::ended(const TournamentEnding& ending) {
  const std::lock_guard lock(mutex_);
  tell_standings();
  feed_.note(ending.reason);
}

std::shared_ptr<WatchedMatch> WatchedTournament::find(const std::string& match) {
  const std::lock_guard lock(mutex_);
  const auto found = matches_.find(match);
  return found == matches_.end() ? nullptr : found->second;
}

/// Requires the lock. The log is copied, because matches continue while the feed counts.
void WatchedTournament::tell_standings() {
  told_ = std::chrono::steady_clock::now();
  feed_.tournament(
      [log = std::make_shared<const TournamentLog>(log_)] { return tournament_json(*log); });
}

}  // namespace ludens::server
