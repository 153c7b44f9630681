// SPDX-License-Identifier: MIT
#include "server/http/peer_rates.h"

#include <algorithm>

namespace ludens::server {
namespace {

/// This many are kept before quiet ones are removed.
constexpr std::size_t kManyPeers = 1024;

}  // namespace

bool PeerRates::admit(const boost::asio::ip::address& peer, Clock::time_point now) {
  if (rate_ <= 0) return true;
  if (peers_.size() >= kManyPeers) forget_quiet(now);
  Use& use = peers_[peer];
  const double seconds = std::chrono::duration<double>(now - use.last).count();
  use.connections = std::max(0.0, use.connections - rate_ * seconds);
  use.last = now;
  if (use.connections + 1 > std::max(rate_, 1.0)) return false;
  use.connections += 1;
  return true;
}

void PeerRates::forget_quiet(Clock::time_point now) {
  std::erase_if(
      peers_, [&](const auto& entry) { return now - entry.second.last > std::chrono::seconds(1); });
}

}  // namespace ludens::server
