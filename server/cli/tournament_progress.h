// SPDX-License-Identifier: MIT
// A tournament as lines of text, with a progress line on a terminal.
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

#include "server/cli/terminal.h"
#include "server/tournament/observer.h"

namespace ludens::server {

/// Writes a line when the tournament begins, for each finished match, for each warning and when a
/// stop is requested, and flushes after each. On a terminal there is a progress line below them
/// with an estimate of the time left, and the standings come now and then. Any thread may call it.
class TournamentProgress final : public TournamentObserver {
 public:
  using Clock = std::chrono::steady_clock;

  /// `out` must outlive this. `terminal` is the file that `out` writes to, or -1 where no progress
  /// line is wanted.
  TournamentProgress(std::ostream& out, int terminal, std::stop_token stop,
                     std::function<Clock::time_point()> now = Clock::now);

  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;

 private:
  void say(const std::string& text);
  void write(const std::string& line);
  void interrupted() noexcept;
  void print_standings();
  [[nodiscard]] std::string progress() const;

  std::ostream& out_;
  const int terminal_;  // -1: none
  const std::function<Clock::time_point()> now_;
  // Only used within `print` and the text of the progress line, of which one runs at a time.
  TournamentPlan plan_;
  Shard shard_;
  std::size_t matches_ = 0, before_ = 0, ended_ = 0;  // those of earlier runs are among the ended
  std::vector<MatchResult> results_;                  // on a terminal
  Clock::time_point begun_, standings_;               // this run; the last standings

  ProgressLine line_;
  std::stop_callback<std::function<void()>> on_stop_;
};

/// `connect_four, round 2: ann 100, bob 0 in 17 steps, 0.25 s`, with faults and why it was aborted.
std::string match_line(const MatchResult& result);

}  // namespace ludens::server
