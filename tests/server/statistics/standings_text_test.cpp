// SPDX-License-Identifier: MIT
#include "server/statistics/standings_text.h"

#include <algorithm>
#include <boost/json.hpp>
#include <limits>

#include "server/statistics/csv.h"
#include "server/statistics/standings_json.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

Standings example() {
  std::vector<MatchResult> results;
  append(results, two_player_block(0, "duel", "ann", "bob", {100, 50}));
  append(results, two_player_block(1, "duel", "ann", "bob", {100, 0}));
  append(results, two_player_block(2, "joust", "ann", "cy_with_a_long_name", {100, 100}));
  auto broken = two_player_block(3, "joust", "bob", "cy_with_a_long_name", {100, 100});
  broken[0] = aborted(broken[0], {"bob"});
  broken[0].faults[0] = {.illegal = 1, .dropped = 3};
  append(results, broken);
  StandingsInput input;
  input.players = {"bob", "ann", "cy_with_a_long_name"};
  input.games = {"duel", "joust"};
  input.sprt = SprtPlan{.elo0 = 0, .elo1 = 20};
  input.results = results;
  return standings_of(input);
}

TEST(StandingsText, IsAligned) {
  EXPECT_EQ(standings_text(example()), R"(8 matches, 3 complete blocks, 1 aborted

rank  player               score            95 %                Elo  blocks  won  drawn  lost  faults  s/move
   1  ann                   75.0   12.9 .. 100.0  +191 (-332 .. +∞)       3    4      1     1           0.003
   2  bob                   37.5    0.0 .. 100.0     -89 (-∞ .. +∞)       2    1      1     2       4   0.003
   3  cy_with_a_long_name    0.0    0.0 ..  97.5    -∞ (-∞ .. +636)       1    0      0     2           0.003

against               ann   bob  cy_with_a_long_name
ann                     ·  62.5                100.0
bob                  37.5     ·                    -
cy_with_a_long_name   0.0     -                    ·

Elo against                      ann             bob  cy_with_a_long_name
ann                                ·  +89 (-∞ .. +∞)      +∞ (-636 .. +∞)
bob                   -89 (-∞ .. +∞)               ·                    -
cy_with_a_long_name  -∞ (-∞ .. +636)               -                    ·

game   blocks  aborted  steps    ann   bob  cy_with_a_long_name
duel        2            10.0   62.5  37.5                    -
joust       1        1   10.0  100.0     -                  0.0

game   role  score  matches     steps
duel   r0     87.5        4  10 .. 10
       r1     12.5        4
joust  r0     33.3        3  10 .. 10
       r1     66.7        3

player               illegal  dropped  aborted  at fault
bob                        1        3        1         1
cy_with_a_long_name                          1

SPRT: undecided whether bob is ahead of ann by 0 or 20 Elo (LLR -0.12 in -2.94 .. 2.94, 2 blocks)
)");
}

TEST(StandingsCsv, HasALineAPlayerOverAllGamesAndInEach) {
  const std::string text = standings_csv(example());
  EXPECT_THAT(text,
              testing::StartsWith(
                  "game,rank,player,blocks,matches,wins,draws,losses,score,score_low,"
                  "score_high,elo,elo_low,elo_high,faults,aborted,moves,think_ms,slowest_ms,role\n"
                  ",1,ann,3,6,4,1,1,0.75,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3 + 2 * 3 + 2 * 2);
  EXPECT_THAT(text, testing::HasSubstr("\nduel,2,bob,2,4,1,1,2,0.375,"));
  EXPECT_THAT(text,
              testing::HasSubstr("\nduel,3,cy_with_a_long_name,0,0,0,0,0,,,,,,,0,0,0,0,0,\n"));
  EXPECT_THAT(text, testing::HasSubstr("\nduel,,,,4,,,,0.875,,,,,,,,,,,r0\n"));
  EXPECT_THAT(text, testing::HasSubstr(",-inf,-inf,"));
}

TEST(Csv, QuotesWhatWouldEndAField) {
  EXPECT_EQ(csv_line({"a", "", "b c"}), "a,,b c\n");
  EXPECT_EQ(csv_line({"a,b", "say \"x\"", "two\nlines"}),
            "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n");
  EXPECT_EQ(csv_number(0.1), "0.1");
  EXPECT_EQ(csv_number(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(StandingsJson, IsOneObject) {
  const boost::json::object object = standings_json(example());
  const auto& players = object.at("standings").as_array();
  ASSERT_EQ(players.size(), 3u);
  const auto& ann = players[0].as_object();
  EXPECT_EQ(ann.at("player").as_string(), "ann");
  EXPECT_EQ(ann.at("rank").to_number<int>(), 1);
  EXPECT_EQ(ann.at("blocks").to_number<int>(), 3);
  EXPECT_EQ(ann.at("score").at("mean").to_number<double>(), 0.75);
  EXPECT_TRUE(ann.at("elo").at("high").is_null());  // infinite
  EXPECT_EQ(players[1].at("faults").at("dropped").to_number<int>(), 3);
  EXPECT_EQ(object.at("pairs").as_array().size(), 2u);
  EXPECT_EQ(object.at("sprt").at("decision").as_string(), "undecided");
  EXPECT_EQ(object.at("sprt").at("blocks").to_number<int>(), 2);
}

TEST(TextTable, CountsCharactersAndLeavesOutEmptyColumns) {
  TextTable table({{"name", TextTable::Align::Left}, {"none"}, {"n"}});
  table.add({"a", "", "1"});
  table.add({"±∞", "", "100"});
  EXPECT_EQ(table.lines(), (std::vector<std::string>{"name    n", "a       1", "±∞    100"}));
}

TEST(TextTable, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("connect_four", 20), "connect_four");
  EXPECT_EQ(shortened("connect_four", 5), "conn…");
  EXPECT_EQ(shortened("±±±±", 3), "±±…");
  EXPECT_EQ(shortened("abc", 0), "");
  EXPECT_EQ(display_width("±∞"), 2u);
}

}  // namespace
}  // namespace ludens::server
