// SPDX-License-Identifier: MIT
#include "server/http/server.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <map>
#include <utility>

#include "server/http/connection.h"
#include "server/http/peer_rates.h"

namespace ludens::server {

namespace asio = boost::asio;
using Phase = Connection::Phase;

namespace {

constexpr std::chrono::milliseconds kAcceptPause{100};
/// Descriptors that are reserved for the rest of the process: journals, records, connections to
/// players.
constexpr rlim_t kReservedDescriptors = 32;

/// The system assigns the lowest free descriptor, so a high one means that few are left. Browsers
/// may only use the lower half, because hosts come first.
bool is_among_the_last(int descriptor, Audience audience) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  const rlim_t reserved = audience == Audience::Browsers
                              ? limit.rlim_cur / 2
                              : std::min(kReservedDescriptors, limit.rlim_cur / 4);
  return static_cast<rlim_t>(descriptor) >= limit.rlim_cur - reserved;
}

/// The same socket with the lowest free descriptor.
asio::ip::tcp::socket moved_down(asio::ip::tcp::socket socket) {
  boost::system::error_code error;
  const auto endpoint = socket.local_endpoint(error);
  const int low = error ? -1 : ::fcntl(socket.native_handle(), F_DUPFD_CLOEXEC, 0);
  if (low < 0) return socket;
  asio::ip::tcp::socket moved(socket.get_executor());
  moved.assign(endpoint.protocol(), low, error);
  if (error) ::close(low);
  return moved;
}

}  // namespace

