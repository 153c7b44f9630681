// SPDX-License-Identifier: MIT
// The man page and the completions of shells, as `ludens --generate` writes them.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "server/cli/command_line.h"
#include "server/manual/documents.h"
#include "tests/project_folder.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

std::string generated(const std::string& kind) {
  const ProgramRun run = run_program("--generate " + kind);
  EXPECT_EQ(run.code, 0);
  return run.output;
}

/// The options in `COMMAND --help`, which CLI11 writes.
std::set<std::string> options_in_help(const std::string& command) {
  const std::string help = run_program(command + " --help").output;
  static const std::regex option("^ +(?:-h,)?(--[a-z-]+)", std::regex::multiline);
  std::set<std::string> names;
  for (std::sregex_iterator i(help.begin(), help.end(), option), end; i != end; ++i) {
    names.insert((*i)[1]);
  }
  names.erase("--help");
  return names;
}

/// The part of `text` from `begin` to the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find(end, from + begin.size()) - from);
}

std::string with_escaped_dashes(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null").c_str()) == 0;
}

TEST(Manual, HasEveryOptionOfEveryCommand) {
  const std::string man = generated("man"), bash = generated("bash"), zsh = generated("zsh"),
                    fish = generated("fish");
  const ProgramDescription program = describe_program();
  ASSERT_GT(program.commands.size(), 15u);
  for (const CommandDescription& command : program.commands) {
    const std::string section = part(man, "\n.SS " + command.name + "\n", "\n.S");
    const std::string in_bash = part(bash, "\n      " + command.name + ") words=", ";;");
    const std::string in_zsh = part(zsh, "\n        " + command.name + ") _arguments", ";;");
    EXPECT_THAT(fish, HasSubstr(" -a " + command.name + " -d "));
    const std::set<std::string> options = options_in_help(command.name);
    EXPECT_EQ(options.size(), command.options.size()) << command.name;
    for (const std::string& option : options) {
      EXPECT_THAT(section, HasSubstr("\\fB" + with_escaped_dashes(option) + "\\fR"));
      EXPECT_TRUE(std::regex_search(in_bash, std::regex(option + "[ ']"))) << in_bash << option;
      EXPECT_THAT(in_zsh, HasSubstr(option + "["));
      EXPECT_THAT(fish, HasSubstr("'__fish_seen_subcommand_from " + command.name + "' -l " +
                                  option.substr(2) + " "));
    }
  }
  for (const std::string& option : options_in_help("")) {
    EXPECT_THAT(man, HasSubstr("\\fB" + with_escaped_dashes(option) + "\\fR"));
    EXPECT_THAT(part(bash, "'') words='--", ";;"), HasSubstr(option));
  }
}

TEST(Manual, HasWhatTheProgramReadsFromTheEnvironment) {
  const std::string section = part(generated("man"), "\n.SH ENVIRONMENT\n", "\n.SH ");
  for (const char* name :
       {"LUDENS_CONFIG", "LUDENS_KNOWLEDGE", "NO_COLOR", "XDG_DATA_HOME", "XDG_STATE_HOME"}) {
    EXPECT_THAT(section, HasSubstr("\n" + std::string(name) + "\n"));
  }
}

TEST(Manual, IsAPageWithoutFaults) {
  if (!has_program("groff")) GTEST_SKIP() << "groff is missing";
  const ProgramRun run = run_program("--generate man | groff -man -ww -z 2>&1");
  EXPECT_EQ(run.output, "");
}

TEST(Manual, RefusesOtherKinds) {
  const ProgramRun run = run_program("--generate csh 2>&1");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.output, HasSubstr("--generate"));
}

class BashCompletion : public testing::Test {
 protected:
  void SetUp() override {
    script_ = (folder_.path() / "ludens.bash").string();
    std::ofstream(script_) << generated("bash");
  }

  /// What bash offers for the last of these words. `ludens` is the program that was built.
  std::string offered(const std::string& words) {
    const std::string asking =
        "ludens() { '" + ludens_program() + "' \"$@\"; }; . '" + script_ + "'; COMP_WORDS=(" +
        words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ludens; echo \"${COMPREPLY[*]}\"";
    std::ofstream(script_ + ".ask") << asking;
    return run_program("--version >/dev/null; bash '" + script_ + ".ask'").output;
  }

  ScratchFolder folder_;
  std::string script_;
};

TEST_F(BashCompletion, OffersCommandsOptionsValuesAndGames) {
  EXPECT_EQ(offered("ludens tourn"), "tournament\n");
  EXPECT_EQ(offered("ludens --conf"), "--config\n");
  EXPECT_EQ(offered("ludens --generate z"), "zsh\n");
  EXPECT_EQ(offered("ludens match --start"), "--start-clock\n");
  EXPECT_EQ(offered("ludens --config x match --replace f"), "first\n");
  EXPECT_EQ(offered("ludens match --start-clock ''"), "\n");
  EXPECT_EQ(offered("ludens match tic"), "tic_tac_toe\n");
}

TEST(Completion, IsReadByItsShell) {
  const ScratchFolder folder;
  std::size_t read = 0;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string file = (folder.path() / shell).string();
    std::ofstream(file) << generated(shell);
    if (!has_program(shell)) continue;
    ++read;
    EXPECT_EQ(std::system((shell + " -n '" + file + "'").c_str()), 0) << shell;
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace ludens::server
