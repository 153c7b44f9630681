// SPDX-License-Identifier: MIT
// The tournament's file: XML, as config/tournaments/example.xml explains it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gdl/text/error.h"
#include "server/game/rulesheet.h"
#include "server/match/player_spec.h"
#include "server/tournament/plan.h"
#include "server/tournament/xml_form.h"

namespace ludens::server {

/// Which processors matches may think on.
struct CoreChoice {
  std::vector<int> cores;  // empty: all that the process may use
  bool pin = false;        // each match stays on its own
};

/// What the file says, with games read and names resolved. The runner checks whether players can be
/// reached.
struct TournamentFile {
  TournamentPlan plan;
  std::vector<PlayerSpec> players;  // as the plan's
  std::vector<Rulesheet> games;     // likewise
  std::size_t concurrency = 1;
  CoreChoice cores;
  std::filesystem::path out;          // folder of log and records
  std::vector<std::string> warnings;  // for people: what is allowed, but perhaps not intended
};

/// Reads the file and the games it names; relative paths are relative to the file. Reports all
/// independent problems, in the order of the file.
gdl::Result<TournamentFile, std::vector<FileProblem>> read_tournament_file(
    const std::filesystem::path& file);
/// The same for a text; `file` need not exist, it names the tournament and the folder of its games.
gdl::Result<TournamentFile, std::vector<FileProblem>> parse_tournament_file(
    const std::filesystem::path& file, const std::string& text);

}  // namespace ludens::server
