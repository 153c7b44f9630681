// SPDX-License-Identifier: MIT
#include "server/player/player_server.h"

#include "server/http/asio_scheduler.h"
#include "server/http/server.h"

namespace ludens::server {

/// The members are in the order of their dependencies: the first one is destroyed last.
class PlayerServer::Implementation {
 public:
  Implementation(boost::asio::io_context& context, const PlayerServerOptions& options,
                 OnServed served, RefusalHandler refused)
      : options_(options),
        scheduler_(context),
        player_(options.player, clock_, scheduler_),
        service_(context, service_options(options), calls(), served),
        server_(
            context, options.limits,
            [this](HttpRequest request, Respond respond) {
              if (side_ != nullptr && side_->is_for(request.head)) {
                return side_->handle(std::move(request), std::move(respond));
              }
              service_.handle(std::move(request), std::move(respond));
            },
            std::move(refused)) {
    if (options.side) side_ = options.side(context, calls(), served);
  }

  std::optional<std::string> listen() { return server_.listen(options_.bind, options_.port); }
  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  void resume() { server_.resume(); }

  /// Refuses new connections at once; those that still wait for a reply of the agent stay open.
  void shut_down(std::function<void()> done) {
    const auto both = std::make_shared<int>(2);
    const auto one_less = [both, done = std::move(done)] {
      if (--*both == 0) done();
    };
    server_.close(one_less);
    player_.shut_down(one_less);
  }

 private:
  static ServiceOptions service_options(const PlayerServerOptions& options) {
    ServiceOptions out;
    out.name = options.player.name;
    out.version = options.version;
    out.keep_bodies = options.keep_bodies;
    out.pin_hosts = options.pin_hosts;
    out.origins = options.origins;
    out.memory = options.limits.memory;
    return out;
  }

  PlayerCalls calls() {
    return {[this](const agent::Message& message, TimePoint first_byte, agent::Reply reply,
                   const agent::Sender& from) {
              player_.handle(message, first_byte, std::move(reply), from);
            },
            [this] { return player_.matches(); },
            [this](const std::string& peer) { return player_.available(peer); },
            [this](const std::string& match_id) { return player_.view(match_id); },
            [this](const std::string& match_id) { return player_.owner(match_id); }};
  }

  PlayerServerOptions options_;
  SteadyClock clock_;
  AsioScheduler scheduler_;
  agent::Player player_;
  MessageService service_;
  std::unique_ptr<SideService> side_;
  HttpServer server_;
};

PlayerServer::PlayerServer(boost::asio::io_context& context, const PlayerServerOptions& options,
                           OnServed served, RefusalHandler refused)
    : implementation_(std::make_unique<Implementation>(context, options, std::move(served),
                                                       std::move(refused))) {}
PlayerServer::~PlayerServer() = default;
std::optional<std::string> PlayerServer::listen() {
  return implementation_->listen();
}
std::uint16_t PlayerServer::port() const {
  return implementation_->port();
}
void PlayerServer::resume() {
  implementation_->resume();
}
void PlayerServer::shut_down(std::function<void()> done) {
  implementation_->shut_down(std::move(done));
}

}  // namespace ludens::server
