// SPDX-License-Identifier: MIT
// Which address a match belongs to.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <map>
#include <string>
#include <vector>

#include "agent/player/player.h"

namespace ludens::server {

/// A match that runs belongs to the address that was heard of it first: the one of its START or,
/// where a match was taken up from the journal, of its first PLAY. One thread.
class PinnedHosts {
 public:
  using Address = boost::asio::ip::address;

  /// Whether the match belongs to that address or to nobody. `running` are the matches that run.
  [[nodiscard]] bool may_speak(const std::string& match_id, const Address& address,
                               const std::vector<agent::MatchStatus>& running);
  /// A message of the match was taken, and these run now.
  void heard(const std::string& match_id, const Address& address,
             const std::vector<agent::MatchStatus>& running);

 private:
  void forget_all_but(const std::vector<agent::MatchStatus>& running);

  std::map<std::string, Address> hosts_;  // by match id
};

}  // namespace ludens::server
