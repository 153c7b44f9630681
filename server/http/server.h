// SPDX-License-Identifier: MIT
// The HTTP server of the player and of the pages: one request per connection, under limits, on one
// I/O thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/http/request.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Everything happens on the thread that runs the context, which must outlive the server. A peer
/// that is slow, wrong or gone only costs its own connection, and so does one for which there is no
/// memory. When all connections are in use, the address with the most of them loses the one that
/// has been sending its request for longest. Some file descriptors are reserved for the rest of the
/// process: a connection that would need one of these replaces the slowest one.
class HttpServer {
 public:
  HttpServer(boost::asio::io_context& context, const HttpLimits& limits, RequestHandler handler,
             RefusalHandler refused = {});
  /// Drops all connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Port 0 means a free one. Returns a sentence that says why if it fails.
  std::optional<std::string> listen(const std::string& bind, std::uint16_t port);
  /// The port in use; 0 before `listen`.
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::size_t connections() const;

  /// Accepts no more connections, drops those that are still sending their request, and calls
  /// `done` when the last reply has left.
  void close(std::function<void()> done);
  /// Continues accepting if an exception has interrupted it; to be called after one.
  void resume();

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
