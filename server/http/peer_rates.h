// SPDX-License-Identifier: MIT
// How fast each address connects.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <map>

namespace ludens::server {

/// For one thread. Addresses that have been quiet for a second have their full rate again and are
/// forgotten when there are many.
class PeerRates {
 public:
  using Clock = std::chrono::steady_clock;

  /// `rate` connections per second, and as many at once after a quiet second; 0: any.
  explicit PeerRates(double rate) : rate_(rate) {}

  /// Whether one more connection of that peer is within the rate; if so, it is counted.
  bool admit(const boost::asio::ip::address& peer, Clock::time_point now);
  [[nodiscard]] std::size_t known() const { return peers_.size(); }

 private:
  struct Use {
    double connections = 0;  // of the rate, as of `last`
    Clock::time_point last{};
  };
  void forget_quiet(Clock::time_point now);

  double rate_;
  std::map<boost::asio::ip::address, Use> peers_;
};

}  // namespace ludens::server
