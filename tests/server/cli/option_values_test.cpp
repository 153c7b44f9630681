// SPDX-License-Identifier: MIT
// Every option that is a number, of every command: what it takes, and what it refuses.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "server/cli/command_line.h"
#include "server/cli/exit_code.h"
#include "tests/project_folder.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

/// The required arguments, so that only the option under test is wrong.
std::vector<std::string> command_with_operands(const std::string& command) {
  if (command == "conform") return {command, "games", "traces"};
  if (command == "perft") return {command, "nim", "1"};
  if (command == "compliance") return {command, "http://127.0.0.1:1"};
  if (command == "serve" || command == "games" || command == "strategies" || command == "demo") {
    return {command};
  }
  return {command, "nim"};
}

bool is_number(const OptionDescription& option) {
  return option.values.starts_with("INT") || option.values.starts_with("UINT") ||
         option.values.starts_with("FLOAT");
}

/// LOW and HIGH of `UINT:LOW..HIGH`.
std::pair<std::string, std::string> range_of(const OptionDescription& option) {
  const std::size_t low = option.values.find(':') + 1, dots = option.values.find("..", low);
  return {option.values.substr(low, dots - low), option.values.substr(dots + 2)};
}

/// The options that take a number, with their commands.
std::vector<std::pair<std::string, OptionDescription>> numbers() {
  std::vector<std::pair<std::string, OptionDescription>> found;
  const ProgramDescription program = describe_program();
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& option : command.options) {
      if (is_number(option)) found.emplace_back(command.name, option);
    }
  }
  return found;
}

TEST(OptionValues, NumbersHaveRanges) {
  for (const auto& [command, option] : numbers()) {
    EXPECT_THAT(option.values, testing::ContainsRegex(":-?[0-9.]+\\.\\.[0-9.]+$"))
        << command << " --" << option.name << ": no range";
  }
  EXPECT_GT(numbers().size(), 40u);
}

TEST(OptionValues, NoNumberIsRefusedByItsOption) {
  for (const auto& [command, option] : numbers()) {
    const auto [low, high] = range_of(option);
    std::vector<std::string> wrong{"nan",  "inf", "-inf", "1e999", "99999999999999999999",  "x",
                                   "",     "5x",  " 5",   "5 ",    "-99999999999999999999", "-2",
                                   "0x10", "1,5"};
    if (!option.values.starts_with("FLOAT")) wrong.insert(wrong.end(), {"1.5", "1e3"});
    if (low == "1" || low == "0.001") wrong.emplace_back("0");
    if (high != "18446744073709551615") wrong.push_back(high + "9");
    for (const std::string& value : wrong) {
      std::vector<std::string> words = command_with_operands(command);
      words.push_back("--" + option.name);
      words.push_back(value);
      const CommandRun refused = run_command(words);
      const std::string what = command + " --" + option.name + " '" + value + "'";
      EXPECT_EQ(refused.code, kWrongUse) << what;
      EXPECT_EQ(refused.out, "") << what;
      EXPECT_TRUE(one_line(refused.err)) << what << ": " << refused.err;
      EXPECT_THAT(refused.err, HasSubstr("--" + option.name)) << what;
      EXPECT_THAT(refused.err, HasSubstr(" from " + low + " to " + high)) << what;
    }
  }
}

/// Parses the option alone: the file that would be read next is missing.
CommandRun parsed(const std::string& command, const std::string& option, const std::string& value) {
  std::vector<std::string> words = command_with_operands(command);
  words.insert(words.begin(), {"--config", "/no/such/file"});
  words.insert(words.end(), {"--" + option, value});
  return run_command(words);
}

TEST(OptionValues, BothEndsOfARangeAreTaken) {
  for (const auto& [command, option] : numbers()) {
    const auto [low, high] = range_of(option);
    for (const std::string& value : {low, high}) {
      const CommandRun run = parsed(command, option.name, value);
      EXPECT_EQ(run.code, kCouldNot)
          << command << " --" << option.name << " " << value << ": " << run.err;
    }
  }
}

TEST(OptionValues, LeadingZerosMeanNothing) {
  const auto playout = [](const std::string& seed) {
    return run_command({"show", "tic_tac_toe", "--playout", "--json", "--seed", seed});
  };
  EXPECT_EQ(playout("010").out, playout("10").out);
  EXPECT_NE(playout("010").out, playout("8").out);
  EXPECT_EQ(playout("008").code, kGood);
  EXPECT_EQ(playout("008").out, playout("8").out);
  const CommandRun depth = run_command({"perft", "tic_tac_toe", "02"});
  EXPECT_THAT(depth.out, HasSubstr("depth 2: 72 paths"));
}

TEST(OptionValues, SwitchesAreOnOrOff) {
  for (const char* option : {"ponder", "pin-hosts"}) {
    EXPECT_EQ(parsed("serve", option, "on").code, kCouldNot);
    EXPECT_EQ(parsed("serve", option, "off").code, kCouldNot);
    const CommandRun refused = run_command({"serve", std::string("--") + option, "offf"});
    EXPECT_EQ(refused.code, kWrongUse);
    EXPECT_THAT(refused.err, HasSubstr("it takes on, off, not 'offf'; did you mean 'off'?"));
    EXPECT_EQ(parsed("serve", option, "1").code, kWrongUse);
  }
}

