// SPDX-License-Identifier: MIT
#include "server/http/head.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <limits>

namespace ludens::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

std::string with_crlf(std::string_view head) {
  std::string out;
  out.reserve(head.size() + 32);
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '\n' && (i == 0 || head[i - 1] != '\r')) out += '\r';
    out += head[i];
  }
  return out;
}

/// Feeds a head to a Beast parser; returns an error's text, or an empty one.
template <class Parser>
std::optional<std::string> feed_head(Parser& parser, std::string_view head) {
  // Once it is read, each field takes several times its size.
  if (std::count(head.begin(), head.end(), '\n') > static_cast<std::ptrdiff_t>(kMaxFields + 2)) {
    return "more than " + std::to_string(kMaxFields) + " header fields";
  }
  const std::string text = with_crlf(head);
  parser.header_limit(std::numeric_limits<std::uint32_t>::max());
  parser.body_limit(boost::none);
  parser.eager(false);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(text), error);
  if (error) return error.message();
  if (!parser.is_header_done()) return "the head is not complete";
  return std::nullopt;
}

template <class Message>
Headers copy_headers(const Message& message) {
  Headers headers;
  for (const auto& field : message) {
    headers.add(std::string(field.name_string()), std::string(field.value()));
  }
  return headers;
}

template <class Parser>
BodyAnnounced announced(const Parser& parser) {
  BodyAnnounced body;
  body.chunked = parser.chunked();
  if (const auto length = parser.content_length()) body.length = *length;
  const auto coding = parser.get().find(http::field::transfer_encoding);
  body.unknown_coding = coding != parser.get().end() && !beast::iequals(coding->value(), "chunked");
  return body;
}

}  // namespace

std::optional<std::string_view> Headers::find(std::string_view name) const {
  for (const auto& [key, value] : fields_) {
    if (beast::iequals(key, {name.data(), name.size()})) return value;
  }
  return std::nullopt;
}

std::optional<std::size_t> head_length(std::string_view bytes, std::size_t seen) {
  // The end of the last line may already have been read, but not the empty line after it: at most
  // "\n\r".
  for (std::size_t at = bytes.find('\n', seen - std::min<std::size_t>(seen, 2));
       at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.substr(0, 1) == "\n") return at + 2;
    if (rest.substr(0, 2) == "\r\n") return at + 3;
  }
  return std::nullopt;
}

gdl::Result<RequestHead> parse_request_head(std::string_view head) {
  http::request_parser<http::empty_body> parser;
  if (auto problem = feed_head(parser, head)) return gdl::Error{std::move(*problem)};
  const auto& message = parser.get();
  RequestHead out;
  out.method = std::string(message.method_string());
  out.target = std::string(message.target());
  out.version = static_cast<int>(message.version());
  // A client of HTTP/1.0 does not know what to make of an interim reply.
  const auto expects = message.find(http::field::expect);
  if (expects != message.end() && out.version > 10) {
    out.expects_continue = beast::iequals(expects->value(), "100-continue");
    out.expects_more = !out.expects_continue;
  }
  out.body = announced(parser);
  if (out.version == 10 && (out.body.chunked || out.body.unknown_coding)) {
    return gdl::Error{"HTTP/1.0 has no Transfer-Encoding"};
  }
  out.headers = copy_headers(message);
  return out;
}

gdl::Result<ResponseHead> parse_response_head(std::string_view head) {
  http::response_parser<http::empty_body> parser;
  if (auto problem = feed_head(parser, head)) return gdl::Error{std::move(*problem)};
  const auto& message = parser.get();
  ResponseHead out;
  out.status = static_cast<int>(message.result_int());
  out.version = static_cast<int>(message.version());
  out.body = announced(parser);
  out.headers = copy_headers(message);
  return out;
}

}  // namespace ludens::server
