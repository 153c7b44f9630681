// SPDX-License-Identifier: MIT
#include "server/http/network.h"

#include <algorithm>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <charconv>

namespace ludens::server {

namespace ip = boost::asio::ip;

ip::address plain_address(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

ip::address peer_of(const ip::address& address) {
  const ip::address plain = plain_address(address);
  if (plain.is_v4()) return plain;
  auto bytes = plain.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes);
}

gdl::Result<Network> Network::parse(std::string_view text) {
  const std::string wrong =
      "'" + std::string(text) + "' is not an address; examples: 192.168.1.7, 10.0.0.0/8";
  const std::size_t slash = text.find('/');
  boost::system::error_code error;
  const auto address = plain_address(ip::make_address(std::string(text.substr(0, slash)), error));
  if (error) return gdl::Error{wrong};
  const unsigned most = address.is_v4() ? 32 : 128;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const std::string_view number = text.substr(slash + 1);
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), bits);
    if (problem != std::errc() || end != number.data() + number.size() || bits > most) {
      return gdl::Error{wrong + ", with 0 to " + std::to_string(most) + " bits"};
    }
  }
  return Network(address, bits);
}

bool Network::contains(const ip::address& other) const {
  const ip::address address = plain_address(other);
  if (address.is_v4() != address_.is_v4()) return false;
  const auto bits = static_cast<unsigned short>(bits_);
  if (address.is_v4()) {
    return ip::network_v4(address.to_v4(), bits).canonical() ==
           ip::network_v4(address_.to_v4(), bits).canonical();
  }
  return ip::network_v6(address.to_v6(), bits).canonical() ==
         ip::network_v6(address_.to_v6(), bits).canonical();
}

bool allowed(const std::vector<Network>& networks, const ip::address& address) {
  return networks.empty() ||
         std::any_of(networks.begin(), networks.end(),
                     [&](const Network& network) { return network.contains(address); });
}

}  // namespace ludens::server
