// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "gdl/text/syntax.h"
#include "server/http/framing.h"
#include "server/http/response.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

using server::BodyReader;
using Pieces = std::vector<std::string_view>;

constexpr std::size_t kHeadLimit = 8 << 10, kBodyLimit = 1'000;

/// All that came of a stream of bytes, as text: to compare streams that were split differently.
using Story = std::string;

std::string tell(const server::BodyAnnounced& body) {
  return (body.length ? std::to_string(*body.length) : "-") + (body.chunked ? " chunked" : "");
}
std::string tell(const server::Headers& headers) {
  std::string text;
  for (const auto& [name, value] : headers.fields()) text += name + "=" + value + "\n";
  return text;
}
std::string tell(const server::RequestHead& head) {
  return head.method + " " + head.target + " " + std::to_string(head.version) +
         (head.expects_continue ? " expects " : " ") + tell(head.body) + "\n" + tell(head.headers);
}
std::string tell(const server::ResponseHead& head) {
  return std::to_string(head.status) + " " + std::to_string(head.version) + " " + tell(head.body) +
         "\n" + tell(head.headers);
}

/// Takes a message as connections do: collects its head, then feeds its body.
template <class Head>
class Reader {
 public:
  using Parse = gdl::Result<Head> (*)(std::string_view);
  explicit Reader(Parse parse, server::BodyRule rule = server::BodyRule::Hosts)
      : parse_(parse), rule_(rule) {}

  Story read(const Pieces& pieces) {
    for (const std::string_view piece : pieces) {
      if (over_) break;
      take(piece);
    }
    if (!over_) ended();
    return std::move(story_);
  }

 private:
  void take(std::string_view bytes) {
    if (body_) return step(body_->feed(bytes));
    const std::size_t seen = head_.size();
    head_ += bytes;
    const auto length = server::head_length(head_, seen);
    if (length.value_or(head_.size()) > kHeadLimit) return finish("the head is too long");
    if (!length) return;
    require(*length <= head_.size(), "a head lies within what has come");
    const auto parsed = parse_(std::string_view(head_).substr(0, *length));
    if (!parsed) {
      require_sentence(parsed.error().text);
      return finish("bad head: " + parsed.error().text);
    }
    const Head& head = *parsed;
    story_ = tell(head);
    body_.emplace(head.body, kBodyLimit, rule_);
    step(body_->feed(std::string_view(head_).substr(*length)));
  }

  void step(BodyReader::State state) {
    switch (state) {
      case BodyReader::State::More:
        return;
      case BodyReader::State::Complete:
        return finish("complete: " + body_->take());
      case BodyReader::State::TooLarge:
        return finish("too large");
      case BodyReader::State::Malformed:
        return finish("malformed");
      case BodyReader::State::NoMemory:
        return finish("no memory");
    }
  }

  void ended() {
    if (!body_) return finish("ended within the head");
    const bool complete = body_->end_of_stream() == BodyReader::State::Complete;
    finish(complete ? "ended, complete: " + body_->take() : "ended within the body");
  }

  void finish(const std::string& how) {
    story_ += how;
    over_ = true;
  }

  Parse parse_;
  server::BodyRule rule_;
  std::string head_;
  std::optional<BodyReader> body_;
  Story story_;
  bool over_ = false;
};

/// The first line of an input says how its stream is split: a length a byte. What is left is the
/// last piece.
Pieces split(std::string_view lengths, std::string_view stream) {
  Pieces pieces;
  for (const char c : lengths) {
    const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(c), stream.size());
    pieces.push_back(stream.substr(0, length));
    stream.remove_prefix(length);
  }
  pieces.push_back(stream);
  return pieces;
}

Pieces single_bytes(std::string_view stream) {
  Pieces pieces;
  for (std::size_t i = 0; i < stream.size(); ++i) pieces.push_back(stream.substr(i, 1));
  return pieces;
}

/// However the bytes are split, the same must come of them: in one piece, byte by byte, as the
/// input says, and, where that takes little time, at each single place.
template <class Head>
void read_in_every_split(std::string_view input, gdl::Result<Head> (*parse)(std::string_view),
                         server::BodyRule rule) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view stream = input.substr(std::min(end + 1, input.size()));
  const Story whole = Reader<Head>(parse, rule).read({stream});
  const auto compare = [&](const Pieces& pieces, const std::string& how) {
    const Story other = Reader<Head>(parse, rule).read(pieces);
    require(other == whole, "in one piece: " + whole + "\n" + how + ": " + other);
  };
  compare(single_bytes(stream), "byte by byte");
  compare(split(input.substr(0, end), stream), "as the input says");
  constexpr std::size_t kFew = 32;
  for (std::size_t at = 1; at < stream.size() && stream.size() <= kFew; ++at) {
    compare({stream.substr(0, at), stream.substr(at)}, "split at " + std::to_string(at));
  }
}

/// What the parser takes as whole must not be waited for.
void count_parentheses(std::string_view text) {
  server::ParenthesisCount count;
  for (std::string_view rest = text; !rest.empty();) rest.remove_prefix(count.feed(rest));
  const bool whole = gdl::parse(std::string(text)).errors.empty();
  require(!whole || count.balanced(), "a text that parses is balanced");
}

}  // namespace

void http_server(std::string_view input) {
  for (const auto rule : {server::BodyRule::Hosts, server::BodyRule::Plain}) {
    read_in_every_split<server::RequestHead>(input, server::parse_request_head, rule);
  }
  count_parentheses(input);
  server::decode_target(input);
}

void http_client(std::string_view input) {
  read_in_every_split<server::ResponseHead>(input, server::parse_response_head,
                                            server::BodyRule::Hosts);
  server::Response response;
  response.body = std::string(input.substr(0, kBodyLimit));
  const std::string printed = print_head(response, server::Audience::Hosts) + response.body;
  const Story story = Reader<server::ResponseHead>(server::parse_response_head).read({printed});
  require(story.ends_with("complete: " + response.body), "a reply comes as it was sent: " + story);
}

}  // namespace ludens::fuzz
