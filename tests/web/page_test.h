// SPDX-License-Identifier: MIT
// Tests of pages in a real browser.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "server/browser/browser.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {

/// Skipped where there is no Chromium.
class PageTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto chromium = find_chromium();
    if (!chromium) GTEST_SKIP() << "no Chromium on this machine (Debian: chromium)";
    browser_ = std::make_unique<Browser>(*chromium);
  }
  /// Kept where LUDENS_SCREENSHOTS names a folder, to be looked at.
  void screenshot(const std::string& name) {
    const char* folder = std::getenv("LUDENS_SCREENSHOTS");
    const std::filesystem::path file =
        (folder != nullptr ? std::filesystem::path(folder) : folder_.path()) / (name + ".png");
    browser_->screenshot(file);
    EXPECT_GT(std::filesystem::file_size(file), 5000u);
  }
  std::string text(const std::string& expression) {
    return boost::json::serialize(browser_->evaluate(expression));
  }
  void expect_no_errors() {
    for (const std::string& error : browser_->errors()) ADD_FAILURE() << error;
  }

  ScratchFolder folder_;
  std::unique_ptr<Browser> browser_;
};

}  // namespace ludens::server
