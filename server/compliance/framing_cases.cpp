// SPDX-License-Identifier: MIT
// How hosts frame their requests, and what they need of replies (server/PROTOCOL.md, "Framing").
#include "server/compliance/expectation.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kInfo = "( INFO )";

Outcome info_in(Trial& trial, Dialect dialect) {
  return expect(trial.peer.ask(kInfo, Peer::kPrompt, dialect), {is_info()});
}

/// Sends INFO in a frame of its own, which `sent` describes.
Talk framed(Trial& trial, std::string sent, std::vector<Piece> pieces, bool end = false) {
  Exchange exchange = trial.peer.bytes(std::move(pieces));
  exchange.end_after_sending = end;
  return trial.peer.exchange(std::move(sent), std::move(exchange));
}
Talk framed(Trial& trial, std::string sent, std::string bytes, bool end = false) {
  return framed(trial, std::move(sent), std::vector<Piece>{{std::move(bytes), 0ms}}, end);
}

Outcome reply_frame(Trial& trial) {
  return expect(trial.peer.ask(kInfo), {is_info(), has_status(200), is_closed(), has_exact_length(),
                                        has_header("Content-Type", "text/acl"), is_one_line()});
}

Outcome tiltyard_ping(Trial& trial) {
  return expect(framed(trial, "a POST with an empty body, text/plain",
                       "POST / HTTP/1.0\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"),
                {is_info()});
}

Outcome no_headers(Trial& trial) {
  return expect(framed(trial, "( INFO ) without headers, the connection left open",
                       "POST / HTTP/1.0\r\n\r\n( INFO )"),
                {is_info()});
}

Outcome ends_with_stream(Trial& trial) {
  return expect(framed(trial, "( INFO ) without headers, then the end of the stream",
                       "POST / HTTP/1.0\r\n\r\n( INFO )\r\n", true),
                {is_info()});
}

Outcome line_feeds(Trial& trial) {
  return expect(framed(trial, "( INFO ) with lines that end in LF alone",
                       "POST / HTTP/1.0\nAccept: text/delim\nContent-length: 8\n\n( INFO )\n"),
                {is_info()});
}

/// ggp-base counts characters: here the length is three short of the bytes.
Outcome length_in_characters(Trial& trial) {
  const std::string message = "( ABORT m\xc3\xa4tch\xc3\xb6\xc3\xbc )";
  const std::string head =
      "POST / HTTP/1.0\r\nContent-Length: " + std::to_string(message.size() - 3) + "\r\n\r\n";
  return expect(framed(trial, message + " with its length in characters", head + message),
                {says("busy")});
}

Outcome trailing_bytes(Trial& trial) {
  return expect(framed(trial, "( INFO ), then a line end that Content-Length leaves out",
                       "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )\r\n"),
                {is_info()});
}

Outcome byte_by_byte(Trial& trial) {
  std::vector<Piece> pieces;
  for (const char c : post_request(trial.peer.address(), {}, kInfo)) {
    pieces.push_back({std::string(1, c), 2ms});
  }
  return expect(framed(trial, "( INFO ) a byte at a time", std::move(pieces)), {is_info()});
}

Outcome head_then_body(Trial& trial) {
  return expect(
      framed(trial, "( INFO ), its body half a second after its head",
             {{"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n", 0ms}, {"( INFO )", 500ms}}),
      {is_info()});
}

Outcome expect_continue(Trial& trial) {
  return expect(framed(trial, "( INFO ) with Expect: 100-continue",
                       {{"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                         "Content-Length: 8\r\n\r\n",
                         0ms},
                        {"( INFO )", 300ms}}),
                {is_info()});
}

Outcome get_message(Trial& trial) {
  const Talk encoded = framed(trial, "GET /%28INFO%29",
                              "GET /%28INFO%29 HTTP/1.0\r\nAccept: text/delim\r\n\r\n\r\n");
  const Outcome outcome = expect(encoded, {is_info()});
  if (outcome.verdict != Outcome::Verdict::Passed) return outcome;
  return expect(framed(trial, "GET /%28+INFO+%29", "GET /%28+INFO+%29 HTTP/1.0\r\n\r\n"),
                {is_info()});
}

