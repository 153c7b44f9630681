// SPDX-License-Identifier: MIT
#include "server/compliance/expectation.h"

#include "gdl/text/syntax.h"
#include "server/player/protocol.h"
#include "server/records/match_record.h"

namespace ludens::server {
namespace {

using Kind = ExchangeResult::Kind;
constexpr std::size_t kShown = 300;

/// The text shortened, on one line, as valid UTF-8.
std::string shown(const std::string& text) {
  std::string out = storable(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "");
  for (char& c : out) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  return out;
}

std::string got(const ExchangeResult& result) {
  if (result.kind != Kind::Reply) return "(" + result.problem + ")";
  const std::string status =
      result.head.status == 200 ? "" : std::to_string(result.head.status) + " ";
  return status + shown(result.body);
}

Outcome outcome(Outcome::Verdict verdict, const Talk& talk, std::string why) {
  return {verdict, shown(talk.sent), got(talk.result), talk.result.latency_ms, std::move(why)};
}

std::optional<std::string> no_reply(const ExchangeResult& result) {
  if (result.kind == Kind::Reply) return std::nullopt;
  return "a reply is expected";
}

std::optional<std::string> unless(bool good, std::string expected) {
  if (good) return std::nullopt;
  return expected;
}

}  // namespace

Outcome expect(const Talk& talk, std::initializer_list<Expectation> expectations) {
  for (const Expectation& expectation : expectations) {
    if (auto problem = expectation(talk.result)) return failed(talk, std::move(*problem));
  }
  return outcome(Outcome::Verdict::Passed, talk, {});
}

Outcome failed(const Talk& talk, std::string why) {
  return outcome(Outcome::Verdict::Failed, talk, std::move(why));
}

Outcome skipped(const Talk& talk, std::string why) {
  return outcome(Outcome::Verdict::Skipped, talk, std::move(why));
}

std::string normal_text(const std::string& body) {
  const gdl::ParsedText parsed = gdl::parse(body);
  if (!parsed.errors.empty()) return body;
  std::string out;
  for (const gdl::NodeIndex form : parsed.tree.forms()) {
    out += (out.empty() ? "" : " ") + parsed.tree.print(form);
  }
  return out;
}

Expectation says(std::string word) {
  return [word = std::move(word)](const ExchangeResult& result) -> std::optional<std::string> {
    if (auto problem = no_reply(result)) return problem;
    return unless(result.head.status == 200 && gdl::fold_case(normal_text(result.body)) == word,
                  "the reply is '" + word + "'");
  };
}

Expectation is_info(std::string status) {
  return [status = std::move(status)](const ExchangeResult& result) -> std::optional<std::string> {
    if (auto problem = no_reply(result)) return problem;
    const InfoReply said = read_info_reply(result.body);
    const bool known = said.status == "available" || said.status == "busy";
    return unless(!said.name.empty() && (status.empty() ? known : said.status == status),
                  "the reply is ( ( name NAME ) ( status " +
                      (status.empty() ? "available or busy" : status) + " ) )");
  };
}

Expectation has_status(int status) {
  return [status](const ExchangeResult& result) -> std::optional<std::string> {
    if (auto problem = no_reply(result)) return problem;
    return unless(result.head.status == status, "the status is " + std::to_string(status));
  };
}

Expectation is_refused() {
  return [](const ExchangeResult& result) {
    const bool closed = result.kind == Kind::NoReply;
    return unless(closed || (result.kind == Kind::Reply && result.head.status >= 400),
                  "it is refused with an error status, or the connection is closed");
  };
}

Expectation is_closed() {
  return [](const ExchangeResult& result) {
    return unless(result.closed, "the connection is closed after the reply");
  };
}

Expectation has_exact_length() {
  return [](const ExchangeResult& result) {
    return unless(!result.head.body.chunked && result.head.body.length == result.received,
                  "Content-Length is the number of bytes, and the reply is not chunked");
  };
}

Expectation has_header(std::string name, std::string value) {
  return [name = std::move(name), value = std::move(value)](const ExchangeResult& result) {
    return unless(result.head.headers.find(name) == value,
                  "there is a header " + name + ": " + value);
  };
}

Expectation is_one_line() {
  return [](const ExchangeResult& result) {
    return unless(result.body.find_first_of("\r\n") == std::string::npos, "the reply is one line");
  };
}

}  // namespace ludens::server
