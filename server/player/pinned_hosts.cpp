// SPDX-License-Identifier: MIT
#include "server/player/pinned_hosts.h"

#include <algorithm>

namespace ludens::server {
namespace {

bool runs(const std::string& match_id, const std::vector<agent::MatchStatus>& running) {
  return std::any_of(running.begin(), running.end(),
                     [&](const agent::MatchStatus& match) { return match.match_id == match_id; });
}

}  // namespace

bool PinnedHosts::may_speak(const std::string& match_id, const Address& address,
                            const std::vector<agent::MatchStatus>& running) {
  forget_all_but(running);
  const auto found = hosts_.find(match_id);
  return found == hosts_.end() || found->second == address;
}

void PinnedHosts::heard(const std::string& match_id, const Address& address,
                        const std::vector<agent::MatchStatus>& running) {
  forget_all_but(running);
  if (runs(match_id, running)) hosts_.try_emplace(match_id, address);
}

void PinnedHosts::forget_all_but(const std::vector<agent::MatchStatus>& running) {
  std::erase_if(hosts_, [&](const auto& entry) { return !runs(entry.first, running); });
}

}  // namespace ludens::server
