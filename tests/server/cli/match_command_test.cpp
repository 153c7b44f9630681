// SPDX-License-Identifier: MIT
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "server/records/record_files.h"
#include "tests/server/background_program.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

class MatchCommand : public testing::Test {
 protected:
  ProgramRun match(const std::string& arguments) {
    return run_program("match " + arguments + " --out " + folder.path().string());
  }
  /// The only JSON record in the folder.
  [[nodiscard]] fs::path record() const {
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (entry.path().extension() == ".json") return entry.path();
    }
    return {};
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    return (folder.path() / name).string();
  }
  ScratchFolder folder;
};

TEST_F(MatchCommand, SaysTheResultAsOneObject) {
  const ProgramRun run = match("tic_tac_toe --player random --player random --seed 4 --json");
  EXPECT_EQ(run.code, 0);
  const auto result = boost::json::parse(run.output).as_object();
  EXPECT_EQ(result.at("game").as_string(), "tic_tac_toe");
  EXPECT_EQ(result.at("roles"), boost::json::parse(R"(["x","o"])"));
  EXPECT_EQ(result.at("players"), boost::json::parse(R"(["random","random"])"));
  EXPECT_EQ(result.at("goals").as_array().size(), 2u);
  EXPECT_TRUE(result.at("errors").as_array().empty());
  EXPECT_EQ(result.at("record").as_string(), record().string());
  EXPECT_GE(result.at("moves").to_number<int>(), 5);
}

TEST_F(MatchCommand, SpeaksTheLanguageOfTheSheet) {
  const ProgramRun run = match("tests/gdl/hrf/games/line.hrf --player legal --player legal 2>&1");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.output, testing::AllOf(testing::HasSubstr("1.   x  mark(1,1)"),
                                         testing::Not(testing::HasSubstr("( mark"))));
}

TEST_F(MatchCommand, SaysBeforeItBeginsThatTheRecordCannotBeKept) {
  const std::string match = "match tic_tac_toe --player random --player random --out ";
  const std::string file = write("file", "no folder");
  ProgramRun run = run_program(match + file + "/x 2>&1");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.output, testing::AllOf(testing::StartsWith("ludens: match: " + file + "/x: "),
                                         testing::HasSubstr("Not a directory"),
                                         testing::EndsWith("--out chooses another folder\n")));
  run = run_program(match + "/proc/self --json 2>/dev/null");  // a folder that takes no files
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.output, "");
}

TEST_F(MatchCommand, FailsWhenTheRecordIsNotWhole) {
  // No file may grow beyond two kilobytes, which the JSON does at once.
  ProgramRun run = run_program(
      "match tic_tac_toe --player random --player random --seed 4 --json"
      " --out " +
          folder.path().string() + " 2>&1",
      "ulimit -f 4;");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.output, testing::HasSubstr("\"record\":\"\""));
  EXPECT_THAT(run.output, testing::HasSubstr("File too large"));
}

TEST_F(MatchCommand, LeavesARecordThatReplays) {
  ASSERT_EQ(match("pig --player random --player legal --scramble 2>/dev/null").code, 0);
  const ProgramRun json = run_program("replay " + record().string());
  EXPECT_EQ(json.code, 0) << json.output;
  fs::path xml = record();
  EXPECT_EQ(run_program("replay " + xml.replace_extension(".xml").string()).code, 0);
}

TEST_F(MatchCommand, FindsADoctoredRecord) {
  ASSERT_EQ(match("nim --player legal --player legal --json").code, 0);
  std::string text = gdl::read_file(record()).value();
  text.replace(text.find("( take a 1 )"), 12, "( take d 9 )");
  const ProgramRun run = run_program("replay --json " + write("doctored.json", text));
  EXPECT_EQ(run.code, 1);
  const auto result = boost::json::parse(run.output).as_object();
  EXPECT_EQ(result.at("disagreements").as_array().size(), 1u);
}

TEST_F(MatchCommand, PlaysOnWithoutADeadPlayerAndSaysNotGood) {
  const ProgramRun run = match("nim --player legal --player http://127.0.0.1:1 --json 2>/dev/null");
  EXPECT_EQ(run.code, 1);
  const auto errors = boost::json::parse(run.output).at("errors").as_array();
  ASSERT_GE(errors.size(), 2u);
  EXPECT_EQ(errors[0].at("code").as_string(), "CE");
  EXPECT_EQ(errors[0].at("step").to_number<int>(), 0);
  EXPECT_EQ(errors[0].at("role").as_string(), "second");
}

