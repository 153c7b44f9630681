// SPDX-License-Identifier: MIT
#include "server/report/tournament_groups.h"

#include <algorithm>

namespace ludens::server {

namespace fs = std::filesystem;

void TournamentGroups::add(const fs::path& folder, const TournamentLog& log) {
  // Parts are in neighbouring folders: of several runs, the one with parts there comes first.
  const auto beside = [&](const Group& group) {
    return std::any_of(group.folders.begin(), group.folders.end(), [&](const fs::path& other) {
      return other.parent_path() == folder.parent_path();
    });
  };
  for (const bool near : {true, false}) {
    for (Group& group : groups_) {
      if (beside(group) != near || group.joiner.add(folder, log)) continue;
      group.folders.push_back(folder);
      return;
    }
  }
  Group& group = groups_.emplace_back();
  group.folders.push_back(folder);
  group.shard = log.shard;
  group.joiner.add(folder, log);
}

std::vector<TournamentGroup> TournamentGroups::groups() const {
  std::vector<TournamentGroup> out;
  for (const Group& group : groups_) {
    out.push_back({group.folders, group.joiner.joined()});
    if (group.folders.size() == 1) out.back().log.shard = group.shard;
  }
  return out;
}

}  // namespace ludens::server
