#include "server/http/head.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <limits>
#include <sstream>

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

/// Feeds a head to a Beast parser; an error's text, or nothing.
template <class Parser>
std::optional<std::string> feed_head(Parser& parser, std::string_view head) {
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
  // The last line's end may have been seen, and the empty line behind it not: at most "\n\r".
  for (std::size_t at = bytes.find('\n', seen - std::min<std::size_t>(seen, 2));
       at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.substr(0, 1) == "\n") return at + 2;
    if (rest.substr(0, 2) == "\r\n") return at + 3;
  }
  return std::nullopt;
}

std::variant<RequestHead, std::string> parse_request_head(std::string_view head) {
  http::request_parser<http::empty_body> parser;
  if (auto problem = feed_head(parser, head)) return *problem;
  const auto& message = parser.get();
  RequestHead out;
  out.method = std::string(message.method_string());
  out.target = std::string(message.target());
  out.version = static_cast<int>(message.version());
  out.expects_continue = beast::iequals(message[http::field::expect], "100-continue");
  out.body = announced(parser);
  out.headers = copy_headers(message);
  return out;
}

std::variant<ResponseHead, std::string> parse_response_head(std::string_view head) {
  http::response_parser<http::empty_body> parser;
  if (auto problem = feed_head(parser, head)) return *problem;
  const auto& message = parser.get();
  ResponseHead out;
  out.status = static_cast<int>(message.result_int());
  out.version = static_cast<int>(message.version());
  out.body = announced(parser);
  out.headers = copy_headers(message);
  return out;
}

std::string print(const Response& response) {
  http::response<http::string_body> message{static_cast<http::status>(response.status), 10};
  message.set(http::field::content_type, response.content_type);
  message.set(http::field::connection, "close");
  message.set(http::field::access_control_allow_origin, "*");
  message.set(http::field::access_control_allow_methods, "POST, GET, OPTIONS");
  message.set(http::field::access_control_allow_headers, "Content-Type");
  message.set("Access-Control-Allow-Age", "86400");
  message.set(http::field::access_control_max_age, "86400");
  for (const auto& [name, value] : response.headers.fields()) message.set(name, value);
  message.body() = response.body;
  message.content_length(response.body.size());
  std::ostringstream out;
  out << message;
  return std::move(out).str();
}

}  // namespace ludens::server
