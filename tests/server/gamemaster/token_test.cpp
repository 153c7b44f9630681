// SPDX-License-Identifier: MIT
#include "server/gamemaster/token.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/server/background_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

TEST(KeptToken, IsMadeOnceAndForTheUserAlone) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "new" / "ludens";
  const auto token = kept_token(folder.string());
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->size(), 32u);
  EXPECT_EQ(*kept_token(folder.string()), *token);
  EXPECT_EQ(fs::status(folder / "gamemaster-token").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(KeptToken, IsMadeAnewWhereTheFileIsDamaged) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "gamemaster-token") << "short";
  const auto token = kept_token(folder.path().string());
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->size(), 32u);
  EXPECT_EQ(*kept_token(folder.path().string()), *token);
}

TEST(KeptToken, IsForOneRunWithoutAFolder) {
  EXPECT_NE(*kept_token(""), *kept_token(""));
}

TEST(KeptToken, SaysWhereItCannotBeKept) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const auto token = kept_token((folder.path() / "file").string());
  ASSERT_FALSE(token.has_value());
  EXPECT_NE(token.error().text.find("gamemaster-token"), std::string::npos);
}

/// Other users of the machine may read logs and what programs write.
TEST(KeptToken, IsNotInTheEventsOfServe) {
  const ScratchFolder folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  BackgroundProgram serve("serve --port 0 --journal off --json --gamemaster");
  ::unsetenv("XDG_STATE_HOME");
  const std::string line = serve.wait_for("\\{\"event\":\"gamemaster\"[^\n]*\n");
  const std::string file = token_file((folder.path() / "ludens").string());
  EXPECT_NE(line.find("\"token_file\":\"" + file + "\""), std::string::npos) << line;
  const auto token = kept_token((folder.path() / "ludens").string());
  EXPECT_EQ(serve.output().find(*token), std::string::npos) << serve.output();
}

}  // namespace
}  // namespace ludens::server
