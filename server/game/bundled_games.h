// SPDX-License-Identifier: MIT
// GAME on the command line: a rulesheet file, or the name of a bundled game.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

/// Reads GAME. The error is a sentence `GAME: why`; one is that `stop`, which may be null, has
/// ended it.
gdl::Result<Rulesheet> load_game(std::string_view game, const gdl::StopSignal* stop = nullptr);

/// The folder `share/ludens` next to that of the program, where `cmake --install` puts what it
/// needs; nullopt if the program was built but not installed.
std::optional<std::filesystem::path> installed_folder();

/// The folder of the bundled games: `games` in the folder that the environment variable
/// LUDENS_CONFIG names if it is not empty, otherwise in the installed folder, otherwise
/// `config/games` next to the program's own folders (its build folder is inside the project),
/// otherwise below the working directory; empty if there is none.
std::filesystem::path bundled_games_folder();

/// The files of the bundled games, in prefix GDL (.kif) or HRF (.hrf), sorted by name.
std::vector<std::filesystem::path> bundled_games();

/// The file of the bundled game of that name; nullopt if there is none.
std::optional<std::filesystem::path> bundled_game(std::string_view name);

/// Where bundled games were looked for in vain, as a sentence.
std::string why_no_bundled_games();

/// What to do about a missing game, for the end of a message: "; did you mean 'NAME'?" or where the
/// names are listed, or why there are none.
std::string game_hint(std::string_view name);

}  // namespace ludens::server
