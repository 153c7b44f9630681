#include "server/player/service.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/http/framing.h"
#include "server/player/status_page.h"

namespace ludens::server {
namespace {

using Parsed = std::variant<agent::Message, Malformed>;

std::string match_id_of(const agent::Message& message) {
  return std::visit(
      [](const auto& m) -> std::string {
        if constexpr (requires { m.match_id; }) {
          return m.match_id;
        } else {
          return {};
        }
      },
      message);
}

bool is_page(std::string_view target) {
  return target == "/" || target.starts_with("/?");
}

}  // namespace

class MessageService::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(boost::asio::io_context& context, ServiceOptions options, PlayerCalls player,
                 std::function<void(const Served&)> served)
      : context_(context),
        options_(std::move(options)),
        player_(std::move(player)),
        served_(std::move(served)) {}

  void handle(HttpRequest request, Respond respond) {
    auto exchange = std::make_shared<Exchange>();
    exchange->served.peer = std::move(request.peer);
    exchange->first_byte = request.first_byte;
    exchange->respond = std::move(respond);
    const std::string& method = request.head.method;
    exchange->served.kind = method;
    if (method == "POST") return parse(std::move(request.body), exchange);
    if (method == "OPTIONS") return answer(*exchange, {});
    if (method == "GET") return get(request.head.target, exchange);
    Response refusal{405, "text/plain", "the method is POST, GET or OPTIONS\n", {}};
    refusal.headers.add("Allow", "POST, GET, OPTIONS");
    answer(*exchange, refusal);
  }

  /// Nothing reaches the player or the log any more; what was taken on is answered by nobody.
  void close() {
    aside_.join();
    player_ = {};
    served_ = {};
  }

 private:
  /// One request under way.
  struct Exchange {
    Served served;
    TimePoint first_byte;
    Respond respond;
  };
  using ExchangePointer = std::shared_ptr<Exchange>;

  void get(const std::string& target, const ExchangePointer& exchange) {
    if (is_page(target)) {
      return answer(*exchange, {200, "text/html; charset=utf-8", page(), {}});
    }
    auto message = decode_target(target);
    if (!message || message->find('(') == std::string::npos) {
      return answer(*exchange, {404, "text/plain", "there is nothing here but /\n", {}});
    }
    parse(std::move(*message), exchange);
  }

  [[nodiscard]] std::string page() const {
    return status_page(options_.name, options_.version, player_.matches());
  }

  void parse(std::string text, const ExchangePointer& exchange) {
    if (options_.keep_bodies) exchange->served.body = text;
    if (text.size() <= options_.parse_aside_bytes) {
      return message(read_message(std::move(text), options_.parsing), exchange);
    }
    boost::asio::post(
        aside_, [self = shared_from_this(), exchange, text = std::move(text)]() mutable {
          Parsed parsed = read_message(std::move(text), self->options_.parsing);
          boost::asio::post(self->context_, [self, exchange, parsed = std::move(parsed)] {
            self->message(parsed, exchange);
          });
        });
  }

  void message(const Parsed& parsed, const ExchangePointer& exchange) {
    if (!player_.handle) return;
    if (const auto* malformed = std::get_if<Malformed>(&parsed)) {
      exchange->served.kind = "malformed";
      return answer(*exchange, {400, "text/plain", malformed->reason + "\n", {}});
    }
    const auto& message = std::get<agent::Message>(parsed);
    exchange->served.kind = agent::kind(message);
    exchange->served.match_id = match_id_of(message);
    player_.handle(message, exchange->first_byte,
                   [self = shared_from_this(), exchange](std::string reply) {
                     self->answer(*exchange, {200, "text/acl", std::move(reply), {}});
                   });
  }

  void answer(Exchange& exchange, const Response& response) {
    exchange.respond(response);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - exchange.first_byte;
    exchange.served.milliseconds = taken.count();
    exchange.served.status = response.status;
    exchange.served.reply = response.body;
    if (served_) served_(exchange.served);
  }

  boost::asio::io_context& context_;
  ServiceOptions options_;
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
