// SPDX-License-Identifier: MIT
#include "server/cli/configuration.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "server/cli/command_line.h"
#include "server/cli/exit_code.h"
#include "tests/project_folder.h"
#include "tests/server/cli/command_run.h"

namespace ludens::server {
namespace {

class Configuration : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    file_ = std::filesystem::path(testing::TempDir()) / (std::string(test->name()) + ".xml");
  }
  void TearDown() override { std::filesystem::remove(file_); }
  void write(const std::string& text) { std::ofstream(file_) << text; }
  std::vector<Setting> settings() {
    const auto read = read_configuration(file_);
    EXPECT_TRUE(read.has_value()) << read.error().text;
    return read ? *read : std::vector<Setting>{};
  }
  ConfigurationError error() { return read_configuration(file_).error(); }

  std::filesystem::path file_;
};

TEST_F(Configuration, GivesSettingsWithTheirPlaces) {
  write("<ludens>\n  <serve>\n    <port>9148</port> <!-- why -->\n  </serve>\n</ludens>\n");
  ASSERT_EQ(settings().size(), 1u);
  EXPECT_EQ(settings()[0].command, "serve");
  EXPECT_EQ(settings()[0].option, "port");
  EXPECT_EQ(settings()[0].value, "9148");
  EXPECT_EQ(settings()[0].line, 3);
  EXPECT_EQ(settings()[0].column, 5);
}

TEST_F(Configuration, TakesValuesWithoutTheSpaceAroundThem) {
  write("<ludens><serve><port>\n  9148\n</port><name> </name></serve></ludens>");
  EXPECT_EQ(settings()[0].value, "9148");
  EXPECT_EQ(settings()[1].value, "");
}

TEST_F(Configuration, SaysWhereTheTextIsBroken) {
  write("<ludens>\n  <serve>\n</ludens>\n");
  EXPECT_EQ(error().line, 3);
  write("<other/>");
  EXPECT_EQ(error().text, "the root element must be <ludens>");
  write("<ludens><serve><port><x/></port></serve></ludens>");
  EXPECT_EQ(error().column, 16);
}

TEST_F(Configuration, RefusesWhatItWouldNotRead) {
  write("<ludens>\n<serve port=\"9148\"/></ludens>");
  EXPECT_EQ(error().line, 2);
  EXPECT_EQ(error().column, 1);
  EXPECT_THAT(error().text, testing::HasSubstr("'port'"));
  write("<ludens><serve><port of=\"it\">9148</port></serve></ludens>");
  EXPECT_EQ(error().column, 16);
  write("<ludens>\n9148</ludens>");
  EXPECT_THAT(error().text, testing::HasSubstr("in no option"));
}

TEST_F(Configuration, NamesCommandsWithoutOptions) {
  write("<ludens><serve/><sevre></sevre></ludens>");
  ASSERT_EQ(settings().size(), 2u);
  EXPECT_EQ(settings()[1].command, "sevre");
  EXPECT_EQ(settings()[1].option, "");
  const CommandRun run = run_command({"--config", file_, "games"});
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_THAT(run.err, testing::HasSubstr("did you mean 'serve'?"));
}

TEST_F(Configuration, YieldsToOptionsOfTheCommandLineThatExcludeIt) {
  write("<ludens><speed><json>true</json></speed></ludens>");
  const CommandRun run =
      run_command({"--config", file_, "speed", "nim", "--seconds", "0.01", "--csv"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("game,machine,"));
  EXPECT_EQ(run.out.find('{'), std::string::npos) << run.out;
}

TEST_F(Configuration, RefusesOptionsThatExcludeOneAnother) {
  write("<ludens><speed>\n<csv>true</csv>\n<json>true</json></speed></ludens>");
  const CommandRun refused = run_command({"--config", file_, "speed", "nim"});
  EXPECT_EQ(refused.code, kCouldNot);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, testing::HasSubstr(":2:1: error: 'csv' excludes 'json'"));
  write("<ludens><speed><csv>true</csv><json>false</json></speed></ludens>");
  EXPECT_EQ(run_command({"--config", file_, "speed", "nim", "--seconds", "0.01"}).code, kGood);
}

