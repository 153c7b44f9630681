// SPDX-License-Identifier: MIT
// The HTTP server of the player and of the pages: one request a connection, under limits, on one
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
/// that is slow, wrong or gone costs its own connection only, and so does one for which there is no
/// memory. When all connections are taken, the address that has most of them gives up the one that
/// has been sending its request for longest. Some file descriptors are left to the rest of the
/// process: a connection that would take one of these takes the place of the slowest.
class HttpServer {
 public:
  HttpServer(boost::asio::io_context& context, const HttpLimits& limits, RequestHandler handler,
             RefusalHandler refused = {});
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
