// SPDX-License-Identifier: MIT
// A tournament as lines of text, for logs and pipes.
#pragma once

#include <mutex>
#include <ostream>
#include <string>

#include "server/tournament/observer.h"

namespace ludens::server {

/// Writes a line when the tournament begins, for each finished match, and for each warning. Flushes
/// after each line. Any thread may call it.
class PlainProgress final : public TournamentObserver {
 public:
  /// `out` must outlive this.
  explicit PlainProgress(std::ostream& out) : out_(out) {}

  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;

 private:
  void line(const std::string& text);

  std::ostream& out_;
  std::mutex mutex_;
  std::size_t matches_ = 0, ended_ = 0;
};

/// `connect_four, round 2: ann 100, bob 0 in 17 steps, 0.25 s`, with faults and why it was aborted.
std::string match_line(const MatchResult& result);

}  // namespace ludens::server
