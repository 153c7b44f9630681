// SPDX-License-Identifier: MIT
#include "server/live/frame.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gdl/text/printable.h"
#include "server/live/style.h"
#include "server/statistics/number_text.h"
#include "server/statistics/standings_text.h"
#include "server/statistics/text_table.h"

namespace ludens::server {

namespace {

struct Line {
  std::string text;
  Style style = Style::Plain;
};

using Lines = std::vector<Line>;

std::string styled(const Line& line, const ScreenShape& shape) {
  const std::string text = shortened(gdl::printable(line.text), shape.columns);
  return painted(text, shape.colour ? line.style : Style::Plain);
}

Lines lines_of(const TextTable& table, std::size_t columns) {
  Lines out;
  for (const std::string& text : table.lines(columns)) {
    out.push_back({text, out.empty() ? Style::Faint : Style::Plain});
  }
  return out;
}

Lines heading(const LiveSnapshot& snapshot, const ScreenShape& shape) {
  const double done = static_cast<double>(snapshot.matches_done);
  const double total = static_cast<double>(std::max<std::size_t>(1, snapshot.matches_total));
  std::string text = bar(done / total, std::min<std::size_t>(24, shape.columns / 4)) + "  " +
                     std::to_string(snapshot.matches_done) + " of " +
                     count_text(snapshot.matches_total, "match") + ", " +
                     std::to_string(snapshot.standings.blocks) + " of " +
                     count_text(snapshot.blocks_total, "block");
  if (snapshot.matches_a_minute > 0) {
    text += ", " + number_text("%.1f", snapshot.matches_a_minute) + " a minute";
  }
  if (snapshot.left_ms) {
    text += snapshot.standings.sprt ? ", at most " : ", ";
    text += duration_text(*snapshot.left_ms) + " left";
  }
  return {{snapshot.title + ", " + duration_text(snapshot.elapsed_ms), Style::Heading},
          {text, Style::Plain}};
}

std::string clock_text(const RunningMatch& match) {
  const double left_ms = std::max(0.0, match.clock_ms - match.waited_ms);
  return bar(match.clock_ms > 0 ? left_ms / match.clock_ms : 0, 8) + " " +
         number_text("%4.1f", left_ms / 1000) + " s";
}

Lines running(const LiveSnapshot& snapshot, const ScreenShape& shape) {
  using Align = TextTable::Align;
  TextTable table({{"playing", Align::Left},
                   {"round"},
                   {"move"},
                   {"clock"},
                   {"players", Align::Left},
                   {"last move", Align::Left}});
  for (const RunningMatch& match : snapshot.running) {
    std::string players;
    for (const std::string& player : match.players) {
      players += (players.empty() ? "" : " - ") + player;
    }
    table.add({match.game, std::to_string(match.round + 1),
               match.step == 0 ? "start" : std::to_string(match.step), clock_text(match), players,
               shortened(match.last_move, 30)});
  }
  return table.empty() ? Lines{} : lines_of(table, shape.columns);
}

/// The log-likelihood ratio between its bounds, with a mark at 0.
Line test_bar(const SprtProgress& sprt, const ScreenShape& shape) {
  const std::string left = "H0 " + number_text("%g", sprt.plan.elo0) + " Elo ";
  const std::string right = " H1 " + number_text("%g", sprt.plan.elo1) + " Elo";
  const std::size_t used = display_width(left + right) + 2;
  const std::size_t width =
      std::clamp<std::size_t>(shape.columns > used ? shape.columns - used : 0, 10, 50);
  const auto place = [&](double llr) {
    const double share = (llr - sprt.lower) / (sprt.upper - sprt.lower);
    return static_cast<std::size_t>(
        std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width - 1)));
  };
  std::string text = left + "├";
  for (std::size_t i = 0; i < width; ++i) {
    text += i == place(sprt.llr) ? "●" : i == place(0) ? "┼" : "─";
  }
  return {text + "┤" + right, Style::Plain};
}

Lines test(const LiveSnapshot& snapshot, const ScreenShape& shape) {
  if (!snapshot.standings.sprt) return {};
  const SprtProgress& sprt = *snapshot.standings.sprt;
  const Style style = sprt.decision == SprtDecision::AcceptH1   ? Style::Good
                      : sprt.decision == SprtDecision::AcceptH0 ? Style::Doubtful
                                                                : Style::Plain;
  std::string text = "LLR " + number_text("%+.2f", sprt.llr) + " in " +
                     number_text("%.2f", sprt.lower) + " .. " + number_text("%.2f", sprt.upper) +
                     " after " + count_text(sprt.blocks, "block");
  if (sprt.waiting != 0)
    text += ", " + std::to_string(sprt.waiting) + " more wait for earlier ones";
  if (sprt.decision != SprtDecision::Undecided) {
    text = std::string(name_of(sprt.decision)) + " accepted, " + text;
  }
  return {{text, style}, test_bar(sprt, shape)};
}

/// At most `rows` lines; if some are left out, the last one says how many.
Lines cut(Lines lines, std::size_t rows) {
  if (lines.size() <= rows) return lines;
  if (rows == 0) return {};
  const std::size_t hidden = lines.size() - (rows - 1);
  lines.resize(rows - 1);
  lines.push_back({"... and " + std::to_string(hidden) + " more", Style::Faint});
  return lines;
}

/// The parts that fit, separated by empty lines.
class Page {
 public:
  explicit Page(std::size_t rows) : rows_(rows) {}

  /// Lines that this part could have.
  [[nodiscard]] std::size_t room() const {
    const std::size_t used = lines_.size() + (lines_.empty() ? 0 : 1);
    return used < rows_ ? rows_ - used : 0;
  }
  void add(Lines part, std::size_t rows_at_most) {
    part = cut(std::move(part), std::min(room(), rows_at_most));
    if (part.empty()) return;
    if (!lines_.empty()) lines_.emplace_back();
    lines_.insert(lines_.end(), part.begin(), part.end());
  }
  [[nodiscard]] const Lines& lines() const { return lines_; }

 private:
  std::size_t rows_;
  Lines lines_;
};

}  // namespace

std::string bar(double share, std::size_t width) {
  const double full = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  std::string text;
  for (std::size_t i = 0; i < width; ++i) {
    text += static_cast<double>(i) + 0.5 <= full ? "█" : "░";
  }
  return text;
}

std::string duration_text(double ms) {
  const auto seconds = static_cast<long long>(std::max(0.0, ms) / 1000);
  char buffer[64];
  if (seconds < 3600) {
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld", seconds / 60, seconds % 60);
  } else {
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60,
                  seconds % 60);
  }
  return buffer;
}

std::vector<std::string> draw_frame(const LiveSnapshot& snapshot, const ScreenShape& shape) {
  Page page(shape.rows);
  page.add(heading(snapshot, shape), 2);
  const Lines sprt = test(snapshot, shape);
  page.add(sprt, sprt.size());
  // A third is kept for the standings, however many matches run at once.
  page.add(running(snapshot, shape), std::max<std::size_t>(3, 2 * page.room() / 3));
  page.add(lines_of(player_table(snapshot.standings.players), shape.columns), page.room());
  Lines messages;
  for (const std::string& text : snapshot.messages) messages.push_back({text, Style::Doubtful});
  const std::size_t shown = std::min(messages.size(), page.room());
  messages.erase(messages.begin(), messages.end() - static_cast<std::ptrdiff_t>(shown));
  page.add(std::move(messages), shown);
  std::vector<std::string> out;
  for (const Line& line : page.lines()) out.push_back(styled(line, shape));
  return out;
}

}  // namespace ludens::server
