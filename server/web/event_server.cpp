#include "server/web/event_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace ludens::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Status = boost::system::error_code;

namespace {

constexpr const char* kNoToken =
    "this page may only look on; the address that the program printed, with ?token=, may do more\n";
constexpr std::chrono::seconds kRequestTime{10}, kPing{15};
/// For the last events to leave at the end.
constexpr std::chrono::milliseconds kFarewell{500}, kLook{10};

/// `127.0.0.1:8080`, `localhost`, `[::1]:8080`: names under which only this machine is reached.
bool is_loopback(std::string_view host) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (host == name || (host.starts_with(name) && host[name.size()] == ':')) return true;
  }
  return false;
}

bool may_post(const http::request<http::string_body>& request) {
  const auto origin = request.find(http::field::origin);
  if (origin == request.end()) return true;  // no page sends it
  const std::string_view text(origin->value().data(), origin->value().size());
  return text == "http://" + std::string(request[http::field::host]);
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[device() % 16];
  return token;
}

}  // namespace

Event make_event(std::string_view name, std::string_view data) {
  std::string text = "event: ";
  text += name;
  text += "\ndata: ";
  text += data;
  text += "\n\n";
  return std::make_shared<const std::string>(std::move(text));
}

class EventServer::Implementation {
 public:
  Implementation(Calls calls, const EventServerLimits& limits)
      : calls_(std::move(calls)), limits_(limits), acceptor_(context_), ping_(context_) {}

  std::optional<std::string> listen(std::uint16_t port) {
    Status error;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + error.message();
    port_ = acceptor_.local_endpoint(error).port();
    accept();
    ping();
    thread_ = std::thread([this] { context_.run(); });
    return std::nullopt;
  }

  void end() {
    if (!thread_.joinable()) return;
    asio::post(context_, [this] { leave(); });
    thread_.join();
  }

  void broadcast(const Event& event) {
    for (const auto& session : sessions_) session->send(event);
    sessions_.remove_if([](const auto& session) { return session->gone(); });
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] std::size_t browsers() const { return sessions_.size(); }
  asio::io_context& context() { return context_; }

 private:
  /// One connection: a request and its answer, or the stream of events.
  class Session : public std::enable_shared_from_this<Session> {
   public:
    Session(tcp::socket socket, Implementation& server)
        : stream_(std::move(socket)), server_(server) {}

    void start() {
      parser_.body_limit(server_.limits_.body_bytes);
      stream_.expires_after(kRequestTime);
      http::async_read(stream_, buffer_, parser_,
                       [self = shared_from_this()](const Status& error, std::size_t) {
                         if (!error) self->answer(self->parser_.get());
                       });
    }
    void send(const Event& event) {
      if (gone_) return;
      waiting_bytes_ += event->size();
      if (waiting_bytes_ > snapshot_bytes_ + server_.limits_.backlog_bytes) return drop();
      queue_.push_back(event);
      if (queue_.size() == 1) write();
    }
    void drop() {
      gone_ = true;
      stream_.close();
    }
    [[nodiscard]] bool gone() const { return gone_; }
    [[nodiscard]] bool idle() const { return queue_.empty(); }

   private:
    void answer(const http::request<http::string_body>& request) {
      const std::string_view whole(request.target().data(), request.target().size());
      const std::string_view target = whole.substr(0, whole.find('?'));
      const auto host = request[http::field::host];
      if (!is_loopback({host.data(), host.size()})) return reply(403, "text/plain", "wrong host\n");
      if (request.method() == http::verb::get && target == "/") {
        return reply(200, "text/html; charset=utf-8", server_.calls_.page());
      }
      if (request.method() == http::verb::get && target == "/events") return open_stream();
      if (request.method() == http::verb::post) {
        if (!may_post(request)) return reply(403, "text/plain", "wrong origin\n");
        if (!has_token(request)) return reply(403, "text/plain", kNoToken);
        const PostAnswer outcome = server_.calls_.post(target, request.body());
        return reply(outcome.status, "text/plain; charset=utf-8", outcome.text);
      }
      reply(404, "text/plain", "nothing here\n");
    }

    bool has_token(const http::request<http::string_body>& request) const {
      const auto sent = request[std::string(kTokenHeader)];
      const std::string_view target(request.target().data(), request.target().size());
      return sent == server_.token_ || target.ends_with("?token=" + server_.token_);
    }

