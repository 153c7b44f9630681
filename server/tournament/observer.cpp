// SPDX-License-Identifier: MIT
#include "server/tournament/observer.h"

namespace ludens::server {

void TournamentObservers::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  for (auto* observer : observers_) observer->began(plan, overview);
}

void TournamentObservers::match_began(const StartedMatch& match, const MatchRecord& record,
                                      const Position& position) {
  for (auto* observer : observers_) observer->match_began(match, record, position);
}

void TournamentObservers::moved(const StartedMatch& match, const MatchRecord& record,
                                const Position& position) {
  for (auto* observer : observers_) observer->moved(match, record, position);
}

void TournamentObservers::match_ended(const StartedMatch& match, const MatchResult& result) {
  for (auto* observer : observers_) observer->match_ended(match, result);
}

void TournamentObservers::match_dropped(const StartedMatch& match) {
  for (auto* observer : observers_) observer->match_dropped(match);
}

void TournamentObservers::block_ended(std::span<const MatchResult> matches) {
  for (auto* observer : observers_) observer->block_ended(matches);
}

void TournamentObservers::decided(const std::string& verdict) {
  for (auto* observer : observers_) observer->decided(verdict);
}

void TournamentObservers::warned(const std::string& text) {
  const auto told = warnings_.pass(text);
  if (!told) return;
  for (auto* observer : observers_) observer->warned(*told);
}

void TournamentObservers::ended(const TournamentEnding& ending) {
  for (auto* observer : observers_) observer->ended(ending);
}

}  // namespace ludens::server
