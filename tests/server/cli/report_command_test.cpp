// SPDX-License-Identifier: MIT
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "server/game/rulesheet.h"
#include "server/report/report_page.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ReportCommand : public testing::Test {
 protected:
  [[nodiscard]] std::string in(const std::string& name) const {
    return "'" + (folder_.path() / name).string() + "'";
  }
  ScratchFolder folder_;
};

TEST_F(ReportCommand, WritesOnePageThatLoadsNothing) {
  run_program("match tic_tac_toe --player random --player random --quiet --out " + in("m"));
  const ProgramRun run = run_program("report " + in("m") + " --out " + in("r.html") + " --json");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("\"matches\":1"), std::string::npos) << run.output;
  const std::string page = content((folder_.path() / "r.html").string());
  EXPECT_NE(page.find("tic_tac_toe"), std::string::npos);
  for (const char* loading : {"src=\"", "@import", "<link rel=\"stylesheet", "<iframe"}) {
    EXPECT_EQ(page.find(loading), std::string::npos) << loading;
  }
}

TEST_F(ReportCommand, ShowsATournamentWithItsParts) {
  std::ofstream(folder_.path() / "t.xml")
      << "<tournament><player name=\"a\">random</player><player name=\"b\">random</player>"
         "<rounds>2</rounds><records>none</records><game>tic_tac_toe</game></tournament>";
  for (const char* part : {"1", "2"}) {
    const ProgramRun run = run_program("tournament " + in("t.xml") + " --shard " + part +
                                       "/2 --out " + in(std::string("t/") + part) + " 2>&1");
    ASSERT_EQ(run.code, 0) << run.output;
  }
  const ProgramRun run = run_program("report " + in("t") + " --out " + in("r.html"));
  EXPECT_EQ(run.code, 0);
  const std::string page = content((folder_.path() / "r.html").string());
  const std::size_t first = page.find("\"curves\":");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("\"curves\":", first + 1), std::string::npos) << "parts are not joined";
  EXPECT_NE(page.find("\"matches\":4,"), std::string::npos);
}

/// The document in a page: the text between its data's tags.
boost::json::value data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return boost::json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// A match of ticTacToe as hosts of ggp.org keep it: without rules, roles and the name of the game.
std::string foreign_record(const std::string& id, const std::string& goals) {
  return R"json({"matchId":")json" + id +
         R"json(","gameMetaURL":"http://games.ggp.org/base/games/ticTacToe/v0/","startTime":1,
                "playerNamesFromHost":["ann","bob"],"isCompleted":true,"goalValues":)json" +
         goals + R"json(,"states":["( ( control xplayer ) )","( ( control oplayer ) )"],
                         "moves":[["( mark 1 1 )","noop"]]})json";
}

TEST_F(ReportCommand, HasStandingsOfRecordsAlone) {
  fs::create_directories(folder_.path() / "m");
  std::ofstream(folder_.path() / "m/1.json") << foreign_record("one", "[100,0]");
  std::ofstream(folder_.path() / "m/2.json") << foreign_record("two", "[100,0]");
  run_program("match nim --player random --player random --quiet --out " + in("m"));
  const ProgramRun run = run_program("report " + in("m") + " --out " + in("r.html") + " 2>&1");
  EXPECT_EQ(run.code, 0) << run.output;
  const auto data = data_of(content((folder_.path() / "r.html").string()));
  const auto& tournaments = data.at("tournaments").as_array();
  ASSERT_EQ(tournaments.size(), 1u);
  const auto& all = tournaments[0].as_object();
  EXPECT_THAT(std::string(all.at("note").as_string()), testing::HasSubstr("not exchanged"));
  EXPECT_EQ(all.at("summary").at("matches").to_number<int>(), 3);
  std::set<std::string> games;
  for (const auto& game : all.at("games").as_array()) games.emplace(game.as_string());
  EXPECT_EQ(games, (std::set<std::string>{"nim", "ticTacToe"}));
  const auto& first = all.at("summary").at("standings").at(0);
  EXPECT_EQ(first.at("player").as_string(), "ann");
  EXPECT_EQ(first.at("score").at("mean").to_number<double>(), 1);
  for (const auto& match : data.at("matches").as_array()) {
    EXPECT_EQ(match.at("roles").as_array().size(), 2u);
    EXPECT_FALSE(match.at("game").as_string().empty());
  }
}

TEST_F(ReportCommand, TakesTheRulesOfRecordsWithoutThemFromAGame) {
  std::ofstream(folder_.path() / "1.json") << foreign_record("one", "[100,0]");
  const auto report = [&](const std::string& game) {
    return run_program("report " + in("1.json") + " --game " + game + " --out " + in("r.html") +
                       " 2>&1");
  };
  EXPECT_EQ(report("tic_tac_toe").code, 0);
  const auto data = data_of(content((folder_.path() / "r.html").string()));
  const auto& match = data.at("matches").at(0);
  EXPECT_EQ(match.at("game").as_string(), "tic_tac_toe");
  EXPECT_EQ(match.at("roles").at(1).at("name").as_string(), "o");
  const ProgramRun other = report("three_player");
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.output, testing::HasSubstr("another number of roles than three_player"));
  EXPECT_EQ(report("no_such_game").code, 3);
}

