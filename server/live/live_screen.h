// SPDX-License-Identifier: MIT
// A tournament as one permanent screen, for people.
#pragma once

#include <memory>
#include <ostream>
#include <stop_token>

#include "server/tournament/observer.h"

namespace ludens::server {

/// Follows a tournament on the terminal behind `file` from `began` to `ended`, drawing five times a
/// second. A stop request restores the screen immediately, before its caller continues, so that a
/// second Ctrl-C ends a program whose terminal is in order. Warnings, and anything later, are then
/// written as plain lines to `plain`.
class LiveScreen final : public TournamentObserver {
 public:
  /// `plain` must outlive this.
  LiveScreen(int file, std::ostream& plain, std::stop_token stop);
  ~LiveScreen() override;

  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_began(const StartedMatch& match, const MatchRecord& record,
                   const Position& position) override;
  void moved(const StartedMatch& match, const MatchRecord& record,
             const Position& position) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void match_dropped(const StartedMatch& match) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;
  void ended(const TournamentEnding& ending) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// How to follow a tournament on standard error: by a screen if it is a terminal that can show one
/// and `screen` allows it, otherwise by lines.
std::unique_ptr<TournamentObserver> follow_on_standard_error(bool screen, std::stop_token stop);

}  // namespace ludens::server