    void reply(int status, const char* type, const std::string& body) {
      response_.result(static_cast<unsigned>(status));
      response_.version(11);
      response_.keep_alive(false);
      response_.set(http::field::content_type, type);
      response_.set(http::field::cache_control, "no-store");
      response_.body() = body;
      response_.prepare_payload();
      stream_.expires_after(kRequestTime);
      http::async_write(stream_, response_,
                        [self = shared_from_this()](const Status&, std::size_t) {
                          Status ignored;
                          self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                        });
    }

    void open_stream() {
      if (server_.sessions_.size() >= server_.limits_.browsers) {
        return reply(503, "text/plain", "too many browsers\n");
      }
      server_.sessions_.push_back(shared_from_this());
      stream_.expires_never();
      std::vector<Event> first = server_.calls_.snapshot();
      first.insert(first.begin(), std::make_shared<const std::string>(
                                      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                      "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
                                      "retry: 1000\n\n"));
      for (const Event& event : first) snapshot_bytes_ += event->size();
      for (const Event& event : first) send(event);
      wait_for_end();
    }

    /// A browser says nothing more; what can be read is its going away.
    void wait_for_end() {
      stream_.socket().async_wait(tcp::socket::wait_read,
                                  [self = shared_from_this()](const Status&) { self->drop(); });
    }

    void write() {
      asio::async_write(stream_.socket(), asio::buffer(*queue_.front()),
                        [self = shared_from_this()](const Status& error, std::size_t) {
                          if (self->gone_) return;
                          if (error) return self->drop();
                          const std::size_t sent = self->queue_.front()->size();
                          self->waiting_bytes_ -= sent;
                          self->snapshot_bytes_ -= std::min(sent, self->snapshot_bytes_);
                          self->queue_.pop_front();
                          if (!self->queue_.empty()) self->write();
                        });
    }

    beast::tcp_stream stream_;
    Implementation& server_;
    beast::flat_buffer buffer_;
    http::request_parser<http::string_body> parser_;
    http::response<http::string_body> response_;
    std::deque<Event> queue_;  // the first one is being written
    std::size_t waiting_bytes_ = 0, snapshot_bytes_ = 0;
    bool gone_ = false;
  };

  void accept() {
    acceptor_.async_accept([this](const Status& error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (!error) std::make_shared<Session>(std::move(socket), *this)->start();
      accept();
    });
  }

  /// Keeps proxies and browsers from giving up, and finds those that are gone.
  void ping() {
    ping_.expires_after(kPing);
    ping_.async_wait([this](const Status& error) {
      if (error) return;
      broadcast(std::make_shared<const std::string>(": still here\n\n"));
      ping();
    });
  }

  void leave() {
    Status ignored;
    acceptor_.close(ignored);
    ping_.cancel();
    wait_until_sent(std::chrono::steady_clock::now() + kFarewell);
  }

  void wait_until_sent(std::chrono::steady_clock::time_point deadline) {
    const bool all_sent = std::all_of(sessions_.begin(), sessions_.end(),
                                      [](const auto& s) { return s->gone() || s->idle(); });
    if (all_sent || std::chrono::steady_clock::now() > deadline) return context_.stop();
    ping_.expires_after(kLook);
    ping_.async_wait([this, deadline](const Status&) { wait_until_sent(deadline); });
  }

  Calls calls_;
  EventServerLimits limits_;
  const std::string token_ = random_token();
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer ping_;
  std::uint16_t port_ = 0;
  std::list<std::shared_ptr<Session>> sessions_;  // with a stream
  std::thread thread_;
};

EventServer::EventServer(Calls calls, const EventServerLimits& limits)
    : implementation_(std::make_unique<Implementation>(std::move(calls), limits)) {}

EventServer::~EventServer() {
  implementation_->end();
}

std::optional<std::string> EventServer::listen(std::uint16_t port) {
  return implementation_->listen(port);
}
std::uint16_t EventServer::port() const {
  return implementation_->port();
}
const std::string& EventServer::token() const {
  return implementation_->token();
}
void EventServer::post(std::function<void()> function) {
  boost::asio::post(implementation_->context(), std::move(function));
}
void EventServer::broadcast(const Event& event) {
  implementation_->broadcast(event);
}
std::size_t EventServer::browsers() const {
  return implementation_->browsers();
}

}  // namespace ludens::server