class HttpServer::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(asio::io_context& context, const HttpLimits& limits, RequestHandler handler,
                 RefusalHandler refused)
      : limits_(std::make_shared<const HttpLimits>(limits)),
        handler_(std::move(handler)),
        refused_(std::move(refused)),
        acceptor_(context),
        retry_timer_(context),
        rates_(limits.peer_rate) {}

  std::optional<std::string> listen(const std::string& bind, std::uint16_t port) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(bind, error);
    if (error) return "cannot listen on '" + bind + "': not a numeric address";
    const asio::ip::tcp::endpoint endpoint(address, port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::ip::tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      return "cannot listen on " + bind + ":" + std::to_string(port) + ": " + error.message();
    }
    port_ = acceptor_.local_endpoint(error).port();
    accept();
    return std::nullopt;
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

  void close(std::function<void()> done) {
    stop_accepting();
    closed_ = std::move(done);
    const auto all = connections_;
    for (const auto& connection : all) {
      if (connection->phase() == Phase::Reading) remove(connection.get());
    }
    tell_if_closed();
  }

  void drop_all() {
    stop_accepting();
    handler_ = {};
    refused_ = {};
    for (const auto& connection : connections_) connection->abandon();
    connections_.clear();
  }

  void resume() {
    if (!accepting_) accept();
  }

 private:
  void stop_accepting() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    retry_timer_.cancel();
  }

  void accept() {
    if (!acceptor_.is_open()) return;
    accepting_ = false;  // unless the next line returns
    acceptor_.async_accept(
        [self = shared_from_this()](const auto& error, asio::ip::tcp::socket socket) {
          self->accepted(error, std::move(socket));
        });
    accepting_ = true;
  }

  void accepted(const boost::system::error_code& error, asio::ip::tcp::socket socket) {
    accepting_ = false;
    if (!acceptor_.is_open()) return;
    if (error && error != asio::error::connection_aborted) return accept_later();
    try {
      if (!error) add(std::move(socket));
    } catch (...) {  // no memory for this connection, which is already closed
    }
    accept();
  }

  /// Most likely there are no file descriptors or memory left: the existing connections will end.
  void accept_later() {
    retry_timer_.expires_after(kAcceptPause);
    retry_timer_.async_wait([self = shared_from_this()](const auto& error) {
      self->accepting_ = false;
      if (!error) self->accept();
    });
    accepting_ = true;
  }

  /// A connection above a limit is answered at once. It and those that made room don't count any
  /// more, but stay in the same list until they are closed. There are never more of them than of
  /// others.
  void add(asio::ip::tcp::socket socket) {
    if (has_high_descriptor(socket)) {
      if (!free_a_descriptor()) return;
      socket = moved_down(std::move(socket));
      if (!socket.is_open() || has_high_descriptor(socket)) return;
    }
    const auto connection = make_connection(std::move(socket));
    const auto refusal = why_not(*connection);
    if (refusal && uncounted() >= limits_->connections) return;
    make_room_for_uncounted();
    connections_.push_back(connection);
    if (!refusal) return connection->start();
    connection->refuse(refusal->status, refusal->reason);
  }

  [[nodiscard]] bool has_high_descriptor(asio::ip::tcp::socket& socket) const {
    return is_among_the_last(socket.native_handle(), limits_->audience);
  }

  std::shared_ptr<Connection> make_connection(asio::ip::tcp::socket socket) {
    return std::make_shared<Connection>(
        std::move(socket), limits_,
        Connection::Callbacks{[this](HttpRequest request, Respond respond) {
                                if (handler_) handler_(std::move(request), std::move(respond));
                              },
                              [this](const Refusal& refusal) {
                                if (refused_) refused_(refusal);
                              },
                              [weak = weak_from_this()](Connection* gone) {
                                if (const auto self = weak.lock()) self->remove(gone);
                              }});
  }

  std::optional<Refusal> why_not(const Connection& connection) {
    const auto refusal = [](int status, std::string reason) {
      return Refusal{{}, status, std::move(reason)};
    };
    if (!allowed(limits_->allowed, connection.address())) {
      return refusal(403, "this address may not talk to this server");
    }
    if (!rates_.admit(connection.peer(), std::chrono::steady_clock::now())) {
      return refusal(429, "too many connections a second from this address");
    }
    const std::size_t most = limits_->peer_connections;
    const auto& peer = connection.peer();
    if (most != 0 && counted_of(peer) >= most &&
        !remove_first([&](const auto& c) { return c.may_be_gone() && c.peer() == peer; })) {
      return refusal(429, "too many connections from this address");
    }
    if (counted() >= limits_->connections && !make_room()) {
      return refusal(503, "too many connections");
    }
    return std::nullopt;
  }

  /// Whether the connection has or may have a request: the others only wait for their peer to
  /// close, or listen to a stream.
  static bool counts(const std::shared_ptr<Connection>& connection) {
    return connection->phase() == Phase::Reading || connection->phase() == Phase::Answering;
  }
  [[nodiscard]] std::size_t counted() const {
    return static_cast<std::size_t>(
        std::count_if(connections_.begin(), connections_.end(), counts));
  }
  [[nodiscard]] std::size_t counted_of(const asio::ip::address& peer) const {
    return static_cast<std::size_t>(
        std::count_if(connections_.begin(), connections_.end(),
                      [&](const auto& c) { return counts(c) && c->peer() == peer; }));
  }
  static bool leaves(const std::shared_ptr<Connection>& connection) {
    return connection->phase() == Phase::Writing || connection->phase() == Phase::Lingering;
  }
  [[nodiscard]] std::size_t uncounted() const {
    return static_cast<std::size_t>(
        std::count_if(connections_.begin(), connections_.end(), leaves));
  }

  /// The connection that has been sending for longest, of the peer with the most connections.
  [[nodiscard]] std::shared_ptr<Connection> slowest_sender() const {
    std::map<asio::ip::address, std::size_t> of_peer;
    for (const auto& connection : connections_) of_peer[connection->peer()] += counts(connection);
    std::shared_ptr<Connection> slowest;
    for (const auto& connection : connections_) {
      if (connection->phase() != Phase::Reading) continue;
      if (!slowest || of_peer[connection->peer()] > of_peer[slowest->peer()]) slowest = connection;
    }
    return slowest;
  }

  bool make_room() {
    if (remove_first([](const auto& c) { return c.may_be_gone(); })) return true;
    const auto connection = slowest_sender();
    if (!connection) return false;
    connection->refuse(503, "too many connections");
    return true;
  }

  /// Closes connections early whose peer has got its reply, or all of it but the last bytes.
  void make_room_for_uncounted() {
    while (uncounted() > limits_->connections && remove_first(is_in(Phase::Lingering))) {
    }
    while (uncounted() > limits_->connections && remove_first(is_in(Phase::Writing))) {
    }
  }

  bool free_a_descriptor() {
    if (remove_first(is_in(Phase::Lingering))) return true;
    if (remove_first([](const auto& c) { return c.may_be_gone(); })) return true;
    const auto connection = slowest_sender();
    if (connection) remove(connection.get());
    return connection != nullptr;
  }

  static auto is_in(Phase phase) {
    return [phase](const Connection& connection) { return connection.phase() == phase; };
  }

  template <class Which>
  bool remove_first(const Which& which) {
    const auto found = std::find_if(connections_.begin(), connections_.end(),
                                    [&](const auto& c) { return which(*c); });
    if (found == connections_.end()) return false;
    const auto connection = *found;
    remove(connection.get());
    return true;
  }

  void remove(Connection* connection) {
    connection->abandon();
    connections_.remove_if([&](const auto& other) { return other.get() == connection; });
    tell_if_closed();
  }

  /// Streams end with the server, which does not wait for them.
  void tell_if_closed() {
    const bool waits = std::any_of(connections_.begin(), connections_.end(),
                                   [](const auto& c) { return c->phase() != Phase::Streaming; });
    if (closed_ && !waits) std::exchange(closed_, nullptr)();
  }

  std::shared_ptr<const HttpLimits> limits_;
  RequestHandler handler_;
  RefusalHandler refused_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer retry_timer_;
  bool accepting_ = false;  // or waiting to
  PeerRates rates_;
  std::uint16_t port_ = 0;
  std::list<std::shared_ptr<Connection>> connections_;  // oldest first
  std::function<void()> closed_;
};

HttpServer::HttpServer(asio::io_context& context, const HttpLimits& limits, RequestHandler handler,
                       RefusalHandler refused)
    : implementation_(std::make_shared<Implementation>(context, limits, std::move(handler),
                                                       std::move(refused))) {}

HttpServer::~HttpServer() {
  implementation_->drop_all();
}

std::optional<std::string> HttpServer::listen(const std::string& bind, std::uint16_t port) {
  return implementation_->listen(bind, port);
}
std::uint16_t HttpServer::port() const {
  return implementation_->port();
}
std::size_t HttpServer::connections() const {
  return implementation_->connections();
}
void HttpServer::close(std::function<void()> done) {
  implementation_->close(std::move(done));
}
void HttpServer::resume() {
  implementation_->resume();
}

}  // namespace ludens::server
