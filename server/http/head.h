// SPDX-License-Identifier: MIT
// Heads of HTTP messages as values, read by Boost.Beast. Bodies are read elsewhere, because GGP
// hosts break HTTP at the end of bodies (see framing.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// Header fields in the order in which they arrived.
class Headers {
 public:
  void add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  /// The value of the first field with this name; case does not matter.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& fields() const {
    return fields_;
  }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// What a head says about the body after it.
struct BodyAnnounced {
  std::optional<std::uint64_t> length;  // Content-Length
  bool chunked = false;
  bool unknown_coding = false;  // a Transfer-Encoding that is not `chunked` alone
};

struct RequestHead {
  std::string method;  // as sent: "POST"
  std::string target;  // as sent, still encoded: "/%28INFO%29"
  int version = 11;    // 10 or 11
  bool expects_continue = false;
  bool expects_more = false;  // something unknown
  BodyAnnounced body;
  Headers headers;
};

struct ResponseHead {
  int status = 0;
  int version = 11;
  BodyAnnounced body;
  Headers headers;
};

/// Length of the head in front of `bytes`, its empty line included; nullopt if it isn't complete.
/// Lines end in CRLF or, from older hosts, in LF. An earlier call has examined `seen` bytes
/// already, so that a head that arrives byte by byte is not read repeatedly.
std::optional<std::size_t> head_length(std::string_view bytes, std::size_t seen = 0);

/// A head with more fields than this is refused.
inline constexpr std::size_t kMaxFields = 256;

/// `head` is a complete head, with its empty line. Fails with a sentence for people. As RFC 9112
/// requires or allows, it refuses control characters, blanks before a field's colon, a
/// Content-Length that is not a number, differs from another one or comes with Transfer-Encoding,
/// and a request of HTTP/1.0 with Transfer-Encoding. A field folded over several lines becomes one
/// line.
gdl::Result<RequestHead> parse_request_head(std::string_view head);
gdl::Result<ResponseHead> parse_response_head(std::string_view head);

}  // namespace ludens::server
