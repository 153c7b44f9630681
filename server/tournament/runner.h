// SPDX-License-Identifier: MIT
// Running a tournament: so many matches at once, one log, and players that may fail.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "gdl/text/error.h"
#include "server/tournament/log.h"
#include "server/tournament/observer.h"
#include "server/tournament/stop_rule.h"
#include "server/tournament/tournament_file.h"

namespace ludens::server {

struct RunOptions {
  std::filesystem::path folder;  // of the log
  Shard shard;
  std::size_t concurrency = 1;    // matches at once, at most
  bool resume = false;            // go on with the log that is there
  StopRule* stop_rule = nullptr;  // not owned
};

/// What kept a tournament from starting: sentences. Nothing was played.
struct NotStarted {
  std::vector<std::string> problems;
};

/// What `Result::value` calls where there is none.
[[noreturn]] void throw_exception_from_error(const NotStarted& why,
                                             const boost::source_location& where);

/// Plays what the log does not have yet. Each match has a thread, an `io_context` and players of
/// its own; a match starts when its players are free and there are processors for those that think
/// in this program. A stop request drops the matches under way and lets the log be resumed; so does
/// a log or record that can't be written. Returns when all threads have ended and all players that
/// it had started are gone.
gdl::Result<TournamentEnding, NotStarted> run_tournament(const TournamentFile& file,
                                                         const RunOptions& options,
                                                         const std::stop_token& stop,
                                                         TournamentObserver& observer);

}  // namespace ludens::server
