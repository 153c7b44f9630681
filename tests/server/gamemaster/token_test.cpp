// SPDX-License-Identifier: MIT
#include "server/gamemaster/token.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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

}  // namespace
}  // namespace ludens::server
