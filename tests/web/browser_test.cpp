// SPDX-License-Identifier: MIT
// Chromium as a process of this program.
#include "server/browser/browser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

TEST(Browser, LeavesNothingBehind) {
  const auto chromium = find_chromium();
  if (!chromium) GTEST_SKIP() << "no Chromium on this machine (Debian: chromium)";
  const ScratchFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  {
    Browser browser(*chromium);
    browser.open("data:text/html,<p>here</p>");
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace ludens::server
