// SPDX-License-Identifier: MIT
// Chromium as a process of this program.
#include "server/browser/browser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

/// Browsers have their files in a folder that must be empty in the end.
class BrowserFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!chromium_) GTEST_SKIP() << "no Chromium on this machine (Debian: chromium)";
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR");
  }

  [[nodiscard]] const std::string& chromium() const { return *chromium_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  static std::optional<std::string> temporary_folder() {
    const char* const folder = std::getenv("TMPDIR");
    if (folder == nullptr) return std::nullopt;
    return folder;
  }

  const std::optional<std::string> chromium_ = find_chromium();
  const std::optional<std::string> before_ = temporary_folder();
  const ScratchFolder folder_;
};

TEST_F(BrowserFiles, AreRemovedWithTheBrowser) {
  Browser browser(chromium());
  browser.open("data:text/html,<p>here</p>");
  EXPECT_FALSE(std::filesystem::is_empty(folder()));
}

TEST_F(BrowserFiles, AreRemovedIfItIsStoppedBeforeItRuns) {
  std::stop_source stop;
  stop.request_stop();
  for (int i = 0; i < 5; ++i) {
    EXPECT_THROW(Browser(chromium(), stop.get_token()), std::runtime_error);
  }
}

/// Otherwise a caller would wait for the whole patience, and not know why.
TEST_F(BrowserFiles, ACrashedPageIsReportedAtOnce) {
  Browser browser(chromium());
  try {
    browser.open("chrome://crash");
    FAIL() << "the page has not crashed";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the page has crashed");
  }
  EXPECT_THROW(browser.evaluate("1"), std::runtime_error);
  browser.open("data:text/html,<p>here</p>");
  EXPECT_EQ(browser.evaluate("1"), 1);
}

/// It may report them until the other page takes its place.
TEST_F(BrowserFiles, ErrorsOfThePageBeforeAreForgotten) {
  Browser browser(chromium());
  browser.open("data:text/html,<p>here</p>");
  browser.evaluate("setInterval(() => console.error('no answer')), 0");
  EXPECT_TRUE(browser.wait_until("1"));
  EXPECT_FALSE(browser.errors().empty());
  browser.open("data:text/html,<p>there</p>");
  EXPECT_THAT(browser.errors(), testing::IsEmpty());
}

}  // namespace
}  // namespace ludens::server
