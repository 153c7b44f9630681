// SPDX-License-Identifier: MIT
// Rulesheets in every language: commands read them, `check` names the language, `convert` changes
// it.
#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/cli/exit_code.h"
#include "server/game/bundled_games.h"
#include "tests/project_folder.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

class ConvertCommand : public testing::TestWithParam<const char*> {
 protected:
  /// A sheet in a language, as its name is on the command line.
  static std::string sheet(const std::string& language) {
    return project_folder() + "/tests/fuzz/corpus/hrf/" + language;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  /// Standard output of a command that succeeds.
  static std::string good(const std::vector<std::string>& words) {
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, kGood) << words[0] << ": " << run.err << run.out;
    return run.out;
  }

  ScratchFolder folder_;
};

TEST_P(ConvertCommand, CommandsReadTheLanguage) {
  const std::string game = sheet(GetParam());
  EXPECT_THAT(good({"check", game}), HasSubstr(": note: the rules are read as "));
  EXPECT_THAT(good({"check", game, "--json"}),
              HasSubstr("\"code\":\"dialect\",\"text\":\"the rules"));
  good({"show", game});
  good({"perft", game, "2"});
  EXPECT_THAT(good({"think", game, "--strategy", "mcts:playouts=20"}), HasSubstr("plays"));
  EXPECT_THAT(good({"analyze", game}), HasSubstr("roles"));
  good({"match", game, "--player", "random", "--player", "random", "--out", path("records"),
        "--play-clock", "600", "--quiet"});
  good({"replay", path("records")});
}

TEST_P(ConvertCommand, PrefixGdlAndBack) {
  const std::string language = GetParam();
  const std::string game = sheet(language), prefix = path("game.kif"), again = path("again");
  const std::string told = good({"convert", game, prefix, "--json"});
  EXPECT_EQ(boost::json::parse(told).at("from").as_string(), language);
  EXPECT_EQ(boost::json::parse(told).at("to").as_string(), "kif");
  const std::string perft = good({"perft", game, "3"});
  EXPECT_EQ(good({"perft", prefix, "3"}), perft);
  for (const char* other : {"infix", "prolog"}) {
    good({"convert", prefix, again, "--to", other});
    EXPECT_THAT(good({"check", again}),
                HasSubstr(other == std::string("infix") ? "infix GDL" : "Prolog GDL"));
    EXPECT_EQ(good({"perft", again, "3"}), perft) << text_of(again);
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, ConvertCommand,
                         testing::Values("infix", "prolog", "simultaneous"),
                         [](const auto& language) { return std::string(language.param); });

TEST_F(ConvertCommand, TheEndingOfTheFileSaysWhichLanguage) {
  good({"convert", "nim", path("nim.pl")});
  EXPECT_THAT(good({"check", path("nim.pl")}), HasSubstr("Prolog GDL"));
  EXPECT_EQ(run_command({"convert", path("nim.pl"), path("same.pl")}).code, kWrongUse);
  good({"convert", path("nim.pl"), path("back")});
  EXPECT_EQ(text_of(path("back")).front(), '(') << "without an ending, prefix GDL";
}

/// Each bundled game is the same in every language that can say it.
TEST_F(ConvertCommand, BundledGamesStayWhatTheyAre) {
  for (const std::filesystem::path& file : bundled_games()) {
    for (const char* language : {"infix", "prolog"}) {
      const std::string game = file.string(), there = path("there"), back = path("back.kif");
      good({"convert", game, there, "--to", language});
      good({"convert", there, back, "--to", "kif"});
      EXPECT_EQ(good({"perft", there, "1"}), good({"perft", game, "1"})) << game << language;
      EXPECT_EQ(good({"show", back}).empty(), false) << game;
    }
  }
}

}  // namespace
}  // namespace ludens::server
