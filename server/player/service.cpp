// SPDX-License-Identifier: MIT
#include "server/player/service.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <chrono>
#include <exception>
#include <new>

#include "gdl/text/tree_bytes.h"
#include "server/http/framing.h"
#include "server/http/io_thread.h"
#include "server/http/network.h"
#include "server/player/page_origins.h"
#include "server/player/status_page.h"

namespace ludens::server {
namespace {

using Parsed = gdl::Result<agent::Message>;

/// The bytes of bodies and replies that are kept for logs.
constexpr std::size_t kKeptBody = 200'000, kKeptReply = 4'000;

constexpr std::string_view kOtherPages =
    "this player talks to pages only from origins that --allow-origin names\n";

std::string beginning(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  return text.substr(0, most) + "... (" + std::to_string(text.size()) + " bytes)";
}

bool is_page(std::string_view target) {
  return target == "/" || target.starts_with("/?");
}

/// The reply if there is no memory left.
Response out_of_memory() {
  return {503, "text/plain", "there is no memory left for this message\n", {}};
}

}  // namespace

OpenRequest::OpenRequest(HttpRequest& request, Respond respond_to)
    : first_byte(request.first_byte), respond(std::move(respond_to)) {
  served.peer = std::move(request.peer);
  served.kind = request.head.method;
}

void OpenRequest::answer(Response response, std::string reply) {
  served.status = response.status;
  served.reply = std::move(reply);
  respond(std::move(response));
  const std::chrono::duration<double, std::milli> taken =
      std::chrono::steady_clock::now() - first_byte;
  served.milliseconds = taken.count();
}

class MessageService::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(boost::asio::io_context& context, ServiceOptions options, PlayerCalls player,
                 std::function<void(const Served&)> served)
      : context_(context),
        options_(std::move(options)),
        origins_(options_.origins),
        player_(std::move(player)),
        served_(std::move(served)) {}

  void handle(HttpRequest request, Respond respond) {
    auto exchange = std::make_shared<Exchange>(request, std::move(respond));
    const std::string& method = request.head.method;
    exchange->reader = origins_.reader_of(request.head);
    const bool page = method == "GET" && is_page(request.head.target);
    if (!page && !origins_.may_speak(request.head)) {
      exchange->served.kind += " of a page";
      return answer_host(*exchange, {403, "text/plain", std::string(kOtherPages), {}});
    }
    if (method == "POST") return parse(std::move(request.body), exchange);
    if (method == "OPTIONS") return answer_host(*exchange, {});
    if (method == "GET") return get(request.head.target, exchange);
    Response refusal{405, "text/plain", "the method is POST, GET or OPTIONS\n", {}};
    refusal.headers.add("Allow", "POST, GET, OPTIONS");
    answer_host(*exchange, std::move(refusal));
  }

  /// Nothing reaches the player or the log any more; requests that were accepted get no answer.
  void close() {
    aside_.join();
    player_ = {};
    served_ = {};
  }

 private:
  struct Exchange : OpenRequest {
    Exchange(HttpRequest& request, Respond respond_to)
        : OpenRequest(request, std::move(respond_to)),
          address(std::move(request.address)),
          memory(std::move(request.memory)) {}
    boost::asio::ip::address address;
    std::shared_ptr<HeldBytes> memory;  // null: not counted
    std::string reader;                 // the origin whose pages may read the reply; empty: none
  };
  using ExchangePointer = std::shared_ptr<Exchange>;

  void get(const std::string& target, const ExchangePointer& exchange) {
    if (is_page(target)) return answer(*exchange, page(exchange->address));
    auto message = decode_target(target);
    if (!message || message->find('(') == std::string::npos) {
      return answer_host(*exchange, {404, "text/plain", "there is nothing here but /\n", {}});
    }
    parse(std::move(*message), exchange);
  }

  /// For people: no other page may read it.
  [[nodiscard]] Response page(const boost::asio::ip::address& address) const {
    const bool available = player_.available(peer_of(address).to_string());
    Response page{200,
                  "text/html; charset=utf-8",
                  status_page(options_.name, options_.version, available, player_.matches()),
                  {}};
    add_page_headers(page.headers);
    return page;
  }