TEST_F(MatchCommand, TellsWrongUseFromWhatCannotBeDone) {
  EXPECT_EQ(match("tic_tac_toe --player random --player random --player random 2>&1").code, 2);
  EXPECT_EQ(match("tic_tac_toe --player random --player nonsense 2>&1").code, 2);
  EXPECT_EQ(match("tic_tac_toe --player random --player http:// 2>&1").code, 2);
  EXPECT_EQ(match("no_such_game --player random 2>&1").code, 3);
  EXPECT_THAT(
      match("tic_tac_toe --player random --player random --player random 2>&1").output,
      testing::HasSubstr("3 players for 2 roles; give at most one --player for each of x o"));
}

TEST_F(MatchCommand, LetsAutoPlayTheRolesThatAreLeftOut) {
  const std::string clocks = " --start-clock 1 --play-clock 1 --json";
  const ProgramRun one = match("tic_tac_toe --player random" + clocks);
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(boost::json::parse(one.output).at("players"),
            boost::json::parse(R"(["random","auto"])"));
  const ProgramRun none = match("tic_tac_toe" + clocks);
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(boost::json::parse(none.output).at("players"),
            boost::json::parse(R"(["auto","auto"])"));
}

TEST_F(MatchCommand, RefusesARulesheetWithErrorsUnlessForced) {
  // `terminal` must not depend on what is done.
  const std::string game =
      write("broken.kif",
            "(role r)(legal r go)(init a)(<= (next b) (does r go))(<= terminal (true b))(goal r 1)"
            "(<= sprung (does r go))(<= terminal sprung)");
  const ProgramRun refused = match(game + " --player legal 2>&1");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output, testing::HasSubstr("broken.kif:1:"));
  EXPECT_THAT(refused.output, testing::HasSubstr("--force"));
  EXPECT_EQ(match(game + " --player legal --force --json").code, 0);
}

TEST_F(MatchCommand, CtrlCLeavesARecordMarkedAborted) {
  BackgroundProgram program(
      "match chess --player mcts --player mcts --play-clock 60 --quiet --out '" +
      folder.path().string() + "'");
  for (int i = 0; i < 600 && record().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  program.interrupt();
  EXPECT_EQ(program.wait_for_exit(), 1);
  const auto found = read_records(record()).value();
  EXPECT_TRUE(found[0].record->aborted);
  EXPECT_EQ(found[0].record->end_reason, "interrupted");
}

TEST_F(MatchCommand, AGameWhoseStatesGrowWithoutEndIsAborted) {
  const std::string game =
      write("doubling.kif",
            "(role r)(init (n z))(legal r go)(<= (next (n (s ?x ?x))) (true (n ?x)))"
            "(<= (goal r 50) (true (n ?x)))(<= terminal (true (n q)))");
  const ProgramRun run = match(game + " --player legal --json 2>/dev/null");
  EXPECT_EQ(run.code, 1);
  const auto found = read_records(record()).value();
  const auto& kept = *found[0].record;
  EXPECT_TRUE(kept.aborted);
  EXPECT_THAT(kept.end_reason, testing::HasSubstr("memory"));
  EXPECT_GT(kept.moves.size(), 10u);
  EXPECT_LT(fs::file_size(record()), std::size_t{64} << 20);
}

TEST_F(MatchCommand, FindsABundledGameBesideAFolderOfItsName) {
  for (int match = 0; match < 2; ++match) {
    const ProgramRun run = run_program("match nim --player legal --player random --out nim 2>&1",
                                       "cd '" + folder.path().string() + "';");
    EXPECT_EQ(run.code, 0) << run.output;
  }
}

TEST_F(MatchCommand, SaysHowAnAddressBegins) {
  const ProgramRun run = match("nim --player 127.0.0.1:9147 2>&1");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.output, testing::HasSubstr("an address begins with http://"));
}

TEST_F(MatchCommand, PlaysAgainFromTheSameSeed) {
  const auto moves = [&] {
    const ProgramRun run =
        match("connect_four_small --player mcts:playouts=30 --player random --seed 7 --json");
    const auto file = std::string(boost::json::parse(run.output).at("record").as_string());
    const auto found = read_records(file).value();
    return found[0].record->moves;
  };
  EXPECT_EQ(moves(), moves());
}

}  // namespace
}  // namespace ludens::server
