// SPDX-License-Identifier: MIT
// Replies as values, and replies that go on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/http/head.h"

namespace ludens::server {

/// The open end of a reply whose length is not known: what is sent follows its body, until one side
/// closes. All on the I/O thread of the server.
class ReplyStream {
 public:
  ReplyStream() = default;
  ReplyStream(const ReplyStream&) = delete;
  ReplyStream& operator=(const ReplyStream&) = delete;
  virtual ~ReplyStream() = default;
  /// Nothing, once it is gone.
  virtual void send(std::shared_ptr<const std::string> bytes) = 0;
  /// Closes without waiting for what has not left yet.
  virtual void drop() = 0;
  [[nodiscard]] virtual bool gone() const = 0;
  /// Bytes that have not left yet.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "text/acl";
  std::string body;
  Headers headers;  // beside those that every reply has
  /// Set: the reply has no length and goes on behind its body with what is sent to the stream.
  std::function<void(std::shared_ptr<ReplyStream>)> opened = {};
};

/// Whom a server speaks to.
enum class Audience {
  Hosts,    // HTTP/1.0, bodies as hosts send them (framing.h)
  Browsers  // HTTP/1.1 to the letter
};

/// The CORS headers that ggp-base players send with everything: pages of hosts talk to players.
void add_cors_headers(Headers& headers);
/// What keeps a page from being framed by others, and from loading or sending anything but to its
/// own server.
void add_page_headers(Headers& headers);

/// The head of a reply: exact Content-Length unless it is a stream, and `Connection: close`. Hosts
/// need each of these (PROTOCOL.md, "Framing").
std::string print_head(const Response& response, Audience audience);

}  // namespace ludens::server