  void parse(std::string text, const ExchangePointer& exchange) {
    if (options_.keep_bodies) exchange->served.body = beginning(text, kKeptBody);
    if (text.size() <= options_.parse_aside_bytes) {
      return message(read(std::move(text), *exchange), exchange);
    }
    post_aside(aside_, [self = shared_from_this(), exchange, text = std::move(text)]() mutable {
      std::shared_ptr<const Parsed> parsed = self->read(std::move(text), *exchange);
      // What a request shares is only destroyed in the thread of the I/O, so this must succeed.
      post_surely(self->context_, [self, exchange, parsed = std::move(parsed)] {
        self->message(parsed, exchange);
      });
    });
  }

  /// The message of a text; null if there is no memory for it. May be called from any thread.
  std::shared_ptr<const Parsed> read(std::string text, const Exchange& exchange) const noexcept {
    try {
      const auto held = std::make_shared<HeldBytes>(options_.memory);
      if (exchange.memory) (void)exchange.memory->resize(0);  // `held` counts it from here on
      if (!held->resize(text.capacity() + gdl::tree_bytes(text))) return nullptr;
      return std::make_shared<const Parsed>(read_message(std::move(text), options_.parsing, held));
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  void message(const std::shared_ptr<const Parsed>& parsed, const ExchangePointer& exchange) {
    if (!player_.handle) return;
    if (parsed == nullptr) return answer_host(*exchange, out_of_memory());
    if (!*parsed) {
      exchange->served.kind = "malformed";
      return answer_host(*exchange, {400, "text/plain", parsed->error().text + "\n", {}});
    }
    const agent::Message& message = **parsed;
    exchange->served.kind = agent::kind(message);
    exchange->served.match_id = agent::match_id_of(message);
    if (!is_from_its_host(*exchange)) {
      exchange->served.kind += " of a stranger";
      return answer_host(*exchange, {200, "text/acl", "busy", {}});
    }
    exchange->served.message = {parsed, &message};
    hand_over(message, exchange);
  }

  void hand_over(const agent::Message& message, const ExchangePointer& exchange) {
    try {
      player_.handle(message, exchange->first_byte,
                     [self = shared_from_this(), exchange](std::string reply) {
                       self->answer_host(*exchange, {200, "text/acl", std::move(reply), {}});
                     },
                     {peer_of(exchange->address).to_string(), exchange->address.to_string()});
    } catch (const std::bad_alloc&) {
      answer_host(*exchange, out_of_memory());
    }
  }

  /// A match whose host is not known is anyone's.
  bool is_from_its_host(const Exchange& exchange) {
    if (!options_.pin_hosts) return true;
    const auto owner = player_.owner(exchange.served.match_id);
    return !owner || owner->empty() || *owner == exchange.address.to_string();
  }

  void answer_host(Exchange& exchange, Response response) {
    if (!exchange.reader.empty()) add_cors_headers(response.headers, exchange.reader);
    answer(exchange, std::move(response));
  }

  void answer(Exchange& exchange, Response response) {
    std::string reply = beginning(response.body, kKeptReply);
    exchange.answer(std::move(response), std::move(reply));
    if (served_) served_(exchange.served);
  }

  boost::asio::io_context& context_;
  ServiceOptions options_;
  const PageOrigins origins_;
  PlayerCalls player_;
  std::function<void(const Served&)> served_;
  boost::asio::thread_pool aside_{1};
};

MessageService::MessageService(boost::asio::io_context& context, ServiceOptions options,
                               PlayerCalls player, std::function<void(const Served&)> served)
    : implementation_(std::make_shared<Implementation>(context, std::move(options),
                                                       std::move(player), std::move(served))) {}

MessageService::~MessageService() {
  implementation_->close();
}

void MessageService::handle(HttpRequest request, Respond respond) {
  implementation_->handle(std::move(request), std::move(respond));
}

}  // namespace ludens::server
