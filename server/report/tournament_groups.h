// SPDX-License-Identifier: MIT
// Which logs of tournaments belong together.
#pragma once

#include <filesystem>
#include <vector>

#include "server/tournament/log.h"

namespace ludens::server {

/// Logs of one run of a tournament: one log, or its parts and copies.
struct TournamentGroup {
  std::vector<std::filesystem::path> folders;  // in the order in which they were added
  TournamentLog log;                           // all of them joined
};

/// Parts and copies of one run are joined. Runs of the same plan whose matches differ have the same
/// ids and are kept separate, so that none of them is lost.
class TournamentGroups {
 public:
  /// Does not read the folder; records of the log are named relative to it.
  void add(const std::filesystem::path& folder, const TournamentLog& log);
  /// In the order of their first folders.
  [[nodiscard]] std::vector<TournamentGroup> groups() const;

 private:
  struct Group {
    std::vector<std::filesystem::path> folders;
    Shard shard;  // of the first
    LogJoiner joiner;
  };

  std::vector<Group> groups_;
};

}  // namespace ludens::server
