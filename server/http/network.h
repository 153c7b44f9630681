// SPDX-License-Identifier: MIT
// Addresses and ranges of addresses, for access control.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// Converts an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) to IPv4.
boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

/// The peer for which the address stands: for IPv6 the network of 64 bits, because one peer has all
/// of it.
boost::asio::ip::address peer_of(const boost::asio::ip::address& address);

/// An address and how many of its leading bits count.
class Network {
 public:
  /// `10.0.0.0/8`, `fe80::/10`, or a single address; otherwise a sentence that says what is wrong.
  static gdl::Result<Network> parse(std::string_view text);
  [[nodiscard]] bool contains(const boost::asio::ip::address& address) const;

 private:
  Network(boost::asio::ip::address address, unsigned bits)
      : address_(std::move(address)), bits_(bits) {}
  boost::asio::ip::address address_;
  unsigned bits_;
};

/// Whether one of them contains the address; true if there are none.
bool allowed(const std::vector<Network>& networks, const boost::asio::ip::address& address);

}  // namespace ludens::server
