// SPDX-License-Identifier: MIT
// Chromium as a process of this program.
#include "server/browser/browser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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

TEST_F(BrowserFiles, ExceptionsAreToldApartFromOtherErrors) {
  Browser browser(chromium());
  browser.open("data:text/html,<p>here</p><img src='http://127.0.0.1:1/none.png'>");
  browser.evaluate("console.error('no picture')");
  EXPECT_TRUE(browser.wait_until("document.images[0].complete"));
  browser.evaluate("setTimeout(() => { throw new Error('no idea'); }), 0");
  browser.evaluate("setTimeout(() => { throw 'a text'; }), 0");
  EXPECT_TRUE(browser.wait_until("1"));
  while (browser.exceptions().size() < 2) browser.evaluate("1");
  EXPECT_THAT(browser.exceptions()[0], testing::StartsWith("Error: no idea"));
  EXPECT_EQ(browser.exceptions()[1], "a text");
  EXPECT_GE(browser.errors().size(), 3u);
}

/// Chromium refuses its sandbox to root; for everybody else it holds strangers' pages back.
TEST(BrowserSandbox, OnlyRootDoesWithoutIt) {
  const ScratchFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const std::filesystem::path program = folder.path() / "chromium", said = folder.path() / "said";
  std::ofstream(program) << "#!/bin/sh\necho \"$@\" > " << said << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::all);
  const auto words = [&] {
    std::filesystem::remove(said);
    EXPECT_THROW(Browser{program.string()}, std::runtime_error);
    std::ifstream file(said);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  if (::geteuid() == 0) {
    EXPECT_THAT(words(), testing::HasSubstr("--no-sandbox"));
    ASSERT_EQ(::seteuid(65534), 0);  // nobody
  }
  const std::string others = words();
  if (::getuid() == 0) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_THAT(others, testing::HasSubstr("--headless"));
  EXPECT_THAT(others, testing::Not(testing::HasSubstr("--no-sandbox")));
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
