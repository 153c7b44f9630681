// SPDX-License-Identifier: MIT
#include "server/game/rulesheet.h"
#include "server/game/bundled_games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "tests/server/heap_game.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Sets LUDENS_CONFIG while it lives.
class ConfigFolder {
 public:
  explicit ConfigFolder(const fs::path& folder) {
    if (const char* before = std::getenv("LUDENS_CONFIG")) before_ = before;
    ::setenv("LUDENS_CONFIG", folder.c_str(), 1);
  }
  ~ConfigFolder() {
    if (before_) {
      ::setenv("LUDENS_CONFIG", before_->c_str(), 1);
    } else {
      ::unsetenv("LUDENS_CONFIG");
    }
  }
  ConfigFolder(const ConfigFolder&) = delete;
  ConfigFolder& operator=(const ConfigFolder&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST(Rulesheet, IsParsedNormalisedAndChecked) {
  const Rulesheet sheet = read_rulesheet("heap", kHeapGame);
  EXPECT_EQ(sheet.name, "heap");
  EXPECT_EQ(sheet.text, kHeapGame);
  EXPECT_EQ(sheet.rules->roles.size(), 2U);
  EXPECT_FALSE(gdl::has_error(sheet.diagnostics));
  EXPECT_FALSE(sheet.torn);
  EXPECT_TRUE(sheet.file.empty());
}

TEST(Rulesheet, ThatIsTornSaysSoAndNothingOfWhatItLacks) {
  const Rulesheet sheet = read_rulesheet("torn", "(role white) (init (heap 2)");
  EXPECT_TRUE(sheet.torn);
  EXPECT_EQ(sheet.diagnostics.size(), 1U);
  ASSERT_NE(sheet.rules, nullptr);
  EXPECT_EQ(sheet.rules->roles.size(), 1U) << "whatever could be understood";
}

TEST(Rulesheet, WithoutAnythingIsAnErrorAndNotTorn) {
  const Rulesheet sheet = read_rulesheet("nothing", "");
  EXPECT_FALSE(sheet.torn);
  EXPECT_TRUE(gdl::has_error(sheet.diagnostics));
  ASSERT_NE(sheet.rules, nullptr);
}

TEST(Rulesheet, HasDiagnosticsThatOnlyGroundingShows) {
  const Rulesheet sheet = read_rulesheet("heap", std::string(kHeapGame) + "(base (heap 2))");
  const gdl::Diagnostics all = every_diagnostic(sheet);
  EXPECT_GT(all.size(), sheet.diagnostics.size());
  EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                          [](const auto& d) { return d.code == "undeclared-fluent"; }));
}

/// The codes of what is found beyond what needs no playing, each with its text.
std::string found_by_playing(const std::string& rules) {
  const Rulesheet sheet = read_rulesheet("game", rules);
  EXPECT_FALSE(gdl::has_error(sheet.diagnostics));
  std::string found;
  for (const gdl::Diagnostic& d : every_diagnostic(sheet)) {
    const bool by_play =
        d.code == "no-first-move" || d.code == "no-move" || d.code == "goal-at-end";
    if (by_play) found += gdl::format(d, "game") + "\n";
  }
  return found;
}

TEST(Rulesheet, HasDiagnosticsThatOnlyPlayingShows) {
  const std::string game =
      "(role a) (role b) (init (n 0)) (<= (next (n 1)) (true (n 0))) (legal b m)"
      "(<= (next (n 2)) (true (n 1))) (<= terminal (true (n 2))) (goal b 0)";
  EXPECT_EQ(found_by_playing(game + "(legal a m) (goal a 50)"), "");
  EXPECT_EQ(found_by_playing(game + "(<= (legal a m) (true (n 1))) (goal a 50)"),
            "game:1:1: error: role 'a' has no legal move in the first state\n");
  EXPECT_EQ(
      found_by_playing(game + "(<= (legal a m) (true (n 0))) (goal a 50)"),
      "game:1:1: warning: role 'a' has no legal move, as a random match shows: ( ( n 1 ) )\n");
  EXPECT_EQ(found_by_playing(game + "(legal a m) (<= (goal a 50) (true (n 1)))"),
            "game:1:1: warning: role 'a' has no goal value at the end, as a random match shows: "
            "( ( n 2 ) )\n");
  EXPECT_EQ(found_by_playing(game + "(legal a m) (goal a 50) (goal a 40)"),
            "game:1:1: warning: role 'a' has several goal values at the end, as a random match "
            "shows: ( ( n 2 ) )\n");
  EXPECT_EQ(found_by_playing("(role a) (role random) (init s) (legal a m) (legal random m)"
                             "(<= terminal (not (true s))) (goal a 50)"),
            "")
      << "chance has no goals";
}

