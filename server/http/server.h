// The HTTP server of the player and of the pages: one request a connection, under limits, on one
// I/O thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/http/network.h"
#include "server/http/response.h"
#include "server/http/wire_memory.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

using TimePoint = std::chrono::steady_clock::time_point;

struct HttpLimits {
  std::size_t body_bytes = std::size_t{16} << 20;
  std::size_t head_bytes = std::size_t{64} << 10;
  std::size_t connections = 128;
  std::chrono::milliseconds request{10'000};  // from connecting to the last byte of the request
  std::chrono::milliseconds linger{1'000};    // for the peer to close after the reply

  std::vector<Network> allowed;      // who may talk to the server; none: everybody
  std::size_t peer_connections = 0;  // of one address at the same time; 0: as many as there are
  double peer_rate = 0;              // connections of one address a second; 0: any
  Audience audience = Audience::Hosts;
  std::shared_ptr<WireMemory> memory;  // for what is read and written; null: not counted
};

struct HttpRequest {
  RequestHead head;
  std::string body;
  TimePoint first_byte;               // when the first byte arrived
  std::string peer;                   // HOST:PORT, for logs
  boost::asio::ip::address address;   // of the peer
  std::shared_ptr<HeldBytes> memory;  // what the body takes: to be kept as long as it
};

/// Sends the reply; to be called on the I/O thread. A second call does nothing. If every copy is
/// destroyed without a call, the peer gets a 500.
using Respond = std::function<void(Response)>;

/// A request that never reached the handler: malformed, too large, too slow, from somebody who is
/// not allowed, or one too many.
struct Refusal {
  std::string peer;
  int status = 400;
  std::string reason;
};

/// Everything happens on the thread that runs the context, which must outlive the server. A peer
/// that is slow, wrong or gone costs its own connection only, and so does one for which there is no
/// memory. When all connections are taken, the address that has most of them gives up the one that
/// has been sending its request for longest. Some file descriptors are left to the rest of the
/// process: a connection that would take one of these takes the place of the slowest.
class HttpServer {
 public:
  using Handler = std::function<void(HttpRequest, Respond)>;
  using Refused = std::function<void(const Refusal&)>;

  HttpServer(boost::asio::io_context& context, const HttpLimits& limits, Handler handler,
             Refused refused = {});
  /// Drops all connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Port 0 takes a free one. On failure a sentence on why.
  std::optional<std::string> listen(const std::string& bind, std::uint16_t port);
  /// The port taken; 0 before `listen`.
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::size_t connections() const;

  /// Takes no more connections, drops those that are still sending their request, and calls `done`
  /// when the last reply has left.
  void close(std::function<void()> done);
  /// Goes on with accepting if an exception has broken it off; to be called after one.
  void resume();

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
