// SPDX-License-Identifier: MIT
// `conform`, `agree`, `analyze`, `perft` and `speed` as scripts see them.
#include <gtest/gtest.h>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/cli/commands.h"
#include "server/cli/exit_code.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

const std::string kTicTacToe = project_folder() + "/config/games/tic_tac_toe.kif";

template <class Command>
std::vector<json::object> lines_of(const Command& command, int code) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(command(), code);
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<json::object> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line).as_object());
  return lines;
}

TEST(PerftCommand, CountsTicTacToe) {
  for (const unsigned threads : {1U, 3U}) {
    const auto lines = lines_of(
        [&] {
          return perft_command({kTicTacToe, 5, "interpreter", threads, true});
        },
        kGood);
    const std::vector<int> paths{9, 72, 504, 3024, 15120}, terminals{0, 0, 0, 0, 1440};
    ASSERT_EQ(lines.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(lines[i].at("depth").to_number<std::size_t>(), i + 1);
      EXPECT_EQ(lines[i].at("paths").to_number<int>(), paths[i]);
      EXPECT_EQ(lines[i].at("terminals").to_number<int>(), terminals[i]);
      EXPECT_TRUE(lines[i].contains("seconds"));
    }
  }
}

TEST(PerftCommand, SaysWhatItCannotDo) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(perft_command({"no_such_game", 1, "auto", 1, false}), kCouldNot);
  EXPECT_EQ(perft_command({kTicTacToe, 1, "abacus", 1, false}), kWrongUse);
  const std::string errors = testing::internal::GetCapturedStderr();
  EXPECT_NE(errors.find("no_such_game"), std::string::npos) << errors;
  EXPECT_NE(errors.find("unknown machine 'abacus'"), std::string::npos) << errors;
}

TEST(SpeedCommand, ReportsAllThatScriptsReadOff) {
  SpeedOptions options;
  options.games = {kTicTacToe};
  options.machine = "interpreter";
  options.seconds = 0.05;
  options.threads = 2;
  options.json = true;
  const auto lines = lines_of([&] { return speed_command(options); }, kGood);
  ASSERT_EQ(lines.size(), 1U);
  for (const char* key : {"game", "machine", "threads", "ready_ms", "playouts", "steps",
                          "steps_per_s", "gates", "fluents", "moves", "mean_goals", "peak_mb"}) {
    EXPECT_TRUE(lines[0].contains(key)) << key;
  }
  EXPECT_EQ(lines[0].at("machine").as_string(), "interpreter");
  const auto& goals = lines[0].at("mean_goals").as_array();
  ASSERT_EQ(goals.size(), 2U);
  EXPECT_NEAR(goals[0].to_number<double>() + goals[1].to_number<double>(), 100, 1e-6);
}

TEST(AgreeCommand, FindsNoDifferenceAndTellsOfRefusals) {
  AgreeOptions options;
  options.games = {kTicTacToe};
  options.machines = {"scalar", "sliced"};
  options.playouts = 2;
  options.json = true;
  const auto lines = lines_of([&] { return agree_command(options); }, kGood);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("machines").as_array().size(), 2U);
  EXPECT_EQ(lines[0].at("playouts").to_number<int>(), 2);
  EXPECT_TRUE(lines[0].at("differences").as_array().empty());
  EXPECT_EQ(lines[1].at("agree").to_number<int>(), 1);
  options.machines = {"abacus"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(agree_command(options), kWrongUse);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("unknown machine"), std::string::npos);
}

TEST(AnalyzeCommand, TellsTheSizeOfTheNetworkAfterEachPass) {
  AnalyzeOptions options;
  options.game = kTicTacToe;
  options.seconds = 2;
  options.playouts = 10;
  options.states = 10;
  options.verify = true;
  options.json = true;
  const auto lines = lines_of([&] { return analyze_command(options); }, kGood);
  ASSERT_EQ(lines.size(), 1U);
  const auto& network = lines[0].at("network").as_object();
  const auto& stages = network.at("stages").as_array();
  ASSERT_GE(stages.size(), 3U);
  EXPECT_EQ(stages[0].at("pass").as_string(), "ground");
  EXPECT_EQ(stages[1].at("pass").as_string(), "build");
  EXPECT_GT(stages.back().at("two_input_gates").to_number<int>(), 50);
  EXPECT_TRUE(network.at("differences").as_array().empty());
  EXPECT_EQ(network.at("factors").as_array().size(), 1U);
}

/// A folder of one game with one trace, gone with the test.
class ConformCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) /
             ("conform-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder / "sub");
    std::ofstream(folder / "sub" / "one.kif")
        << "(role a) (init (n 0)) (legal a go) (<= (next (n 1)) (does a go))"
           "(<= terminal (true (n 1))) (goal a 100)";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write_trace(const std::string& goal) {
    std::ofstream file(folder / "sub" / "one.jsonl.gz", std::ios::binary);
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor());
    out.push(file);
    out << R"x({"game":"one","seed":1,"roles":["a"],"steps":[)x"
        << R"x({"step":0,"state":["( n 0 )"],"legal":[["go"]],"goals":[100],"terminal":false,)x"
        << R"x("move":["go"]},{"step":1,"state":["( n 1 )"],"goals":[)x" << goal
        << R"x(],"terminal":true}]})x"
        << "\n";
  }
  [[nodiscard]] ConformOptions options() const {
    return {folder.string(), folder.string(), "interpreter", "", 2, true};
  }
  std::filesystem::path folder;
};

TEST_F(ConformCommand, AgreesOnARightTrace) {
  write_trace("100");
  const auto lines = lines_of([&] { return conform_command(options()); }, kGood);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("game").as_string(), "sub/one");
  EXPECT_EQ(lines[0].at("states").to_number<int>(), 2);
  EXPECT_EQ(lines[0].at("disagreements").to_number<int>(), 0);
  EXPECT_EQ(lines[1].at("games").to_number<int>(), 1);
  EXPECT_EQ(lines[1].at("agree").to_number<int>(), 1);
}

TEST_F(ConformCommand, DisagreesOnAWrongOne) {
  write_trace("50");
  const auto lines = lines_of([&] { return conform_command(options()); }, kNotGood);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("note").as_string(), "playout 1, step 1: goal of a: 100, not 50");
  EXPECT_EQ(lines[1].at("agree").to_number<int>(), 0);
}

TEST_F(ConformCommand, BrokenTraceOrNoneCannotBeCompared) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(conform_command(options()), kCouldNot) << "no trace at all";
  std::ofstream(folder / "sub" / "one.jsonl.gz") << "not gzip";
  const auto lines = lines_of([&] { return conform_command(options()); }, kCouldNot);
  ASSERT_EQ(lines.size(), 2U);
  ConformOptions wrong = options();
  wrong.only = "(";
  EXPECT_EQ(conform_command(wrong), kWrongUse);
  (void)testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace ludens::server
