// SPDX-License-Identifier: MIT
#include "server/cli/tournament_progress.h"

#include <new>
#include <utility>

#include "gdl/text/printable.h"
#include "server/statistics/standings.h"
#include "server/statistics/standings_text.h"

namespace ludens::server {

namespace {

// Standings take some milliseconds for each thousand matches.
constexpr std::chrono::seconds kBetweenStandings{60};

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

TournamentProgress::TournamentProgress(std::ostream& out, int terminal, std::stop_token stop,
                                       std::function<Clock::time_point()> now)
    : out_(out),
      terminal_(is_terminal(terminal) ? terminal : -1),
      now_(std::move(now)),
      line_(terminal, std::chrono::milliseconds(0), [this] { return progress(); }),
      on_stop_(std::move(stop), [this] { interrupted(); }) {}

void TournamentProgress::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  line_.print([&] {
    matches_ = overview.matches;
    before_ = ended_ = overview.done.size();
    begun_ = standings_ = now_();
    if (terminal_ >= 0) {
      plan_ = plan;
      shard_ = overview.shard;
      results_.assign(overview.done.begin(), overview.done.end());
    }
    std::string text = plan.id() + ": " + count_text(matches_, "match") + " in " +
                       count_text(overview.blocks, "block");
    if (ended_ > 0) text += ", " + std::to_string(ended_) + " of them played already";
    write(text);
  });
}

void TournamentProgress::match_ended(const StartedMatch& /*match*/, const MatchResult& result) {
  line_.print([&] {
    ++ended_;
    write(std::to_string(ended_) + "/" + std::to_string(matches_) + " " + match_line(result));
    if (terminal_ < 0) return;
    results_.push_back(result);
    if (now_() - standings_ >= kBetweenStandings) print_standings();
  });
}

void TournamentProgress::decided(const std::string& verdict) {
  say(verdict);
}

void TournamentProgress::warned(const std::string& text) {
  say("warning: " + text);
}

/// Called by the stop token, which can't take an exception.
void TournamentProgress::interrupted() noexcept {
  try {
    say("stopping: running matches are dropped (Ctrl-C again ends at once)");
  } catch (const std::bad_alloc&) {  // the message is lost; the stop is not
  }
}

void TournamentProgress::say(const std::string& text) {
  line_.print([&] { write(text); });
}

void TournamentProgress::write(const std::string& line) {
  out_ << gdl::printable(line) << "\n" << std::flush;
}

void TournamentProgress::print_standings() {
  standings_ = now_();
  const Standings standings = standings_of(standings_input(plan_, shard_, results_));
  const std::size_t width = terminal_columns(terminal_) - 2;
  for (const std::string& line : player_table(standings.players).lines(width)) write("  " + line);
  if (standings.sprt) write("  " + sentence(*standings.sprt));
}

std::string TournamentProgress::progress() const {
  if (matches_ == 0) return {};
  std::string text = std::to_string(ended_) + " of " + count_text(matches_, "match");
  if (ended_ == before_ || ended_ > matches_) return text;
  const std::chrono::duration<double, std::milli> elapsed = now_() - begun_;
  const double one_ms = elapsed.count() / static_cast<double>(ended_ - before_);
  return text + (plan_.sprt ? ", at most " : ", ") +
         duration_text(one_ms * static_cast<double>(matches_ - ended_)) + " left";
}

}  // namespace ludens::server
