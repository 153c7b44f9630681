// SPDX-License-Identifier: MIT
#include "server/web/event_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/io_thread.h"
#include "server/http/random_token.h"
#include "server/http/server.h"

namespace ludens::server {

namespace asio = boost::asio;

namespace {

constexpr const char* kNoToken =
    "this page may only watch; the address that the program printed, with ?token=, may do more\n";
constexpr std::chrono::seconds kPing{15};
/// The time for sending the last events at the end.
constexpr std::chrono::milliseconds kFarewell{500}, kLook{10};
/// The connections beside the streams: requests are short.
constexpr std::size_t kRequests = 64;
constexpr std::size_t kHeadBytes = std::size_t{16} << 10;

/// `127.0.0.1:8080`, `localhost`, `[::1]:8080`: names under which only this machine is reached.
bool is_loopback(std::string_view host) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (host == name || (host.starts_with(name) && host[name.size()] == ':')) return true;
  }
  return false;
}

bool may_post(const RequestHead& head) {
  const auto origin = head.headers.find("Origin");
  if (!origin) return true;  // no page sends it
  return *origin == "http://" + std::string(head.headers.find("Host").value_or(""));
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
      : calls_(std::move(calls)),
        limits_(limits),
        ping_(context_),
        server_(context_, http_limits(limits),
                [this](const HttpRequest& request, const Respond& respond) {
                  respond(answer(request));
                }) {}

  std::optional<std::string> listen(std::uint16_t port) {
    if (auto why = server_.listen("127.0.0.1", port)) return why;
    ping();
    thread_ =
        std::thread([this] { run_guarded(context_, [this](const char*) { server_.resume(); }); });
    return std::nullopt;
  }

  void end() {
    if (!thread_.joinable()) return;
    post_surely(context_, [this] { leave(); });
    thread_.join();
  }

  void broadcast(const Event& event) {
    for (const Browser& browser : browsers_) send(browser, event);
    forget_gone();
  }

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] std::size_t browsers() const { return browsers_.size(); }
  asio::io_context& context() { return context_; }

 private:
  /// A browser that listens, with the limit of what it may still have to receive.
  struct Browser {
    std::shared_ptr<ReplyStream> stream;
    std::size_t backlog_bytes = 0;
  };

  static HttpLimits http_limits(const EventServerLimits& limits) {
    HttpLimits out;
    out.audience = Audience::Browsers;
    out.connections = kRequests;
    out.head_bytes = kHeadBytes;
    out.body_bytes = limits.body_bytes;
    out.memory = limits.memory;
    return out;
  }

  static Response page_reply(int status, std::string type, std::string body) {
    Response response{status, std::move(type), std::move(body), {}};
    add_page_headers(response.headers);
    return response;
  }

  Response answer(const HttpRequest& request) {
    const RequestHead& head = request.head;
    const std::string_view target = std::string_view(head.target).substr(0, head.target.find('?'));
    if (!is_loopback(head.headers.find("Host").value_or(""))) {
      return page_reply(403, "text/plain", "wrong host\n");
    }
    if (head.method == "GET" && target == "/") {
      return page_reply(200, "text/html; charset=utf-8", calls_.page());
    }
    if (head.method == "GET" && target == "/events") return stream();
    if (head.method != "POST") return page_reply(404, "text/plain", "nothing here\n");
    if (!may_post(head)) return page_reply(403, "text/plain", "wrong origin\n");
    if (!has_token(head)) return page_reply(403, "text/plain", kNoToken);
    const PostAnswer outcome = calls_.post(target, request.body);
    return page_reply(outcome.status, "text/plain; charset=utf-8", outcome.text);
  }

  [[nodiscard]] bool has_token(const RequestHead& head) const {
    return head.headers.find(kTokenHeader) == token_ || head.target.ends_with("?token=" + token_);
  }

  Response stream() {
    forget_gone();
    if (browsers_.size() >= limits_.browsers) {
      return page_reply(503, "text/plain", "too many browsers\n");
    }
    Response response = page_reply(200, "text/event-stream", "retry: 1000\n\n");
    response.opened = [this](std::shared_ptr<ReplyStream> opened) { welcome(std::move(opened)); };
    return response;
  }

  void welcome(std::shared_ptr<ReplyStream> stream) {
    const std::vector<Event> snapshot = calls_.snapshot();
    Browser browser{std::move(stream), limits_.backlog_bytes};
    for (const Event& event : snapshot) browser.backlog_bytes += event->size();
    for (const Event& event : snapshot) send(browser, event);
    browsers_.push_back(std::move(browser));
  }

  static void send(const Browser& browser, const Event& event) {
    if (browser.stream->waiting() + event->size() > browser.backlog_bytes) {
      return browser.stream->drop();
    }
    browser.stream->send(event);
  }

  void forget_gone() {
    browsers_.remove_if([](const Browser& browser) { return browser.stream->gone(); });
  }

  /// Keeps proxies and browsers from closing the stream, and finds those that are gone.
  void ping() {
    ping_.expires_after(kPing);
    ping_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      broadcast(std::make_shared<const std::string>(": still here\n\n"));
      ping();
    });
  }

  /// If memory runs out, the end comes at once.
  void leave() {
    try {
      server_.close([] {});
      ping_.cancel();
      wait_until_sent(std::chrono::steady_clock::now() + kFarewell);
    } catch (const std::bad_alloc&) {
      context_.stop();
    }
  }

  void wait_until_sent(std::chrono::steady_clock::time_point deadline) {
    const bool all_sent = std::all_of(browsers_.begin(), browsers_.end(), [](const Browser& b) {
      return b.stream->gone() || b.stream->waiting() == 0;
    });
    if (all_sent || std::chrono::steady_clock::now() > deadline) return context_.stop();
    ping_.expires_after(kLook);
    ping_.async_wait([this, deadline](const boost::system::error_code&) {
      try {
        wait_until_sent(deadline);
      } catch (const std::bad_alloc&) {
        context_.stop();
      }
    });
  }

  Calls calls_;
  EventServerLimits limits_;
  const std::string token_ = random_token();
  asio::io_context context_{1};
  asio::steady_timer ping_;
  std::list<Browser> browsers_;
  HttpServer server_;
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
