// SPDX-License-Identifier: MIT
#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

TEST(ShowCommand, TellsAPositionAsOneObject) {
  const ProgramRun run = run_program("show tic_tac_toe --json");
  EXPECT_EQ(run.code, 0);
  const auto position = boost::json::parse(run.output).as_object();
  EXPECT_EQ(position.at("roles"), boost::json::parse(R"(["x","o"])"));
  EXPECT_EQ(position.at("state").as_array().size(), 10u);
  EXPECT_EQ(position.at("legal").at(0).as_array().size(), 9u);
  EXPECT_EQ(position.at("legal").at(1), boost::json::parse(R"(["noop"])"));
  EXPECT_FALSE(position.at("terminal").as_bool());
  EXPECT_EQ(position.at("goals").as_array().size(), 2u);
}

TEST(ShowCommand, MakesTheMovesOfAFile) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "moves").string();
  std::ofstream(file) << "( ( mark 2 2 ) noop )\n\n( noop ( MARK 1 1 ) )\n";
  const ProgramRun run = run_program("show tic_tac_toe --moves " + file);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.output, testing::HasSubstr("3  . . .\n2  . x .\n1  o . .\n   1 2 3\n"));
  EXPECT_THAT(run.output, testing::HasSubstr("x may (7): ( mark "));
}

TEST(ShowCommand, NamesMovesAndTermsInTheLanguageOfTheSheet) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "pair.hrf").string();
  std::ofstream(file) << "role(r) control(r) init(at(f(a,b),1)) init(at(g(a),2)) terminal :- over\n"
                         "legal(go(f(a,b))) goal(r,0) go(X) :: at(X,N) ==> over\n";
  const ProgramRun run = run_program("show " + file + " 2>&1");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("at: f(a,b) 1, g(a) 2\n"));
  EXPECT_THAT(run.output, testing::HasSubstr("go(f(a,b))"));
}

TEST(ShowCommand, NamesTheLineOfAMoveThatIsNotLegal) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "moves").string();
  std::ofstream(file) << "( ( mark 2 2 ) noop )\n( noop ( mark 2 2 ) )\n";
  const ProgramRun run = run_program("show tic_tac_toe --moves " + file + " 2>&1");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.output, testing::HasSubstr("moves:2: ( mark 2 2 ) is not legal for o"));
}

TEST(ShowCommand, PlaysOutFromASeed) {
  const std::string first = run_program("show nim --playout --seed 3 --json").output;
  EXPECT_EQ(first, run_program("show nim --playout --seed 3 --json").output);
  EXPECT_NE(first, run_program("show nim --playout --seed 4 --json").output);
  std::istringstream lines(first);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  EXPECT_TRUE(boost::json::parse(last).at("terminal").as_bool());
}

TEST(ShowCommand, TakesNoSeedWithoutAPlayout) {
  const ProgramRun run = run_program("show nim --seed 3 2>&1");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.output, "ludens: show: --seed needs --playout, whose random moves it chooses\n");
}

TEST(GamesCommand, ListsEveryBundledGameWithATitle) {
  const ProgramRun run = run_program("games --json");
  EXPECT_EQ(run.code, 0);
  std::istringstream lines(run.output);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto game = boost::json::parse(line).as_object();
    EXPECT_FALSE(game.at("title").as_string().empty()) << line;
    EXPECT_FALSE(game.at("roles").as_array().empty()) << line;
  }
  EXPECT_GE(count, 18);
}

TEST(DemoCommand, ShowsAMatchAndSaysWhatNext) {
  const ScratchFolder folder;
  const ProgramRun run = run_program("demo --game tic_tac_toe --out " + folder.path().string());
  EXPECT_THAT(run.output, testing::HasSubstr("result after"));
  EXPECT_THAT(run.output, testing::HasSubstr("./run serve"));
}

}  // namespace
}  // namespace ludens::server