/// Two runs of one tournament whose matches have the same ids.
class ReportOfTwoRuns : public ReportCommand {
 protected:
  ReportOfTwoRuns() {
    std::ofstream(folder_.path() / "t.xml")
        << "<tournament><player name=\"a\">random</player><player name=\"b\">random</player>"
           "<rounds>2</rounds><game>tic_tac_toe</game></tournament>";
    EXPECT_EQ(run_program("tournament " + in("t.xml") + " --out " + in("t/1") + " 2>&1").code, 0);
    fs::copy(folder_.path() / "t/1", folder_.path() / "t/2", fs::copy_options::recursive);
  }
  /// Lets the second run have another result of a match.
  void change_second_run() {
    const fs::path log = folder_.path() / "t/2/tournament.jsonl";
    edit(log, [](std::string text) {
      const std::size_t steps = text.find("\"steps\":") + 8;
      return text.replace(steps, 1, "3");  // no match is so short
    });
    for (const auto& entry : fs::directory_iterator(folder_.path() / "t/2/records")) {
      edit(entry.path(), [](std::string text) {
        const std::string time = "\"startTime\":";
        return text.insert(text.find(time) + time.size(), "1");
      });
    }
  }
  template <class Change>
  static void edit(const fs::path& file, Change change) {
    const std::string text = change(content(file.string()));
    std::ofstream(file, std::ios::trunc) << text;
  }
  boost::json::value report() {
    const ProgramRun run =
        run_program("report " + in("t") + " --trust --out " + in("r.html") + " 2>&1");
    EXPECT_EQ(run.code, 0) << run.output;
    return data_of(content((folder_.path() / "r.html").string()));
  }
};

TEST_F(ReportOfTwoRuns, RefusesALogThatWasEdited) {
  change_second_run();
  const ProgramRun run = run_program("report " + in("t") + " --out " + in("r.html") + " 2>&1");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.output, testing::HasSubstr("tournament.jsonl:2: "));
  EXPECT_THAT(run.output, testing::HasSubstr("--trust"));
}

TEST_F(ReportOfTwoRuns, ShowsCopiesOnce) {
  const auto data = report();
  EXPECT_EQ(data.at("tournaments").as_array().size(), 1u);
  EXPECT_EQ(data.at("matches").as_array().size(), 4u);
}

TEST_F(ReportOfTwoRuns, TellsDifferentOnesApart) {
  change_second_run();
  const auto data = report();
  EXPECT_TRUE(data.at("problems").as_array().empty());
  ASSERT_EQ(data.at("tournaments").as_array().size(), 2u);
  ASSERT_EQ(data.at("matches").as_array().size(), 8u);
  std::set<std::string> ids, places;
  for (const auto& match : data.at("matches").as_array()) {
    ids.emplace(match.at("id").as_string());
    places.emplace(match.at("place").as_string());
  }
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_EQ(places.size(), 8u);
  for (std::size_t run : {0, 1}) {
    EXPECT_THAT(std::string(data.at("tournaments").at(run).at("places").at(0).as_string()),
                testing::EndsWith(run == 0 ? "t/1" : "t/2"));
  }
}

TEST_F(ReportOfTwoRuns, JoinsPartsWithThePartsBesideThem) {
  for (const char* part : {"1", "2"}) {
    const ProgramRun run = run_program("tournament " + in("t.xml") + " --shard " + part +
                                       "/2 --out " + in(std::string("u/") + part) + " 2>&1");
    ASSERT_EQ(run.code, 0) << run.output;
  }
  change_second_run();
  fs::remove_all(folder_.path() / "t/1");
  const ProgramRun run =
      run_program("report " + in("t") + " " + in("u") + " --trust --out " + in("r.html") + " 2>&1");
  EXPECT_EQ(run.code, 0) << run.output;
  const auto data = data_of(content((folder_.path() / "r.html").string()));
  ASSERT_EQ(data.at("tournaments").as_array().size(), 2u);
  EXPECT_EQ(data.at("tournaments").at(1).at("places").as_array().size(), 2u);
}

TEST_F(ReportCommand, ShowsRecordsInXml) {
  run_program("match tic_tac_toe --player random --player random --quiet --out " + in("m"));
  for (const auto& entry : fs::directory_iterator(folder_.path() / "m")) {
    if (entry.path().extension() == ".json") fs::remove(entry.path());
  }
  const ProgramRun run = run_program("report " + in("m") + " --out " + in("r.html") + " --json");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("\"matches\":1"), std::string::npos) << run.output;
}

TEST_F(ReportCommand, SaysWhatItCouldNotRead) {
  EXPECT_EQ(run_program("report " + in("nowhere") + " 2>&1").code, 3);
  run_program("match tic_tac_toe --player random --player random --quiet --out " + in("m"));
  std::ofstream(folder_.path() / "m/broken.json") << "{\"matchId\":";
  const ProgramRun run = run_program("report " + in("m") + " --out " + in("r.html") + " 2>&1");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.output.find("broken.json"), std::string::npos) << run.output;
  EXPECT_NE(content((folder_.path() / "r.html").string()).find("broken.json"), std::string::npos);
}

TEST_F(ReportCommand, LetsNoNameEndTheScript) {
  MatchRecord record;
  record.match_id = "</script><script>alert(1)</script>";
  record.roles = {"x"};
  record.players = {"<!--"};
  record.states = {"( )"};
  ReportPage page;
  page.add_match(record, "-->");
  const std::string html = page.html("<b>", "");
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
}

TEST(MatchCommandWithPeople, NeedsAPageAndPlainNames) {
  const std::string match = "match tic_tac_toe --player human --player random ";
  EXPECT_EQ(run_program(match + "2>/dev/null").code, 2);
  EXPECT_EQ(run_program(match + "--watch 0 --scramble 2>/dev/null").code, 2);
}

TEST(ReplayCommand, DrawsBoardsOnRequest) {
  ScratchFolder folder;
  const std::string out = folder.path().string();
  run_program("match tic_tac_toe --player random --player random --quiet --out '" + out + "'");
  const ProgramRun run = run_program("replay --boards '" + out + "'/*.json");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("3  . . .\n2  . . .\n1  . . .\n   1 2 3\n"), std::string::npos);
}

}  // namespace
}  // namespace ludens::server
