#include "server/http/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>

#include "server/http/connection.h"

namespace ludens::server {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Phase = Connection::Phase;

class HttpServer::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(asio::io_context& context, const HttpLimits& limits, Handler handler,
                 Refused refused)
      : limits_(limits),
        handler_(std::move(handler)),
        refused_(std::move(refused)),
        acceptor_(context),
        retry_timer_(context) {}

  std::optional<std::string> listen(const std::string& bind, std::uint16_t port) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(bind, error);
    if (error) return "cannot listen on '" + bind + "': not a numeric address";
    const tcp::endpoint endpoint(address, port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
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
    for (const auto& connection : connections_) connection->drop();
    connections_.clear();
  }

 private:
  void stop_accepting() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    retry_timer_.cancel();
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](const auto& error, tcp::socket socket) {
      if (!self->acceptor_.is_open()) return;
      if (error) return self->accept_later();
      self->add(std::move(socket));
      self->accept();
    });
  }

  /// Out of file descriptors, most likely: the connections there are will end.
  void accept_later() {
    retry_timer_.expires_after(std::chrono::milliseconds(100));
    retry_timer_.async_wait([self = shared_from_this()](const auto& error) {
      if (!error && self->acceptor_.is_open()) self->accept();
    });
  }

  /// A connection above the limit is answered at once. It and those that made room don't count any
  /// more, and lie in the same list until they are gone; of them there are never more than of
  /// others.
  void add(tcp::socket socket) {
    const bool room = counted() < limits_.connections || make_room();
    if (!room && connections_.size() >= 2 * limits_.connections) return;
    const auto connection = std::make_shared<Connection>(
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
    connections_.push_back(connection);
    if (room) return connection->start();
    connection->refuse(503, "too many connections");
  }

  /// Connections that have or may have a request: the others only wait for their peer to close.
  [[nodiscard]] std::size_t counted() const {
    return static_cast<std::size_t>(
        std::count_if(connections_.begin(), connections_.end(), [](const auto& connection) {
          return connection->phase() == Phase::Reading || connection->phase() == Phase::Answering;
        }));
  }

  bool make_room() {
    const auto oldest = std::find_if(connections_.begin(), connections_.end(),
                                     [](const auto& c) { return c->phase() == Phase::Reading; });
    if (oldest == connections_.end()) return false;
    const auto connection = *oldest;
    connection->refuse(503, "too many connections");
    if (connections_.size() >= 2 * limits_.connections) remove(connection.get());
    return true;
  }

  void remove(Connection* connection) {
    connection->drop();
    connections_.remove_if([&](const auto& other) { return other.get() == connection; });
    tell_if_closed();
  }

  void tell_if_closed() {
    if (!closed_ || !connections_.empty()) return;
    const auto done = std::move(closed_);
    closed_ = nullptr;
    done();
  }

  HttpLimits limits_;
  Handler handler_;
  Refused refused_;
  tcp::acceptor acceptor_;
  asio::steady_timer retry_timer_;
  std::uint16_t port_ = 0;
  std::list<std::shared_ptr<Connection>> connections_;  // oldest first
  std::function<void()> closed_;
};

HttpServer::HttpServer(asio::io_context& context, const HttpLimits& limits, Handler handler,
                       Refused refused)
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

}  // namespace ludens::server
