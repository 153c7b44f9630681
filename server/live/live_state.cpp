// SPDX-License-Identifier: MIT
#include "server/live/live_state.h"

#include <algorithm>
#include <iterator>

namespace ludens::server {

namespace {

constexpr std::size_t kMessagesAtMost = 100;
// Computing them takes some milliseconds for each thousand matches.
constexpr std::chrono::seconds kBetweenStandings{1};

double ms_between(LiveState::Clock::time_point from, LiveState::Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

std::string joint_move_text(const std::vector<std::string>& moves, const gdl::Rules& rules) {
  std::string text;
  for (const std::string& move : moves)
    text += (text.empty() ? "" : "  ") + rules.to_user_language(move);
  return text;
}

}  // namespace

void LiveState::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  const std::lock_guard lock(mutex_);
  plan_ = plan;
  overview_ = overview;
  overview_.done = {};
  arrived_.assign(overview.done.begin(), overview.done.end());
  begun_ = now_();
}

void LiveState::match_began(const StartedMatch& match, const MatchRecord& record,
                            const Position& /*position*/) {
  const std::lock_guard lock(mutex_);
  Running running;
  running.match.game = match.game < plan_.games.size() ? plan_.games[match.game].name : record.game;
  running.match.round = match.block.round;
  running.match.lane = match.lane;
  std::copy_if(match.players.begin(), match.players.end(),
               std::back_inserter(running.match.players),
               [](const std::string& player) { return !player.empty(); });
  running.match.clock_ms = 1000.0 * record.start_clock;
  running.asked = now_();
  running_[match.match] = std::move(running);
}

void LiveState::moved(const StartedMatch& match, const MatchRecord& record,
                      const Position& position) {
  const std::lock_guard lock(mutex_);
  Running& running = running_[match.match];
  running.match.step = record.moves.size();
  running.match.last_move = joint_move_text(record.moves.back(), position.vocabulary().rules());
  running.match.clock_ms = 1000.0 * record.play_clock;
  running.asked = now_();
}

void LiveState::match_ended(const StartedMatch& match, const MatchResult& result) {
  const std::lock_guard lock(mutex_);
  running_.erase(match.match);
  arrived_.push_back(result);
  ++ended_;
}

void LiveState::match_dropped(const StartedMatch& match) {
  const std::lock_guard lock(mutex_);
  running_.erase(match.match);
}

void LiveState::decided(const std::string& verdict) {
  warned(verdict);
}

void LiveState::warned(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (messages_.size() == kMessagesAtMost) messages_.erase(messages_.begin());
  messages_.push_back(text);
}

LiveSnapshot LiveState::snapshot() {
  LiveSnapshot snapshot;
  const Clock::time_point now = now_();
  std::vector<MatchResult> arrived;
  std::size_t ended = 0;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(arrived_);
    ended = ended_;
    snapshot.title = plan_.name + ", " + std::string(format_name(plan_.format));
    snapshot.matches_total = overview_.matches;
    snapshot.blocks_total = overview_.blocks;
    snapshot.messages = messages_;
    snapshot.elapsed_ms = ms_between(begun_, now);
    for (const auto& [id, running] : running_) {
      snapshot.running.push_back(running.match);
      snapshot.running.back().waited_ms = ms_between(running.asked, now);
    }
  }
  std::sort(snapshot.running.begin(), snapshot.running.end(),
            [](const RunningMatch& a, const RunningMatch& b) { return a.lane < b.lane; });
  update_standings(std::move(arrived), now);
  snapshot.standings = standings_;
  snapshot.matches_done = results_.size();
  if (ended != 0 && snapshot.elapsed_ms > 0) {
    const double one_ms = snapshot.elapsed_ms / static_cast<double>(ended);
    snapshot.matches_a_minute = 60'000 / one_ms;
    const std::size_t done = std::min(results_.size(), snapshot.matches_total);
    snapshot.left_ms = one_ms * static_cast<double>(snapshot.matches_total - done);
  }
  return snapshot;
}

void LiveState::update_standings(std::vector<MatchResult> arrived, Clock::time_point now) {
  stale_ = stale_ || !arrived.empty();
  std::move(arrived.begin(), arrived.end(), std::back_inserter(results_));
  if (!stale_ || (standings_time_ && now - *standings_time_ < kBetweenStandings)) return;
  standings_ = standings_of(standings_input(plan_, overview_.shard, results_));
  standings_time_ = now;
  stale_ = false;
}

}  // namespace ludens::server