TEST(Rulesheet, WithErrorsIsNotGrounded) {
  const Rulesheet sheet =
      read_rulesheet("wrong",
                     "(role a) (init p) (base q) (<= (legal a m) (not (q ?x)) (distinct ?x ?y))"
                     "(<= terminal (true p) (not terminal)) (goal a 0)");
  ASSERT_TRUE(gdl::has_error(sheet.diagnostics));
  EXPECT_EQ(every_diagnostic(sheet).size(), sheet.diagnostics.size());
}

class GameByName : public testing::Test {
 protected:
  GameByName() {
    fs::create_directories(folder_.path() / "games");
    for (const char* name : {"heap", "heaps", "zero"}) {
      std::ofstream(folder_.path() / "games" / (std::string(name) + ".kif")) << kHeapGame;
    }
    std::ofstream(folder_.path() / "games" / "notes.txt") << "no game";
  }
  [[nodiscard]] std::string problem(const std::string& game) const {
    const auto loaded = load_game(game);
    EXPECT_TRUE(loaded.has_error()) << game;
    return loaded.error().text;
  }
  ScratchFolder folder_;
  ConfigFolder config_{folder_.path()};
};

TEST_F(GameByName, IsFoundAmongTheBundledOnes) {
  EXPECT_EQ(bundled_games_folder(), folder_.path() / "games");
  const auto loaded = load_game("heap");
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->name, "heap");
  EXPECT_EQ(loaded->file, (folder_.path() / "games" / "heap.kif").string());
}

TEST_F(GameByName, MayBeInHrf) {
  std::ofstream(folder_.path() / "games" / "line.hrf") << "role(a) control(a) legal(b) terminal";
  const auto loaded = load_game("line");
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->file, (folder_.path() / "games" / "line.hrf").string());
  EXPECT_TRUE(loaded->rules->source->is_translated());
  EXPECT_EQ(bundled_games().size(), 4u);
  EXPECT_EQ(bundled_games()[2].stem(), "line");
}

TEST_F(GameByName, MayBeAFileAnywhere) {
  const fs::path file = folder_.path() / "mine.other";
  std::ofstream(file) << "(role a)";
  const auto loaded = load_game(file.string());
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->name, "mine");
  EXPECT_EQ(loaded->text, "(role a)");
}

TEST_F(GameByName, ThatIsNotThereIsGuessed) {
  EXPECT_THAT(problem("heep"), StartsWith("heep: there is no such file and no such bundled game"));
  EXPECT_THAT(problem("heep"), HasSubstr("did you mean 'heap'?"));
  EXPECT_THAT(problem("something_else"), EndsWith("`ludens games` lists the bundled games"));
  EXPECT_THAT(problem("./heap"), StartsWith("./heap: No such file or directory"));
}

TEST_F(GameByName, ThatIsAFolderIsRefused) {
  EXPECT_EQ(problem((folder_.path() / "games").string()),
            (folder_.path() / "games").string() + ": Is a directory");
}

TEST_F(GameByName, AreListedByNameWithoutOtherFiles) {
  std::vector<std::string> names;
  for (const fs::path& file : bundled_games()) names.push_back(file.stem().string());
  EXPECT_EQ(names, (std::vector<std::string>{"heap", "heaps", "zero"}));
}

TEST(BundledGames, AreNoneWhereTheirFolderIsMissing) {
  const ScratchFolder empty;
  const ConfigFolder config(empty.path());
  EXPECT_TRUE(bundled_games().empty());
  const std::string folder = (empty.path() / "games").string();
  EXPECT_EQ(game_hint("chess"), "; LUDENS_CONFIG: " + folder + ": no such folder");
  fs::create_directories(folder);
  EXPECT_EQ(game_hint("chess"), "; LUDENS_CONFIG: " + folder + ": no rulesheets");
}

TEST(BundledGames, AreFoundWhereAnEmptyVariableNamesNoFolder) {
  const ConfigFolder config("");
  EXPECT_TRUE(bundled_game("nim").has_value());
  EXPECT_EQ(bundled_games_folder().filename(), "games");
}

}  // namespace
}  // namespace ludens::server
