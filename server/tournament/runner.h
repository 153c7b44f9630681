// SPDX-License-Identifier: MIT
// Runs a tournament: several matches at once, one log, and players that may fail.
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
  std::size_t concurrency = 1;         // matches at once, at most
  bool resume = false;                 // continue an existing log
  LogTrust trust = LogTrust::Checked;  // in what it has
  StopRule* stop_rule = nullptr;       // not owned
};

/// Why a tournament did not start, as sentences. Nothing was played.
struct NotStarted {
  std::vector<std::string> problems;
};

/// What `Result::value` calls where there is none.
[[noreturn]] void throw_exception_from_error(const NotStarted& why,
                                             const boost::source_location& where);

/// Plays what the log does not have yet. A player that listens must take as many `matches` as it
/// has seats in one (`most_seats`). Each match has its own thread, `io_context` and players; a
/// match starts when its players are free and there are processors for those that think in this
/// program. A stop request drops the running matches, and the log can be resumed; the same happens
/// if a log or record can't be written. Returns when all threads have ended and all players that it
/// had started are gone.
gdl::Result<TournamentEnding, NotStarted> run_tournament(const TournamentFile& file,
                                                         const RunOptions& options,
                                                         const std::stop_token& stop,
                                                         TournamentObserver& observer);

}  // namespace ludens::server
