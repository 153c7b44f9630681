// SPDX-License-Identifier: MIT
// What can't be written is an error, with the reason, in every command that writes.
#include <filesystem>
#include <fstream>

#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

class UnwritableFiles : public testing::Test {
 protected:
  UnwritableFiles() { std::ofstream(below_.parent_path()) << "no folder"; }

  static void expect_failure(const std::string& arguments, const std::string& file,
                             const std::string& why) {
    const ProgramRun run = run_program(arguments + " 2>&1 >/dev/null");
    EXPECT_EQ(run.code, 3) << arguments;
    EXPECT_THAT(run.output, testing::HasSubstr(file + ": " + why)) << arguments;
  }

  ScratchFolder scratch_;
  const std::filesystem::path below_ = scratch_.path() / "file" / "x";  // below what is no folder
};

TEST_F(UnwritableFiles, AreToldBySolve) {
  const std::string solve = "solve tic_tac_toe --method backward --policy ";
  expect_failure(solve + below_.string(), below_.string(), "Not a directory");
  expect_failure(solve + "/dev/full", "/dev/full", "No space left on device");
}

TEST_F(UnwritableFiles, AreToldByAnalyze) {
  const std::string analyze = "analyze nim --seconds 1 --dot ";
  expect_failure(analyze + below_.string(), below_.string(), "Not a directory");
  expect_failure(analyze + "/dev/full", "/dev/full", "No space left on device");
}

TEST_F(UnwritableFiles, AreToldByReport) {
  const std::string match = "match tic_tac_toe --player random --player random --quiet --out ";
  const std::string records = (scratch_.path() / "records").string();
  ASSERT_EQ(run_program(match + records).code, 0);
  expect_failure("report " + records + " --out " + below_.string(), below_.string(),
                 "Not a directory");
  expect_failure("report " + records + " --out /dev/full", "/dev/full", "No space left on device");
}

TEST_F(UnwritableFiles, AreToldByTournament) {
  expect_failure("tournament config/tournaments/minimal.xml --out " + below_.string(),
                 below_.string(), "Not a directory");
}

TEST_F(UnwritableFiles, AreToldByServe) {
  expect_failure("serve --port 0 --journal off --log " + below_.string(), below_.string(),
                 "Not a directory");
}

TEST_F(UnwritableFiles, AreToldByServeWhenTheDiskIsFull) {
  const std::string folder = scratch_.path().string();
  const std::string told = "ludens: serve: /dev/full: No space left on device";
  const auto has = [](const std::string& file, const std::string& text) {
    return "tries=0; until grep -q '" + text + "' " + file +
           " || [ $tries -eq 600 ]; do sleep 0.1; tries=$((tries + 1)); done; ";
  };
  // It writes a line for the hangup, which it takes when it listens.
  const ProgramRun run = run_program(
      "serve --port 0 --journal off --log /dev/full >" + folder + "/out 2>" + folder +
      "/said & server=$!; " + has(folder + "/out", "listens") + "kill -HUP $server; " +
      has(folder + "/said", told) + "cat " + folder + "/said; kill $server; wait $server");
  EXPECT_THAT(run.output, testing::HasSubstr(told));
}

TEST_F(UnwritableFiles, IncludeStandardOutput) {
  for (const char* command :
       {"games", "show nim", "perft tic_tac_toe 2", "strategies --json", "--version"}) {
    const ProgramRun run = run_program(std::string(command) + " 2>&1 >/dev/full");
    EXPECT_EQ(run.code, 3) << command;
    EXPECT_THAT(run.output, testing::HasSubstr("ludens: standard output: ")) << command;
  }
  EXPECT_EQ(run_program("check config/games/nim.kif >/dev/full").code, 0);  // prints nothing
  EXPECT_EQ(run_program("games | true").code, 0);
}

}  // namespace
}  // namespace ludens::server
