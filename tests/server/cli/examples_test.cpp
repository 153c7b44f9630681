// SPDX-License-Identifier: MIT
// The examples in the help of commands.
#include <filesystem>
#include <set>
#include <string>

#include "server/cli/command_line.h"
#include "tests/project_folder.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

TEST(Examples, EveryCommandHasOne) {
  const ProgramDescription program = describe_program();
  for (const CommandDescription& command : program.commands) {
    EXPECT_THAT(command.example, testing::StartsWith("ludens " + command.name));
    const ProgramRun help = run_program(command.name + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.output, testing::HasSubstr("Example: " + command.example));
  }
}

/// Each runs in the folder that the earlier ones have left.
TEST(Examples, Work) {
  // They wait for somebody, need files or players of one's own, or take their time.
  const std::set<std::string> left_out{"serve", "compliance", "conform", "demo", "play"};
  const ScratchFolder folder;
  fs::create_directory_symlink(fs::path(project_folder()) / "config", folder.path() / "config");
  const ProgramDescription program = describe_program();
  for (const CommandDescription& command : program.commands) {
    if (left_out.contains(command.name)) continue;
    const std::string arguments = command.example.substr(std::string("ludens ").size());
    const ProgramRun run = run_program(arguments + " 2>&1", "cd '" + folder.path().string() + "';");
    EXPECT_EQ(run.code, 0) << command.example << "\n" << run.output;
  }
}

}  // namespace
}  // namespace ludens::server
