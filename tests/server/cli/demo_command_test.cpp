// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "server/cli/exit_code.h"
#include "server/records/record_files.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

TEST(DemoCommand, PlaysOverHttpWhereRandomIsTheFirstRole) {
  const ScratchFolder folder;
  const fs::path game = folder.path() / "dice.kif", out = folder.path() / "out";
  std::ofstream(game) << "(role random) (role ann) (role bob) (init fresh)"
                         "(legal random roll) (legal ann call) (legal bob wait)"
                         "(<= (next over) (true fresh)) (<= terminal (true over))"
                         "(goal ann 50) (goal bob 50) (goal random 0)";
  const CommandRun run = run_command(
      {"demo", "--game", game, "--out", out, "--start-clock", "1", "--play-clock", "1"});
  EXPECT_EQ(run.code, kGood) << run.out << run.err;
  const auto files = find_records(out);
  ASSERT_TRUE(files);
  ASSERT_FALSE(files->empty());
  const auto records = read_records(files->front());
  ASSERT_TRUE(records);
  const auto& players = records->front().record->players;
  ASSERT_EQ(players.size(), 3u);
  EXPECT_THAT(players[1], testing::HasSubstr("127.0.0.1"));
  EXPECT_THAT(players[2], testing::Not(testing::HasSubstr("127.0.0.1")));
}

}  // namespace
}  // namespace ludens::server