Outcome get_page(Trial& trial) {
  return expect(framed(trial, "GET /", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), {has_status(200)});
}

Outcome get_other(Trial& trial) {
  return expect(framed(trial, "GET /favicon.ico", "GET /favicon.ico HTTP/1.1\r\nHost: x\r\n\r\n"),
                {has_status(404)});
}

Outcome options(Trial& trial) {
  return expect(framed(trial, "OPTIONS /", "OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n"),
                {has_status(200), is_closed()});
}

constexpr std::string_view kOrigin = "Origin: http://ludens-compliance.example\r\n";
constexpr std::string_view kAllowed = "Access-Control-Allow-Origin";

/// A page needs the permission of the preflight and that of the reply. A player that lets no page
/// in gives neither, and does nothing for it.
Outcome cors(Trial& trial) {
  const Talk asked = framed(trial, "OPTIONS / of a page",
                            "OPTIONS / HTTP/1.1\r\nHost: x\r\n" + std::string(kOrigin) +
                                "Access-Control-Request-Method: POST\r\n\r\n");
  const Talk told = framed(trial, "( INFO ) of a page",
                           "POST / HTTP/1.1\r\nHost: x\r\n" + std::string(kOrigin) +
                               "Content-Type: text/plain\r\nContent-Length: 8\r\n\r\n( INFO )");
  if (asked.result.head.headers.find(kAllowed)) {
    const Outcome permission = expect(
        asked, {has_status(200), has_header("Access-Control-Allow-Headers", "Content-Type")});
    if (permission.verdict != Outcome::Verdict::Passed) return permission;
    const auto same = [&](const ExchangeResult& result) -> std::optional<std::string> {
      if (result.head.headers.find(kAllowed) == asked.result.head.headers.find(kAllowed)) {
        return std::nullopt;
      }
      return "the reply lets another origin in than the preflight";
    };
    return expect(told, {is_info(), same});
  }
  const auto none = [](const ExchangeResult& result) -> std::optional<std::string> {
    if (!result.head.headers.find(kAllowed)) return std::nullopt;
    return "the reply lets a page in that the preflight has refused";
  };
  return expect(told, {has_status(403), none});
}

constexpr Case kCases[] = {
    {"ggp-base", "INFO as ggp-base frames it",
     [](Trial& trial) { return info_in(trial, Dialect::GgpBase); }},
    {"tiltyard", "INFO as Tiltyard frames it",
     [](Trial& trial) { return info_in(trial, Dialect::Tiltyard); }},
    {"dresden", "INFO as Dresden frames it, without Host",
     [](Trial& trial) { return info_in(trial, Dialect::Dresden); }},
    {"reply-frame", "200, text/acl, exact Content-Length, one line, connection closed",
     reply_frame},
    {"empty-body", "a POST without a body is INFO", tiltyard_ping},
    {"no-headers", "no header is required; the outer parenthesis ends the body", no_headers},
    {"no-length", "without Content-Length the end of the stream ends the body", ends_with_stream},
    {"line-feeds", "lines may end in LF", line_feeds},
    {"length-in-characters", "the body may be longer than Content-Length says",
     length_in_characters},
    {"trailing-bytes", "bytes after the body do not lose the reply", trailing_bytes},
    {"byte-by-byte", "requests may come in many pieces", byte_by_byte},
    {"head-then-body", "the body may come later than the head", head_then_body},
    {"expect-continue", "Expect: 100-continue is honoured", expect_continue},
    {"get-message", "GET /ENCODED carries a message", get_message},
    {"get-page", "GET / shows a page", get_page},
    {"get-other", "other paths are 404", get_other},
    {"options", "OPTIONS is answered", options},
    {"cors", "a page is let in by preflight and reply, or by neither", cors},
};

}  // namespace

std::span<const Case> framing_cases() {
  return kCases;
}

}  // namespace ludens::server
