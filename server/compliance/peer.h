// SPDX-License-Identifier: MIT
// The player under test, for the cases.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/client.h"

namespace ludens::server {

/// One request and its result.
struct Talk {
  std::string sent;  // for people: the message, or what was wrong with it
  bool done = false;
  ExchangeResult result;
};

/// Talks to one player. Single-threaded: other open requests continue while it waits for one. Once
/// `stop` is requested, it waits for nothing but the answer to a farewell.
class Peer {
 public:
  using Pointer = std::shared_ptr<const Talk>;

  /// How long a host waits for an answer that needs no thinking.
  static constexpr std::chrono::milliseconds kPrompt{5000};

  explicit Peer(Address address, std::stop_token stop = {});

  /// A POST of one message, framed like that host does.
  [[nodiscard]] Exchange message(std::string_view text, std::chrono::milliseconds limit = kPrompt,
                                 Dialect dialect = Dialect::GgpBase) const;
  /// Unmodified bytes.
  [[nodiscard]] Exchange bytes(std::vector<Piece> pieces,
                               std::chrono::milliseconds limit = kPrompt) const;

  /// Begins an exchange; `sent` describes it for people.
  Pointer start(std::string sent, Exchange exchange);
  /// The talk is not `done` if it was interrupted.
  const Talk& wait(const Pointer& talk);
  Talk ask(std::string_view text, std::chrono::milliseconds limit = kPrompt,
           Dialect dialect = Dialect::GgpBase);
  Talk exchange(std::string sent, Exchange exchange) {
    return wait(start(std::move(sent), std::move(exchange)));
  }
  /// A message that is sent, and whose answer is awaited, even after an interruption.
  void farewell(std::string_view text);
  /// Lets open requests continue for this long, unless it is interrupted.
  void pause(std::chrono::milliseconds time);

  [[nodiscard]] const Address& address() const { return address_; }
  boost::asio::io_context& context() { return context_; }

 private:
  Address address_;
  boost::asio::io_context context_{1};
  std::stop_token stop_;
  std::stop_callback<std::function<void()>> wake_up_;  // last: it uses the rest
};

/// Clients that send a request a byte at a time and never end it; those that the player drops
/// reconnect. They are active while the peer waits for anything.
class SlowClients {
 public:
  SlowClients(Peer& peer, std::size_t count);
  ~SlowClients();
  SlowClients(const SlowClients&) = delete;
  SlowClients& operator=(const SlowClients&) = delete;

 private:
  void begin(std::size_t client);
  Peer& peer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::vector<Cancel> cancel_;
};

}  // namespace ludens::server
