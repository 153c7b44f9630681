#include <fstream>

#include "server/game/rulesheet.h"
#include "server/report/report_page.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

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
  page.add_match(record);
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
