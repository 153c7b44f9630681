// SPDX-License-Identifier: MIT
// A player that listens: agent, HTTP server and the service between them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/player/player.h"
#include "server/http/request.h"
#include "server/player/service.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Another way to the player. Runs on the I/O thread.
class SideService {
 public:
  SideService() = default;
  virtual ~SideService() = default;
  SideService(const SideService&) = delete;
  SideService& operator=(const SideService&) = delete;
  [[nodiscard]] virtual bool is_for(const RequestHead& head) const = 0;
  /// Answers with `respond`, now or later.
  virtual void handle(HttpRequest request, Respond respond) = 0;
};

struct PlayerServerOptions {
  agent::PlayerOptions player;
  HttpLimits limits;
  std::string bind = "127.0.0.1";
  std::uint16_t port = 9147;  // 0: a free one
  std::string version;
  bool keep_bodies = false;
  bool pin_hosts = false;
  std::vector<std::string> origins = {};  // of pages that may talk to it; `*`: all
  /// Creates a service that answers some of the requests instead of the message service; empty:
  /// none.
  std::function<std::unique_ptr<SideService>(boost::asio::io_context&, PlayerCalls,
                                             std::function<void(const Served&)> served)>
      side = {};
};

/// Everything happens on the thread that runs the context, which must outlive the server; that
/// thread must do nothing else that takes time. The destructor ends all searches.
class PlayerServer {
 public:
  using OnServed = std::function<void(const Served&)>;
  PlayerServer(boost::asio::io_context& context, const PlayerServerOptions& options,
               OnServed served = {}, RefusalHandler refused = {});
  ~PlayerServer();
  PlayerServer(const PlayerServer&) = delete;
  PlayerServer& operator=(const PlayerServer&) = delete;

  /// Starts to listen. Returns a sentence that says why if it fails.
  std::optional<std::string> listen();
  [[nodiscard]] std::uint16_t port() const;
  /// Accepts no more messages; calls `done` when the open replies have left.
  void shut_down(std::function<void()> done);
  /// To be called after an exception has left a handler of the context.
  void resume();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
