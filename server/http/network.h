// SPDX-License-Identifier: MIT
// Addresses and ranges of addresses: who may talk to a server.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// An IPv4 address in the clothes of IPv6 (`::ffff:10.0.0.1`) as what it is.
boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

/// Whom the address stands for: of IPv6 the network of 64 bits, for one peer has all of it.
boost::asio::ip::address peer_of(const boost::asio::ip::address& address);

/// An address and how many of its leading bits count.
class Network {
 public:
  /// `10.0.0.0/8`, `fe80::/10`, or an address alone; else a sentence on what is wrong.
  static gdl::Result<Network> parse(std::string_view text);
  [[nodiscard]] bool contains(const boost::asio::ip::address& address) const;

 private:
  Network(boost::asio::ip::address address, unsigned bits)
      : address_(std::move(address)), bits_(bits) {}
  boost::asio::ip::address address_;
  unsigned bits_;
};

/// Whether one of them contains the address; if there are none, all are meant.
bool allowed(const std::vector<Network>& networks, const boost::asio::ip::address& address);

}  // namespace ludens::server
