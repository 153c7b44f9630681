// SPDX-License-Identifier: MIT
// Which address a match belongs to.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <map>
#include <string>

namespace ludens::server {

/// A match that the player knows belongs to the address of its first message: that of its START or,
/// if the match was resumed from the journal, of its first PLAY. For one thread.
class PinnedHosts {
 public:
  using Address = boost::asio::ip::address;
  /// Whether the player knows a match, also one whose START it refused and remembers.
  using Knows = std::function<bool(const std::string& match_id)>;

  /// Whether the match belongs to that address or to none.
  [[nodiscard]] bool may_speak(const std::string& match_id, const Address& address,
                               const Knows& knows);
  /// Records that a message of the match was accepted.
  void heard(const std::string& match_id, const Address& address, const Knows& knows);

 private:
  void forget_all_but(const Knows& known);

  std::map<std::string, Address> hosts_;  // by match id
};

}  // namespace ludens::server
