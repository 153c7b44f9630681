// SPDX-License-Identifier: MIT
// The standings of matches that no log of a tournament has.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "server/records/match_record.h"
#include "server/tournament/log.h"

namespace ludens::server {

/// Records as the log of a tournament that nobody has planned. Each match is a block of its own:
/// nobody has seen to it that players hold each role equally often, so a role that wins with any
/// player counts for whoever held it.
class LooseRecords {
 public:
  /// A record that does not name its game, roles and players is left out; a match that was not
  /// completed counts as aborted.
  void add(const MatchRecord& record);
  [[nodiscard]] std::size_t matches() const { return log_.results.size(); }
  /// In the order in which the matches began.
  [[nodiscard]] TournamentLog log() const;

 private:
  std::size_t game_of(const MatchRecord& record);

  TournamentLog log_;
  std::map<std::string, std::size_t> players_;
};

}  // namespace ludens::server