TEST(OptionValues, DepthIsANumberFromOneOn) {
  for (const char* depth : {"0", "x", "1.5", "1001", "nan"}) {
    const CommandRun refused = run_command({"perft", "nim", depth});
    EXPECT_EQ(refused.code, kWrongUse) << depth;
    EXPECT_THAT(refused.err, HasSubstr("a whole number from 1 to 1000")) << depth;
  }
}

TEST(OptionValues, WordsAreSuggested) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"match", "nim", "--replace", "randm"}, "did you mean 'random'?"},
      {{"match", "nim", "--dialect", "dresdn"}, "did you mean 'dresden'?"},
      {{"solve", "nim", "--method", "backwards"}, "did you mean 'backward'?"},
      {{"solve", "nim", "--machine", "scaler"}, "did you mean 'scalar'?"},
      {{"perft", "nim", "2", "--machine", "slice"}, "did you mean 'sliced'?"},
      {{"agree", "nim", "--machine", "interpeter"}, "did you mean 'interpreter'?"},
      {{"speed", "nim", "--policy", "uniforn"}, "did you mean 'uniform'?"},
      {{"analyze", "nim", "--skip", "nothing-like-it"}, "it takes "},
      {{"conform", "a", "b", "--only", "("}, "a regular expression"},
      {{"compliance", "--list", "--only", "("}, "a regular expression"},
      {{"think", "nim", "--strategy", "mtcs"}, "did you mean 'mcts'?"},
      {{"think", "nim", "--strategy", "mcts:playout=3"}, "did you mean 'playouts'?"},
      {{"match", "nim", "--player", "alphabet"}, "did you mean 'alphabeta'?"},
      {{"serve", "--strategy", "atuo"}, "did you mean 'auto'?"},
      {{"think", "nim", "--role", "frist"}, "did you mean 'first'?"},
  };
  for (const auto& [words, hint] : cases) {
    const CommandRun refused = run_command(words);
    EXPECT_EQ(refused.code, kWrongUse) << refused.err;
    EXPECT_TRUE(one_line(refused.err)) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(hint));
  }
}

TEST(OptionValues, CommandsAndOptionsAreSuggested) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"mach"}, "unknown command 'mach'; did you mean 'match'? (ludens --help)"},
      {{"tournamnet", "x.xml"}, "did you mean 'tournament'?"},
      {{"--hlep"}, "unknown option '--hlep'; did you mean '--help'? (ludens --help)"},
      {{"--versoin"}, "did you mean '--version'?"},
      {{"match", "--hlep"}, "did you mean '--help'? (ludens match --help)"},
      {{"match", "nim", "--plyaer", "random"}, "did you mean '--player'?"},
      {{"match", "nim", "-json"}, "did you mean '--json'?"},
      {{"games", "nim"}, "'nim' is one word too many (ludens games --help)"},
      {{}, "which command? (ludens --help)"},
  };
  for (const auto& [words, hint] : cases) {
    const CommandRun refused = run_command(words);
    EXPECT_EQ(refused.code, kWrongUse) << refused.err;
    EXPECT_TRUE(one_line(refused.err)) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(hint));
  }
}

TEST(OptionValues, GamesAreSuggested) {
  for (const char* command :
       {"check", "show", "think", "solve", "explain", "analyze", "speed", "agree"}) {
    const CommandRun refused = run_command({command, "tictactoe"});
    EXPECT_EQ(refused.code, kCouldNot) << command;
    EXPECT_THAT(refused.err, HasSubstr("did you mean 'tic_tac_toe'?")) << command;
  }
  EXPECT_THAT(run_command({"match", "connectfour"}).err, HasSubstr("did you mean 'connect_four'?"));
  EXPECT_THAT(run_command({"check", "tictactoe.kif"}).err,
              HasSubstr("did you mean 'tic_tac_toe'?"));
  EXPECT_THAT(run_command({"check", "nothing_like_it_at_all"}).err,
              HasSubstr("`ludens games` lists"));
}

TEST(OptionValues, TheShippedConfigurationIsTaken) {
  const std::string file = project_folder() + "/config/ludens.xml";
  const ScratchFolder folder;
  EXPECT_EQ(run_command({"--config", file, "match", "nim", "--player", "random", "--player",
                         "random", "--quiet", "--out", folder.path().string()})
                .code,
            kGood);
  EXPECT_EQ(run_command({"--config", file, "speed", "nim", "--seconds", "0.001"}).code, kGood);
  EXPECT_EQ(run_command({"--config", file, "perft", "nim", "1"}).code, kGood);
  EXPECT_EQ(run_command({"--config", file, "check", "nim"}).code, kGood);
}

}  // namespace
}  // namespace ludens::server