/// The file is checked for all commands, whatever the command line says.
TEST_F(Configuration, RefusesValuesWithTheirPlace) {
  using Words = std::vector<std::string>;
  const std::vector<std::pair<std::string, Words>> cases{
      {"<serve>\n<strategy>mctz</strategy></serve>", {"serve"}},
      {"<serve>\n<allow>junk</allow></serve>", {"serve"}},
      {"<serve>\n<gamemaster>junk</gamemaster></serve>", {"serve"}},
      {"<match>\n<player>nobody</player></match>", {"match", "nim"}},
      {"<play>\n<against>nobody</against></play>", {"play", "nim"}},
      {"<think>\n<strategy>nobody</strategy></think>", {"think", "nim"}},
      {"<think>\n<strategy>&#27;[31m</strategy></think>", {"think", "nim"}},
      {"<think>\n<seconds>-1</seconds></think>", {"think", "nim", "--seconds", "1"}},
      {"<tournament>\n<shard>3/2</shard></tournament>", {"tournament", "missing.xml"}},
      {"<perft>\n<threads>-1</threads></perft>", {"perft", "nim", "1"}},
      {"<perft>\n<json>maybe</json></perft>", {"perft", "nim", "1"}},
      {"<speed>\n<csv>true</csv><json>true</json></speed>", {"speed", "nim"}}};
  for (const auto& [settings, command] : cases) {
    write("<ludens>" + settings + "</ludens>");
    for (const Words& words : {command, Words{"show", "nim"}}) {
      Words all{"--config", file_};
      all.insert(all.end(), words.begin(), words.end());
      const CommandRun run = run_command(all);
      EXPECT_EQ(run.code, kCouldNot) << settings << " for " << words.front() << ": " << run.err;
      EXPECT_EQ(run.out, "");
      EXPECT_THAT(run.err, testing::StartsWith(file_.string() + ":2:1: error: ")) << settings;
      EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << settings;
      EXPECT_TRUE(one_line(run.err)) << run.err;
    }
  }
}

TEST_F(Configuration, TakesValuesOfOtherCommands) {
  write(
      "<ludens><match><player>human</player><player>mcts:playouts=5</player></match>"
      "<serve><allow>10.0.0.0/8</allow><allow>::1</allow></serve><learn><base>a</base></learn>"
      "<tournament><shard>2/2</shard></tournament></ludens>");
  EXPECT_EQ(run_command({"--config", file_, "perft", "nim", "1"}).code, kGood);
}

/// Each may come from either source.
TEST_F(Configuration, HoldsOptionsThatOthersNeed) {
  const auto err = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--config", file_});
    return run_command(words).err;
  };
  write("<ludens><learn><base>/no/base</base></learn></ludens>");
  EXPECT_THAT(err({"learn", "nim", "--join", "a", "b", "--out", file_.string() + ".out"}),
              testing::HasSubstr("/no/base: No such file"));
  write("<ludens><learn><join>part</join></learn></ludens>");
  EXPECT_THAT(err({"learn", "nim"}), testing::HasSubstr("--join needs --base"));
  write("<ludens><show><playout>true</playout></show></ludens>");
  EXPECT_EQ(err({"show", "nim", "--seed", "3"}), "");
  write("<ludens><show><seed>3</seed></show></ludens>");  // of playouts, whenever there is one
  EXPECT_EQ(err({"show", "nim"}), "");
  write("<ludens><demo><gamemaster>true</gamemaster></demo></ludens>");
  EXPECT_THAT(err({"demo", "--page", "/no/page.html"}),
              testing::HasSubstr("/no/page.html: there is no such page"));
  write("<ludens><demo><page>/no/page.html</page></demo></ludens>");
  EXPECT_THAT(err({"demo"}), testing::HasSubstr("--page needs --gamemaster"));
}

/// Whether a value is right may depend on the game.
TEST_F(Configuration, SaysWhereItSetsWhatACommandRefuses) {
  write(
      "<ludens><think>\n<role>nobody</role>\n<json/></think><solve><role>x</role></solve></"
      "ludens>");
  const CommandRun refused = run_command({"--config", file_, "think", "nim"});
  EXPECT_EQ(refused.code, kWrongUse);
  EXPECT_THAT(refused.err, testing::HasSubstr("there is no role 'nobody'"));
  EXPECT_THAT(refused.err, testing::EndsWith("\n" + file_.string() +
                                             ":2:1: note: --role is 'nobody' by this file\n"));
  const CommandRun given = run_command({"--config", file_, "think", "nim", "--role", "noone"});
  EXPECT_EQ(given.code, kWrongUse);
  EXPECT_EQ(given.err.find("note"), std::string::npos) << given.err;
}

TEST_F(Configuration, AMissingFileIsAnError) {
  EXPECT_EQ(error().text, "can't be read: No such file or directory");
}

TEST(ShippedConfiguration, HoldsEveryOptionAtItsDefault) {
  const auto read =
      read_configuration(std::filesystem::path(project_folder()) / "config" / "ludens.xml");
  ASSERT_TRUE(read.has_value());
  std::map<std::pair<std::string, std::string>, std::string> shipped;
  for (const Setting& s : *read) {
    EXPECT_TRUE(shipped.try_emplace({s.command, s.option}, s.value).second)
        << s.command << " " << s.option << " stands there twice";
  }
  const ProgramDescription program = describe_program();
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& known : command.options) {
      const auto found = shipped.find({command.name, known.name});
      ASSERT_NE(found, shipped.end()) << command.name << " --" << known.name << " is missing";
      const std::string standard =
          known.standard == "\"\"" || known.standard == "[]" ? "" : known.standard;
      EXPECT_EQ(found->second, standard) << command.name << " --" << known.name;
      shipped.erase(found);
    }
  }
  for (const auto& [name, value] : shipped) {
    ADD_FAILURE() << name.first << " has no option " << name.second;
  }
}

}  // namespace
}  // namespace ludens::server
