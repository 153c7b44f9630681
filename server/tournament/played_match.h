// SPDX-License-Identifier: MIT
// One match of a tournament, from its place in the schedule to its line in the log.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "server/http/client.h"
#include "server/tournament/match_queue.h"
#include "server/tournament/observer.h"
#include "server/tournament/tournament_file.h"

namespace ludens::server {

/// What to play: everything is decided. References live as long as the match.
struct MatchTask {
  const TournamentFile& file;
  const QueuedMatch& match;
  const StartedMatch& started;
  /// By role; nullopt if a strategy of this program plays, or the host.
  const std::vector<std::optional<Address>>& addresses;
  std::filesystem::path folder;  // of the log; records go below
  std::vector<int> cores;        // to which the match is pinned; empty: it is not
};

/// What a match releases before it is over; called on its thread, so it must be quick.
class MatchReleases {
 public:
  virtual ~MatchReleases() = default;
  /// No player thinks for it any more.
  virtual void thinking_ended() = 0;
  /// The role's player has answered STOP or ABORT. `faultless`: without any earlier fault.
  virtual void player_left(gdl::RoleIndex role, bool faultless) = 0;
};

/// The outcome of a match without a result.
struct Dropped {};  // it was interrupted
struct RecordLost {
  std::string problem;
};  // its record can't be written

using Played = std::variant<MatchResult, Dropped, RecordLost>;

/// Plays it on the calling thread.
Played play(const MatchTask& task, const std::stop_token& stop, TournamentObserver& observer,
            MatchReleases& releases);

/// The result of a match that was played, as if no crash decided it. `record.faults` counts.
MatchResult result_of(const TournamentPlan& plan, const StartedMatch& match, std::uint64_t seed,
                      const MatchRecord& record);

/// The result of a match that is not played.
MatchResult not_played(const TournamentPlan& plan, const StartedMatch& match, std::uint64_t seed,
                       const std::string& reason, const std::string& culprit);

}  // namespace ludens::server
