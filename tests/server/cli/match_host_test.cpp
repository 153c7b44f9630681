// SPDX-License-Identifier: MIT
#include "server/cli/match_host.h"

#include <set>

#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

TEST(MatchHost, GivesMatchesOfOneMillisecondDifferentIds) {
  const ScratchFolder folder;
  EXPECT_EQ(reserve_match_id(folder.path() / "new", "nim", 1000).value(), "nim.1000");
  EXPECT_EQ(reserve_match_id(folder.path() / "new", "nim", 1000).value(), "nim.1001");
  EXPECT_EQ(reserve_match_id(folder.path() / "new", "pig", 1000).value(), "pig.1000");
}

TEST(MatchHost, NamesTheFolderThatTakesNoRecords) {
  EXPECT_THAT(reserve_match_id("/proc/self", "nim", 1000).error().text,
              testing::AllOf(testing::StartsWith("/proc/self: "), testing::HasSubstr("--out")));
}

}  // namespace
}  // namespace ludens::server
