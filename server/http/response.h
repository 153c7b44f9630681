// SPDX-License-Identifier: MIT
// Replies as values, and replies that continue.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/http/head.h"

namespace ludens::server {

/// The open end of a reply of unknown length: what is sent follows its body, until one side closes.
/// All calls must be on the I/O thread of the server.
class ReplyStream {
 public:
  ReplyStream() = default;
  ReplyStream(const ReplyStream&) = delete;
  ReplyStream& operator=(const ReplyStream&) = delete;
  virtual ~ReplyStream() = default;
  /// Does nothing once the connection is gone.
  virtual void send(std::shared_ptr<const std::string> bytes) = 0;
  /// Closes without waiting for unsent bytes.
  virtual void drop() = 0;
  [[nodiscard]] virtual bool gone() const = 0;
  /// The number of bytes that are not sent yet.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "text/acl";
  std::string body;
  Headers headers;  // in addition to those that every reply has
  /// If set, the reply has no length, and what is sent to the stream follows its body.
  std::function<void(std::shared_ptr<ReplyStream>)> opened = {};
};

/// The kind of clients of a server.
enum class Audience {
  Hosts,    // HTTP/1.0, with bodies like those of hosts (framing.h)
  Browsers  // strict HTTP/1.1
};

/// The CORS headers of ggp-base players, for pages of that origin (`*`: of all).
void add_cors_headers(Headers& headers, std::string origin);
/// Headers that prevent a page from being framed by others, and from communicating with any server
/// but its own.
void add_page_headers(Headers& headers);

/// The head of a reply: exact Content-Length unless it is a stream, and `Connection: close`. Hosts
/// need each of these (PROTOCOL.md, "Framing").
std::string print_head(const Response& response, Audience audience);

}  // namespace ludens::server
