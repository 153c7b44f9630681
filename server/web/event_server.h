// SPDX-License-Identifier: MIT
// A page for browsers on this machine, with a stream of events to each, and small requests back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/wire_memory.h"

namespace ludens::server {

/// One server-sent event: its bytes, shared by all browsers that get it.
using Event = std::shared_ptr<const std::string>;

/// `data` is JSON on one line.
Event make_event(std::string_view name, std::string_view data);

/// The answer to a request.
struct PostAnswer {
  int status = 204;
  std::string text;  // for people, if it was not done
};

struct EventServerLimits {
  std::size_t browsers = 64;
  std::size_t body_bytes = std::size_t{64} << 10;
  /// Bytes that may wait for a browser in addition to those of the snapshot; a slower browser is
  /// disconnected, and gets a new snapshot when it reconnects.
  std::size_t backlog_bytes = std::size_t{8} << 20;
  std::shared_ptr<WireMemory> memory;  // for everything that waits to be sent; null: not counted
};

/// The header field in which a page sends the token.
inline constexpr std::string_view kTokenHeader = "X-Ludens-Token";

/// Runs on a separate thread, so that senders of events never wait for a browser. Only listens on
/// loopback. Requests from pages of other origins are refused: the Host must be this machine's
/// loopback name, and so must the Origin of a POST. Everyone who reaches the port may watch; a POST
/// needs the token, which is part of the address given to people.
class EventServer {
 public:
  struct Calls {
    /// The page itself.
    std::function<std::string()> page;
    /// What a newly connected browser gets, so that it knows everything that was sent before.
    std::function<std::vector<Event>()> snapshot;
    /// A POST: `/move` with its body, which is JSON or empty.
    std::function<PostAnswer(std::string_view target, std::string_view body)> post;
  };

  /// The calls come on the server's thread.
  explicit EventServer(Calls calls, const EventServerLimits& limits = {});
  /// Disconnects all browsers, after a moment for open replies.
  ~EventServer();
  EventServer(const EventServer&) = delete;
  EventServer& operator=(const EventServer&) = delete;

  /// Port 0 means a free one. Returns a sentence that says why if it fails.
  std::optional<std::string> listen(std::uint16_t port);
  [[nodiscard]] std::uint16_t port() const;
  /// 32 hexadecimal digits, different for each server. A POST must send it, in the header field or
  /// as `?token=` after the target.
  [[nodiscard]] const std::string& token() const;

  /// Any thread: runs on the server's thread, in order.
  void post(std::function<void()> function);
  /// On the server's thread.
  void broadcast(const Event& event);
  [[nodiscard]] std::size_t browsers() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
