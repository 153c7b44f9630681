// SPDX-License-Identifier: MIT
#include "server/compliance/peer.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace ludens::server {

using namespace std::chrono_literals;

Peer::Peer(Address address, std::stop_token stop)
    : address_(std::move(address)),
      stop_(std::move(stop)),
      wake_up_(stop_, [this] { boost::asio::post(context_, [] {}); }) {}

Exchange Peer::message(std::string_view text, std::chrono::milliseconds limit,
                       Dialect dialect) const {
  PostHeaders headers;
  headers.dialect = dialect;
  headers.match_id = "compliance";
  headers.match_host = "ludens";
  headers.step = 1;
  return bytes({{post_request(address_, headers, text), 0ms}}, limit);
}

Exchange Peer::bytes(std::vector<Piece> pieces, std::chrono::milliseconds limit) const {
  Exchange exchange;
  exchange.address = address_;
  exchange.pieces = std::move(pieces);
  exchange.read_to_end = true;
  exchange.deadline = std::chrono::steady_clock::now() + limit;
  exchange.connect_limit = limit;
  return exchange;
}

Peer::Pointer Peer::start(std::string sent, Exchange exchange) {
  const auto talk = std::make_shared<Talk>();
  talk->sent = std::move(sent);
  context_.restart();
  start_exchange(context_, std::move(exchange), [talk](ExchangeResult result) {
    talk->result = std::move(result);
    talk->done = true;
  });
  return talk;
}

const Talk& Peer::wait(const Pointer& talk) {
  while (!talk->done && !stop_.stop_requested()) {
    context_.restart();
    context_.run_one();  // every exchange has a deadline
  }
  return *talk;
}

void Peer::farewell(std::string_view text) {
  const Pointer talk = start(std::string(text), message(text));
  while (!talk->done) {
    context_.restart();
    context_.run_one();
  }
}

Talk Peer::ask(std::string_view text, std::chrono::milliseconds limit, Dialect dialect) {
  return exchange(std::string(text), message(text, limit, dialect));
}

void Peer::pause(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  boost::asio::steady_timer timer(context_, end);
  bool over = false;
  timer.async_wait([&over](const boost::system::error_code&) { over = true; });
  while (!over) {
    if (stop_.stop_requested()) timer.cancel();
    context_.restart();
    context_.run_one();
  }
}

SlowClients::SlowClients(Peer& peer, std::size_t count) : peer_(peer), cancel_(count) {
  for (std::size_t client = 0; client < count; ++client) begin(client);
}

SlowClients::~SlowClients() {
  *alive_ = false;
  for (const Cancel& cancel : cancel_) cancel();
}

/// Half of them never finish their head, the others never finish their body.
void SlowClients::begin(std::size_t client) {
  std::vector<Piece> drip(200, Piece{client % 2 == 0 ? "x" : "(", 100ms});
  drip[0] = {client % 2 == 0 ? "POST / HTTP/1.0\r\nX: "
                             : "POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n( ",
             0ms};
  Exchange slow = peer_.bytes(std::move(drip), 20s);
  cancel_[client] = start_exchange(peer_.context(), std::move(slow),
                                   [this, client, alive = alive_](const ExchangeResult& result) {
                                     const bool refused =
                                         result.kind == ExchangeResult::Kind::ConnectionFailed;
                                     if (*alive && !refused) begin(client);
                                   });
}

}  // namespace ludens::server
