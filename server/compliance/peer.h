// SPDX-License-Identifier: MIT
// The player under test, as the cases talk to it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/client.h"

namespace ludens::server {

/// One request and what came of it.
struct Talk {
  std::string sent;  // for people: the message, or what was wrong with it
  bool done = false;
  ExchangeResult result;
  TimePoint ended;  // when the result was there
};

/// Speaks with one player. Single-threaded: requests under way go on while one is waited for.
class Peer {
 public:
  using Pointer = std::shared_ptr<const Talk>;

  /// What a host waits for an answer that needs no thinking.
  static constexpr std::chrono::milliseconds kPrompt{5000};

  explicit Peer(Address address) : address_(std::move(address)) {}

  /// A POST of one message, framed as that host does it.
  [[nodiscard]] Exchange message(std::string_view text, std::chrono::milliseconds limit = kPrompt,
                                 Dialect dialect = Dialect::GgpBase) const;
  /// Bytes as they are.
  [[nodiscard]] Exchange bytes(std::vector<Piece> pieces,
                               std::chrono::milliseconds limit = kPrompt) const;

  /// Begins; `sent` is what people see of it.
  Pointer start(std::string sent, Exchange exchange);
  const Talk& wait(const Pointer& talk);
  Talk ask(std::string_view text, std::chrono::milliseconds limit = kPrompt,
           Dialect dialect = Dialect::GgpBase);
  Talk exchange(std::string sent, Exchange exchange) {
    return wait(start(std::move(sent), std::move(exchange)));
  }
  /// Lets what is under way go on for so long.
  void pause(std::chrono::milliseconds time);

  [[nodiscard]] const Address& address() const { return address_; }
  boost::asio::io_context& context() { return context_; }

 private:
  Address address_;
  boost::asio::io_context context_{1};
};

/// Clients that send a request a byte at a time and never end it; those that the player drops come
/// again. They are there while the peer waits for anything.
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
