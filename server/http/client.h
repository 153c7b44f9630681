// SPDX-License-Identifier: MIT
// One HTTP request to a player, like the hosts of the protocol make it: a connection of its own, a
// total deadline, and patience with players that break HTTP.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "server/http/head.h"
#include "server/http/name_lookup.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

using TimePoint = std::chrono::steady_clock::time_point;

/// Where a player listens.
struct Address {
  std::string host;  // a name or a numeric address, IPv6 without brackets
  std::uint16_t port = 9147;
  /// `HOST:PORT` as in a URL: IPv6 in brackets, and its zone behind `%25`.
  [[nodiscard]] std::string text() const;
};

/// From `http://HOST[:PORT][/]` or `HOST:PORT`; otherwise a sentence that says what is wrong.
gdl::Result<Address> parse_address(std::string_view url);

/// Some bytes, sent after a pause.
struct Piece {
  std::string bytes;
  std::chrono::milliseconds pause{0};
};

/// What to send and how long to wait. `post_request` makes one from a message.
struct Exchange {
  Address address;
  std::vector<Piece> pieces;
  bool end_after_sending = false;  // closes the sending direction
  bool read_to_end = false;        // even beyond Content-Length, to see whether the player closes
  TimePoint deadline;              // for all of it, connecting included
  std::chrono::milliseconds connect_limit{5000};
  NumericAddresses known;  // of the host, if it is a name; none: it is looked up
  LookUp look_up = system_look_up;
  std::size_t max_body_bytes = std::size_t{1} << 20;
};

struct ExchangeResult {
  enum class Kind {
    Reply,             // status and body are there
    ConnectionFailed,  // no connection: refused, unknown name, too slow
    NoReply,           // the connection was closed before a complete reply had arrived
    TimedOut,          // the deadline passed
    TooLarge,          // more than max_body_bytes
    Malformed,         // bytes that are not HTTP
    Cancelled,
  };
  Kind kind = Kind::NoReply;
  ResponseHead head;         // as far as it arrived
  std::string body;          // as far as it arrived; exactly as sent
  std::string problem;       // for people, unless kind is Reply
  std::size_t received = 0;  // bytes after the head, including those that are not part of the body
  bool begun = false;        // a byte of a reply has arrived
  bool closed = false;       // the player has closed its sending direction
  NumericAddresses known;    // of the host, to be passed to the next exchange
  double connect_ms = 0;     // until connected
  double latency_ms = 0;     // from the start of connecting to the last byte of the reply
};

/// Ends the exchange with `Cancelled`; no effect when it has ended.
using Cancel = std::function<void()>;

/// Calls `done` exactly once, never from within this call, on the thread that runs `context`, at
/// the latest at the deadline. The returned function must be called on that thread.
Cancel start_exchange(boost::asio::io_context& context, Exchange exchange,
                      std::function<void(ExchangeResult)> done);

/// How hosts write their requests.
enum class Dialect { GgpBase, Tiltyard, Dresden };

/// The values for the headers.
struct PostHeaders {
  Dialect dialect = Dialect::GgpBase;
  std::string receiver = "PLAYER";  // the player's name
  std::string match_id;             // Tiltyard only
  std::string match_host;           // Tiltyard only
  std::optional<std::size_t> step;  // Tiltyard only
};

/// The bytes of a POST of one message.
std::string post_request(const Address& address, const PostHeaders& headers, std::string_view body);

}  // namespace ludens::server
