// SPDX-License-Identifier: MIT
#include "server/live/plain_progress.h"

#include "gdl/text/printable.h"
#include "server/statistics/standings_text.h"

namespace ludens::server {

namespace {

/// "; bob 2 late, 1 illegal", or nothing.
std::string faults_text(const MatchResult& result) {
  std::string text;
  for (std::size_t role = 0; role < result.players.size(); ++role) {
    if (result.faults[role].total() == 0) continue;
    text += "; " + result.players[role];
    const char* separator = " ";
    for (const FaultKind& kind : fault_kinds()) {
      const std::size_t count = result.faults[role].*kind.count;
      if (count == 0) continue;
      text += separator + std::to_string(count) + " " + std::string(kind.name);
      separator = ", ";
    }
  }
  return text;
}

}  // namespace

std::string match_line(const MatchResult& result) {
  std::string text = result.game + ", round " + std::to_string(result.block.round + 1) + ":";
  const char* separator = " ";
  for (std::size_t role = 0; role < result.players.size(); ++role) {
    if (result.players[role].empty()) continue;
    text += separator + result.players[role];
    if (result.counts()) text += " " + std::to_string(result.goals[role]);
    separator = ", ";
  }
  text +=
      " in " + count_text(result.steps, "step") + ", " + seconds_text(result.duration_ms) + " s";
  text += faults_text(result);
  if (!result.completed()) {
    text += (result.counts() ? "; forfeited: " : "; aborted: ") + result.reason;
  }
  return text;
}

void PlainProgress::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  const std::lock_guard lock(mutex_);
  matches_ = overview.matches;
  ended_ = overview.done.size();
  std::string text = plan.id() + ": " + count_text(matches_, "match") + " in " +
                     count_text(overview.blocks, "block");
  if (ended_ > 0) text += ", " + std::to_string(ended_) + " of them played already";
  line(text);
}

void PlainProgress::match_ended(const StartedMatch& /*match*/, const MatchResult& result) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  line(std::to_string(ended_) + "/" + std::to_string(matches_) + " " + match_line(result));
}

void PlainProgress::decided(const std::string& verdict) {
  const std::lock_guard lock(mutex_);
  line(verdict);
}

void PlainProgress::warned(const std::string& text) {
  const std::lock_guard lock(mutex_);
  line("warning: " + text);
}

void PlainProgress::line(const std::string& text) {
  out_ << gdl::printable(text) << "\n" << std::flush;
}

}  // namespace ludens::server
