// SPDX-License-Identifier: MIT
// A request for its handler, and the limits under which it is read.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/http/head.h"
#include "server/http/network.h"
#include "server/http/response.h"
#include "server/http/wire_memory.h"

namespace ludens::server {

using TimePoint = std::chrono::steady_clock::time_point;

struct HttpLimits {
  std::size_t body_bytes = std::size_t{16} << 20;
  std::size_t head_bytes = std::size_t{64} << 10;
  std::size_t connections = 128;
  std::chrono::milliseconds request{10'000};  // from connecting to the last byte of the request
  std::chrono::milliseconds linger{1'000};    // for the peer to close after the reply

  std::vector<Network> allowed;      // addresses that may talk to the server; none: all
  std::size_t peer_connections = 0;  // of one address at the same time; 0: no limit of its own
  double peer_rate = 0;              // connections of one address per second; 0: any
  Audience audience = Audience::Hosts;
  std::shared_ptr<WireMemory> memory;  // for bytes read and written; null: not counted
};

struct HttpRequest {
  RequestHead head;
  std::string body;
  TimePoint first_byte;               // when the first byte arrived
  std::string peer;                   // HOST:PORT, for logs
  boost::asio::ip::address address;   // of the peer
  std::shared_ptr<HeldBytes> memory;  // the body's memory: to be kept as long as the body
};

/// Sends the reply; must be called on the I/O thread. A second call does nothing. If every copy is
/// destroyed without a call, the peer gets a 500.
using Respond = std::function<void(Response)>;
using RequestHandler = std::function<void(HttpRequest, Respond)>;

/// A request that never reached the handler: malformed, too large, too slow, from an address that
/// is not allowed, or one too many.
struct Refusal {
  std::string peer;
  int status = 400;
  std::string reason;
};
using RefusalHandler = std::function<void(const Refusal&)>;

}  // namespace ludens::server
