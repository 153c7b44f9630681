// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "server/tournament/log.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

class TournamentCommand : public testing::Test {
 protected:
  TournamentCommand() {
    write(
        "<tournament><rounds>2</rounds><player>random</player>"
        "<player name=\"m\">mcts:playouts=10</player><game>tic_tac_toe</game></tournament>");
  }
  void write(const std::string& text) { std::ofstream(file()) << text; }
  [[nodiscard]] std::string file() const { return (scratch_.path() / "cup.xml").string(); }
  [[nodiscard]] std::string out(const std::string& name = "out") const {
    return (scratch_.path() / name).string();
  }
  ProgramRun run(const std::string& arguments) const {
    return run_program("tournament " + arguments);
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) out.push_back(line);
    return out;
  }

  ScratchFolder scratch_;
};

TEST_F(TournamentCommand, PrintsStandings) {
  const ProgramRun played = run(file() + " --out " + out() + " 2>/dev/null");
  EXPECT_EQ(played.code, 0);
  EXPECT_THAT(played.output, testing::StartsWith("4 matches, 2 complete blocks"));
  EXPECT_EQ(read_log(out()).value().results.size(), 4u);
}

TEST_F(TournamentCommand, PrintsAnObjectForEachMatchAndTheStandings) {
  const ProgramRun played = run(file() + " --json --out " + out() + " 2>/dev/null");
  const auto objects = lines(played.output);
  ASSERT_EQ(objects.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(json::parse(objects[i]).as_object().contains("match"));
  }
  EXPECT_TRUE(json::parse(objects[4]).as_object().contains("standings"));
}

TEST_F(TournamentCommand, PrintsStandingsForSpreadsheets) {
  const ProgramRun played = run(file() + " --csv --out " + out() + " 2>/dev/null");
  EXPECT_EQ(played.code, 0);
  const auto rows = lines(played.output);
  // Titles, two players over all games and in the only one, its two roles.
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_THAT(rows[0], testing::StartsWith("game,rank,player,"));
  EXPECT_THAT(rows[3], testing::StartsWith("tic_tac_toe,1,"));
  EXPECT_THAT(rows[5],
              testing::AllOf(testing::StartsWith("tic_tac_toe,,,"), testing::EndsWith(",x")));
  EXPECT_EQ(run(file() + " --csv --json --out " + out() + " 2>/dev/null").code, 2);
}

TEST_F(TournamentCommand, PointsAtWhatIsWrongInTheFile) {
  write("<tournament>\n  <player>random</player>\n  <palyer>legal</palyer>\n</tournament>");
  const ProgramRun refused = run(file() + " 2>&1");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.output, testing::StartsWith(file() + ":3:3: error: unknown element 'palyer'"
                                                           "; did you mean 'player'?\n"));
}

TEST_F(TournamentCommand, DoesNotGoOnUnlessItIsTold) {
  run(file() + " --out " + out() + " 2>/dev/null");
  const ProgramRun refused = run(file() + " --out " + out() + " 2>&1");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.output, testing::HasSubstr("--resume goes on with it"));
  const ProgramRun resumed = run(file() + " --resume --out " + out() + " 2>/dev/null");
  EXPECT_EQ(resumed.code, 0);
  EXPECT_THAT(resumed.output, testing::StartsWith("4 matches, 2 complete blocks"));
}

TEST_F(TournamentCommand, JoinsItsShards) {
  const ProgramRun whole = run(file() + " --json --out " + out("whole") + " 2>/dev/null");
  for (const char* shard : {"1/2", "2/2"}) {
    const ProgramRun part = run(file() + " --shard " + shard + " --out " +
                                out(std::string(1, *shard)) + " 2>/dev/null");
    EXPECT_EQ(part.code, 0);
  }
  const ProgramRun joined =
      run(file() + " --json --out " + out("joined") + " --merge " + out("1") + " " + out("2"));
  EXPECT_EQ(joined.code, 0);
  EXPECT_EQ(lines(joined.output).size(), 5u);
  const auto log = read_log(out("joined")).value();
  EXPECT_EQ(log.results.size(), 4u);
  for (const MatchResult& result : log.results) {
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(out("joined")) / result.record));
  }
  for (const char* part : {"1", "2"}) std::filesystem::remove_all(out(part));
  for (const MatchResult& result : log.results) {
    const auto record = std::filesystem::path(out("joined")) / result.record;
    EXPECT_EQ(run_program("replay '" + record.string() + "'").code, 0) << record;
  }
  const auto score = [](const ProgramRun& printed) {
    const json::value standings = json::parse(lines(printed.output).back());
    return json::serialize(standings.at("pairs"));
  };
  EXPECT_EQ(score(joined), score(whole));
}

TEST_F(TournamentCommand, JoinsRecordsWithTheirStates) {
  write(
      "<tournament><player>random</player><player>legal</player><records>all</records>"
      "<game>tic_tac_toe</game></tournament>");
  ASSERT_EQ(run(file() + " --out " + out("1") + " 2>/dev/null").code, 0);
  ASSERT_EQ(run("--out " + out("joined") + " --merge " + out("1")).code, 0);
  std::filesystem::remove_all(out("1"));
  const auto log = read_log(out("joined")).value();
  for (const MatchResult& result : log.results) {
    auto record = std::filesystem::path(out("joined")) / result.record;
    EXPECT_EQ(run_program("replay '" + record.string() + "'").code, 0) << record;
    record.replace_extension(".xml");
    EXPECT_EQ(run_program("replay '" + record.string() + "'").code, 0) << record;
  }
}

TEST_F(TournamentCommand, SaysWhichRecordsAreLost) {
  run(file() + " --out " + out("1") + " 2>/dev/null");
  std::filesystem::remove_all(out("1") + "/records");
  const ProgramRun joined = run("--out " + out("joined") + " --merge " + out("1") + " 2>&1");
  EXPECT_EQ(joined.code, 1);
  EXPECT_THAT(joined.output, testing::HasSubstr("4 records of the parts could not be found"));
  EXPECT_EQ(read_log(out("joined")).value().results.size(), 4u);
}

TEST_F(TournamentCommand, RefusesPartsOfAnotherTournament) {
  run(file() + " --out " + out("1") + " 2>/dev/null");
  write(
      "<tournament><seed>5</seed><player>random</player>"
      "<player name=\"m\">mcts:playouts=10</player><game>tic_tac_toe</game></tournament>");
  const ProgramRun joined = run(file() + " --merge " + out("1") + " 2>&1");
  EXPECT_EQ(joined.code, 3);
  EXPECT_THAT(joined.output, testing::HasSubstr("seed: was 1, is 5"));
}

TEST_F(TournamentCommand, IsUsedWrongly) {
  EXPECT_EQ(run("2>&1").code, 2);
  for (const char* shard : {"0/2", "3/2", "x", "1", "1/2/3"}) {
    EXPECT_EQ(run(file() + " --shard " + shard + " 2>&1").code, 2) << shard;
  }
  EXPECT_EQ(run("no_such_file.xml 2>&1").code, 3);
}

}  // namespace
}  // namespace ludens::server
