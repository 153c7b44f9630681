// SPDX-License-Identifier: MIT
// GAME on the command line: a rulesheet file, or the name of a bundled game.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/check/check.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/error.h"

namespace ludens::server {

/// A rulesheet as read, and everything there is to say of it.
struct Rulesheet {
  std::string name;  // of the file, without folder and ending
  std::string file;  // as it is named to people; empty if the text came from elsewhere
  std::string text;
  std::shared_ptr<const gdl::Rules> rules;  // whatever could be understood
  gdl::Diagnostics diagnostics;             // of parser, normaliser and checker
  bool torn = false;                        // the text itself can't be read as a whole
};

/// Parses, normalises and checks a text.
Rulesheet read_rulesheet(std::string name, std::string text);

/// Why the game can't be played, as a sentence; nullopt: it can. Games of hidden information
/// (`sees` of GDL-II) can be studied, but hosts don't tell players what they perceive.
std::optional<std::string> why_not_played(const Rulesheet& sheet);

/// `NAME:LINE:COLUMN: error: ...` of the first error, if there is one.
std::optional<std::string> first_error(const Rulesheet& sheet);

/// What is known of a rulesheet that was read, and, where it has no errors, what only grounding
/// shows: what could come to pass though `base` and `input` don't declare it. Takes two seconds at
/// most; what is not found by then is left out.
gdl::Diagnostics every_diagnostic(const Rulesheet& sheet);

/// Reads GAME. The error is a sentence `GAME: why`.
gdl::Result<Rulesheet> load_game(std::string_view game);

/// The folder `share/ludens` beside that of the program, where `cmake --install` puts what it
/// needs; nullopt where the program was built and not installed.
std::optional<std::filesystem::path> installed_folder();

/// The folder of the bundled games: `games` in the folder that the environment variable
/// LUDENS_CONFIG names, else in the installed folder, else `config/games` beside the program's own
/// folders (its build folder lies within the project), else below the working directory; empty if
/// there is none.
std::filesystem::path bundled_games_folder();

/// The files of the bundled games, sorted by name.
std::vector<std::filesystem::path> bundled_games();

/// What to do about a game that is not there, for the end of a message: "; did you mean 'NAME'?" or
/// where the names are listed.
std::string game_hint(std::string_view name);

}  // namespace ludens::server
