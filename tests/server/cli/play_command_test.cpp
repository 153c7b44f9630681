// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "server/cli/exit_code.h"
#include "server/cli/open_page.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

ProgramRun play(const std::string& arguments) {
  return run_program("play " + arguments + " 2>&1");
}

TEST(PlayCommand, NamesGamesWhereNoneIsGiven) {
  const ProgramRun run = play("");
  EXPECT_EQ(run.code, kWrongUse);
  EXPECT_THAT(run.output, HasSubstr("ludens: play: which game? For example tic_tac_toe"));
}

TEST(PlayCommand, RefusesRolesAndPlayersThatDoNotFit) {
  const ProgramRun role = play("connect_four --as redd");
  EXPECT_EQ(role.code, kWrongUse);
  EXPECT_EQ(role.output,
            "ludens: play: no role 'redd'; did you mean 'red'? The roles are red, yellow\n");
  const ProgramRun nobody = play("eight_puzzle --against random");
  EXPECT_EQ(nobody.code, kWrongUse);
  EXPECT_THAT(nobody.output, HasSubstr("--against"));
  const ProgramRun players = play("connect_four --against random --against legal");
  EXPECT_EQ(players.code, kWrongUse);
  EXPECT_THAT(players.output, HasSubstr("2 players for 1 role; give one --against for all"));
  const ProgramRun unknown = play("connect_four --against randum");
  EXPECT_EQ(unknown.code, kWrongUse);
  EXPECT_THAT(unknown.output, HasSubstr("randum: "));
}

class Desktop : public testing::Test {
 protected:
  Desktop() {
    for (const char* name : {"PATH", "DISPLAY", "WAYLAND_DISPLAY"}) {
      const char* value = std::getenv(name);
      if (value != nullptr) before_.emplace_back(name, value);
    }
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
  }
  ~Desktop() override {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) ::unsetenv(name);
    for (const auto& [name, value] : before_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  /// A program of that name which keeps the address that it is to open.
  void install_opener() {
    const std::filesystem::path opener = folder_.path() / "xdg-open";
    std::ofstream(opener) << "#!/bin/sh\necho \"$1\" >'" << opened().string() << ".new'\nmv '"
                          << opened().string() << ".new' '" << opened().string() << "'\n";
    ::chmod(opener.c_str(), 0755);
    ::setenv("PATH", (folder_.path().string() + ":/usr/bin:/bin").c_str(), 1);
  }
  [[nodiscard]] std::filesystem::path opened() const { return folder_.path() / "opened"; }

  ScratchFolder folder_;

 private:
  std::vector<std::pair<std::string, std::string>> before_;
};

TEST_F(Desktop, OpensTheAddressWhereThereIsOne) {
  install_opener();
  ::setenv("DISPLAY", ":99", 1);
  ASSERT_TRUE(open_in_browser("http://127.0.0.1:1/?token=x"));
  for (int tries = 0; tries < 3000 && !std::filesystem::exists(opened()); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::ifstream file(opened());
  std::string address;
  std::getline(file, address);
  EXPECT_EQ(address, "http://127.0.0.1:1/?token=x");
}

TEST_F(Desktop, OpensNothingWithoutADisplayOrAnOpener) {
  install_opener();
  EXPECT_FALSE(open_in_browser("http://127.0.0.1:1/"));
  ::setenv("DISPLAY", ":99", 1);
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_FALSE(open_in_browser("http://127.0.0.1:1/"));
}

}  // namespace
}  // namespace ludens::server
