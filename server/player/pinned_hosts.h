// SPDX-License-Identifier: MIT
// Which address a match belongs to.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <map>
#include <string>
#include <vector>

#include "agent/player/player.h"

namespace ludens::server {

/// A running match belongs to the address of its first message: that of its START or, if the match
/// was resumed from the journal, of its first PLAY. For one thread.
class PinnedHosts {
 public:
  using Address = boost::asio::ip::address;

  /// Whether the match belongs to that address or to none. `running` are the matches that run.
  [[nodiscard]] bool may_speak(const std::string& match_id, const Address& address,
                               const std::vector<agent::MatchStatus>& running);
  /// Records that a message of the match was accepted, and which matches run now.
  void heard(const std::string& match_id, const Address& address,
             const std::vector<agent::MatchStatus>& running);

 private:
  void forget_all_but(const std::vector<agent::MatchStatus>& running);

  std::map<std::string, Address> hosts_;  // by match id
};

}  // namespace ludens::server
