// SPDX-License-Identifier: MIT
// A player that listens on a free loopback port, with an I/O thread of its own, as `serve` has it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "server/http/server.h"
#include "server/player/service.h"

namespace ludens::server {

/// Answers messages with a function; the rest is as in the product.
class ServiceThread {
 public:
  using Answer = std::function<std::string(const agent::Message&)>;

  explicit ServiceThread(Answer answer, const HttpLimits& limits = {})
      : service_(
            context_, {},
            PlayerCalls{[answer = std::move(answer)](
                            const agent::Message& message, TimePoint, const agent::Reply& reply,
                            const agent::Sender&) { reply(answer(message)); },
                        [] { return std::vector<agent::MatchStatus>{}; },
                        [](const std::string&) { return true; }},
            {}),
        server_(context_, limits, [this](HttpRequest request, Respond respond) {
          service_.handle(std::move(request), std::move(respond));
        }) {
    if (const auto problem = server_.listen("127.0.0.1", 0)) throw std::runtime_error(*problem);
    thread_ = std::thread([this] { context_.run(); });
  }

  ~ServiceThread() {
    boost::asio::post(context_, [this] { context_.stop(); });
    thread_.join();
  }
  ServiceThread(const ServiceThread&) = delete;
  ServiceThread& operator=(const ServiceThread&) = delete;

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }

 private:
  boost::asio::io_context context_{1};
  MessageService service_;
  HttpServer server_;
  std::thread thread_;
};

}  // namespace ludens::server
