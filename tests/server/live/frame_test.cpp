// SPDX-License-Identifier: MIT
#include "server/live/frame.h"

#include <algorithm>

#include "server/statistics/text_table.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

LiveSnapshot example(std::size_t blocks) {
  std::vector<MatchResult> results;
  for (std::size_t block = 0; block < blocks; ++block) {
    append(results, two_player_block(block, "duel", "ann", "bob", {100, block % 2 == 0 ? 50 : 0}));
  }
  StandingsInput input;
  input.players = {"ann", "bob"};
  input.games = {"duel"};
  input.sprt = SprtPlan{.elo0 = 0, .elo1 = 50};
  input.results = results;
  LiveSnapshot snapshot;
  snapshot.title = "demo, head-to-head";
  snapshot.standings = standings_of(input);
  snapshot.matches_done = 2 * blocks;
  snapshot.matches_total = 40;
  snapshot.blocks_total = 20;
  snapshot.elapsed_ms = 61'000;
  snapshot.matches_a_minute = 8;
  snapshot.left_ms = 240'000;
  snapshot.running = {{.game = "duel",
                       .round = 2,
                       .lane = 0,
                       .players = {"ann", "bob"},
                       .step = 17,
                       .waited_ms = 1250,
                       .clock_ms = 5000,
                       .last_move = "( mark 1 2 )  noop"},
                      {.game = "duel",
                       .round = 2,
                       .lane = 1,
                       .players = {"bob", "ann"},
                       .step = 0,
                       .waited_ms = 20'000,
                       .clock_ms = 10'000,
                       .last_move = {}}};
  snapshot.messages = {"bob is down: connection refused"};
  return snapshot;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Frame, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(joined(draw_frame(example(4), {.columns = 100, .rows = 30, .colour = false})),
            R"(demo, head-to-head, 1:01
█████░░░░░░░░░░░░░░░░░░░  8 of 40 matches, 4 of 20 blocks, 8.0 a minute, at most 4:00 left

LLR +0.53 in -2.94 .. 2.94 after 4 blocks
H0 0 Elo ├─────────────────────────┼───●────────────────────┤ H1 50 Elo

playing  round   move            clock  players    last move
duel         3     17  ██████░░  3.8 s  ann - bob  ( mark 1 2 )  noop
duel         3  start  ░░░░░░░░  0.0 s  bob - ann

rank  player  score            95 %        Elo  blocks  won  drawn  lost  s/move
   1  ann      62.5   39.5 ..  85.5  +89 ± 191       4    4      2     2   0.003
   2  bob      37.5   14.5 ..  60.5  -89 ± 191       4    2      2     4   0.003

bob is down: connection refused
)");
}

TEST(Frame, FitsAnyWindow) {
  LiveSnapshot snapshot = example(4);
  for (int i = 0; i < 30; ++i) {
    snapshot.running.push_back(snapshot.running[0]);
    snapshot.messages.push_back(
        "a message that is longer than most windows are wide, and goes on "
        "for quite a while, so that it must be cut");
  }
  for (const std::size_t columns : {1u, 10u, 40u, 80u, 200u}) {
    for (const std::size_t rows : {1u, 2u, 5u, 12u, 24u, 60u}) {
      const auto lines = draw_frame(snapshot, {.columns = columns, .rows = rows, .colour = false});
      EXPECT_LE(lines.size(), rows);
      for (const std::string& line : lines) EXPECT_LE(display_width(line), columns) << line;
    }
  }
}

TEST(Frame, SaysWhatIsCut) {
  LiveSnapshot snapshot = example(4);
  for (int i = 0; i < 30; ++i) snapshot.running.push_back(snapshot.running[0]);
  const std::string text =
      joined(draw_frame(snapshot, {.columns = 100, .rows = 24, .colour = false}));
  EXPECT_NE(text.find("... and 22 more"), std::string::npos) << text;
  EXPECT_NE(text.find("rank"), std::string::npos) << "standings keep some room";
}

TEST(Frame, HasColourOnlyWhereAllowed) {
  const auto has_escape = [](bool colour) {
    const auto lines = draw_frame(example(4), {.columns = 80, .rows = 24, .colour = colour});
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find('\x1b') != std::string::npos;
    });
  };
  EXPECT_TRUE(has_escape(true));
  EXPECT_FALSE(has_escape(false));
}

TEST(Frame, SaysWhenTheTestHasDecided) {
  const std::string text =
      joined(draw_frame(example(40), {.columns = 100, .rows = 30, .colour = false}));
  EXPECT_NE(text.find("H1 accepted, LLR"), std::string::npos) << text;
}

TEST(Frame, OfNothingIsShort) {
  const auto lines = draw_frame(LiveSnapshot{}, {.columns = 80, .rows = 24, .colour = false});
  EXPECT_GE(lines.size(), 2u);
}

TEST(Bar, IsAsFullAsItsShare) {
  EXPECT_EQ(bar(0, 4), "░░░░");
  EXPECT_EQ(bar(0.5, 4), "██░░");
  EXPECT_EQ(bar(2, 4), "████");
}

TEST(Duration, IsWrittenAsClocksDo) {
  EXPECT_EQ(duration_text(7'900), "0:07");
  EXPECT_EQ(duration_text(761'000), "12:41");
  EXPECT_EQ(duration_text(11'100'000), "3:05:00");
}

}  // namespace
}  // namespace ludens::server
