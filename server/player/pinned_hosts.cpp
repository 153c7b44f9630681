// SPDX-License-Identifier: MIT
#include "server/player/pinned_hosts.h"

namespace ludens::server {

bool PinnedHosts::may_speak(const std::string& match_id, const Address& address,
                            const Knows& knows) {
  forget_all_but(knows);
  const auto found = hosts_.find(match_id);
  return found == hosts_.end() || found->second == address;
}

void PinnedHosts::heard(const std::string& match_id, const Address& address, const Knows& knows) {
  forget_all_but(knows);
  if (knows(match_id)) hosts_.try_emplace(match_id, address);
}

void PinnedHosts::forget_all_but(const Knows& known) {
  std::erase_if(hosts_, [&](const auto& entry) { return !known(entry.first); });
}

}  // namespace ludens::server
