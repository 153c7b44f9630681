// SPDX-License-Identifier: MIT
#include "server/match/beside_page.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

class BesidePage : public testing::Test {
 protected:
  void put(const std::string& file) {
    fs::create_directories((site_ / file).parent_path());
    std::ofstream(site_ / file) << file;
  }
  /// Within the site; empty if there is none.
  std::string found(const std::string& target, const std::string& folder = "players/roster") {
    const auto file = file_beside_page(site_ / folder, target);
    return file ? file->file.lexically_relative(site_).string() : "";
  }

  const ScratchFolder scratch_;
  const fs::path site_ = scratch_.path() / "site";
};

TEST_F(BesidePage, FilesBesideItAndOfItsSiteAreFound) {
  for (const char* file : {"players/roster/book.json", "players/roster/lib/a.js", "vendor/a.js",
                           "players/images/pencil.gif", "players/roster/with space.js"}) {
    put(file);
  }
  EXPECT_EQ(found("/book.json?1"), "players/roster/book.json");
  EXPECT_EQ(found("/lib/a.js"), "players/roster/lib/a.js");
  EXPECT_EQ(found("/vendor/a.js"), "vendor/a.js");
  EXPECT_EQ(found("/vendor/a.js", "players/roster/"), "vendor/a.js");
  EXPECT_EQ(found("/images/pencil.gif"), "players/images/pencil.gif");
  EXPECT_EQ(found("/with%20space.js"), "players/roster/with space.js");
  EXPECT_EQ(file_beside_page(site_ / "vendor", "/a.js")->content_type, "text/javascript");
}

TEST_F(BesidePage, OtherFilesAreNot) {
  for (const char* file : {"secret.json", "players/secret.txt", "players/roster/.hidden/a.js",
                           "players/roster/id_rsa", "players/.a.js"}) {
    put(file);
  }
  std::ofstream(scratch_.path() / "far.js") << "far";
  for (const char* target :
       {"/secret.json", "/secret.txt", "/.hidden/a.js", "/id_rsa", "/.a.js", "/far.js",
        "/../../../far.js", "/%2e%2e/%2e%2e/%2e%2e/far.js", "/", "//a.js", "", "a.js", "/%zz.js",
        "/a%00.js", "/none.js", "/lib//a.js"}) {
    EXPECT_EQ(found(target), "") << target;
  }
}

}  // namespace
}  // namespace ludens::server
