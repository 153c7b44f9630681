// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/cli/exit_code.h"
#include "tests/server/run_program.h"

namespace ludens::server {
namespace {

constexpr const char* kGoodGame =
    "(role a)\n(init p)\n(legal a m)\n(<= (next p) (true p))\n(terminal)\n(goal a 100)\n";

class CheckCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("check_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  /// Runs the command and keeps what it writes.
  int run(const CheckOptions& options) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = check_command(options);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }

  std::filesystem::path folder_;
  std::string out_, err_;
};

TEST_F(CheckCommand, SaysNothingOfACleanGame) {
  EXPECT_EQ(run({{file("good.kif", kGoodGame)}, false}), kGood);
  EXPECT_EQ(out_, "");
}

TEST_F(CheckCommand, WarningsAreGood) {
  const std::string game = file("odd.kif", std::string(kGoodGame) + "(goal a 101)");
  EXPECT_EQ(run({{game}, false}), kGood);
  EXPECT_EQ(out_, game + ":7:9: warning: a goal value is an integer from 0 to 100\n");
}

TEST_F(CheckCommand, WhatBaseLacksIsAWarning) {
  const std::string game = file("base.kif", R"((role a) (init (at 1))
(base (at 1)) (legal a go) (goal a 100)
(<= (next (at 2)) (does a go)) (<= terminal (true (at 2))))");
  EXPECT_EQ(run({{game}, false}), kGood);
  EXPECT_EQ(out_, game + ":2:1: warning: ( at 2 ) could hold, but 'base' does not declare it\n");
}

TEST_F(CheckCommand, AnErrorEndsWithOne) {
  const std::string game = file("bad.kif", std::string(kGoodGame) + "(<= p (not p))");
  EXPECT_EQ(run({{game}, false}), kNotGood);
  EXPECT_EQ(out_, game + ":7:12: error: 'p' depends on its own negation: p, p\n");
}

TEST_F(CheckCommand, OfATornTextItSaysOnlyWhereItIsTorn) {
  const std::string game = file("torn.kif", "(role a)\n(legal a");
  EXPECT_EQ(run({{game}, false}), kNotGood);
  EXPECT_EQ(out_, game + ":2:1: error: this '(' is never closed\n");
}

TEST_F(CheckCommand, AMissingFileEndsWithThreeAfterTheOthersAreChecked) {
  const std::string bad = file("bad.kif", "(role a");
  const std::string missing = (folder_ / "none.kif").string();
  EXPECT_EQ(run({{missing, bad}, false}), kCouldNot);
  EXPECT_EQ(out_, bad + ":1:1: error: this '(' is never closed\n");
  EXPECT_TRUE(err_.starts_with("ludens: " + missing + ": No such file or directory")) << err_;
}

TEST_F(CheckCommand, NamesTheEnvironmentThatHasNoGames) {
  const ProgramRun run = run_program(
      "games 2>&1", "LUDENS_CONFIG='" + folder_.string() + "' && export LUDENS_CONFIG;");
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_EQ(run.output,
            "ludens: games: LUDENS_CONFIG: " + (folder_ / "games").string() + ": no such folder\n");
}

TEST_F(CheckCommand, FindsBundledGamesWhereTheEnvironmentSays) {
  std::filesystem::create_directories(folder_ / "games");
  file("games/mine.kif", std::string(kGoodGame) + "(goal a 101)");
  setenv("LUDENS_CONFIG", folder_.c_str(), 1);
  const int code = run({{"mine"}, false});
  unsetenv("LUDENS_CONFIG");
  EXPECT_EQ(code, kGood);
  EXPECT_TRUE(
      out_.ends_with("games/mine.kif:7:9: warning: a goal value is an integer from 0 to "
                     "100\n"))
      << out_ << err_;
}

TEST_F(CheckCommand, JsonIsOneObjectALine) {
  const std::string game = file("odd.kif", std::string(kGoodGame) + "(goal a 101)(<= q (not r))");
  EXPECT_EQ(run({{game}, true}), kGood);
  std::istringstream lines(out_);
  std::string line;
  std::vector<boost::json::value> values;
  while (std::getline(lines, line)) values.push_back(boost::json::parse(line));
  ASSERT_EQ(values.size(), 3u) << out_;
  EXPECT_EQ(values[0], (boost::json::value{{"file", game},
                                           {"line", 7},
                                           {"column", 9},
                                           {"severity", "warning"},
                                           {"code", "goal-value"},
                                           {"text", "a goal value is an integer from 0 to 100"},
                                           {"form", 7}}));
}

TEST_F(CheckCommand, SaysTheSameOnlySoOftenAndCountsTheRest) {
  std::string text = kGoodGame;
  for (int i = 0; i < 1000; ++i) text += "(goal a 101)\n";
  const std::string game = file("repetitive.kif", text);
  EXPECT_EQ(run({{game}, false}), kGood);
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 7);  // a warning, then notes
  EXPECT_THAT(out_, testing::EndsWith(game + ": not shown: 994 notes; --limit 0 shows all\n"));
  EXPECT_EQ(run({{game}, false, 0}), kGood);
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 1000);
  EXPECT_EQ(run({{game}, true}), kGood);
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 1000);
}

TEST_F(CheckCommand, PrintsNoMoreThanAHundredLines) {
  std::string text = kGoodGame;
  for (int i = 0; i < 300; ++i) {
    text += "(<= (next q) (nothing_" + std::to_string(i) + "))\n";
  }
  const std::string game = file("long.kif", text);
  run({{game}, false});
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 101);
  EXPECT_THAT(out_, testing::ContainsRegex(": not shown: [0-9a-z, ]+; --limit 0 shows all\n$"));
}

}  // namespace
}  // namespace ludens::server
