// SPDX-License-Identifier: MIT
#include "server/http/framing.h"

#include <boost/url/decode_view.hpp>
#include <boost/url/pct_string_view.hpp>

namespace ludens::server {

using namespace std::chrono_literals;

std::size_t ParenthesisCount::feed(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const long before = depth_;
    read(bytes[i]);
    if (depth_ < before && depth_ <= 0) return i + 1;
  }
  return bytes.size();
}

void ParenthesisCount::read(char c) {
  switch (where_) {
    case Where::LineComment:
      if (c == '\n' || c == '\r') where_ = Where::Between;
      return;
    case Where::BlockComment:
      if (c == '|') where_ = Where::BlockBar;
      return;
    case Where::BlockBar:
      if (c == '#') where_ = Where::Between;
      if (c != '#' && c != '|') where_ = Where::BlockComment;
      return;
    case Where::Hash:
      if (c == '|') {
        where_ = Where::BlockComment;
        return;
      }
      break;
    default:
      break;
  }
  read_text(c);
}

void ParenthesisCount::read_text(char c) {
  switch (c) {
    case '(':
      ++depth_;
      where_ = Where::Between;
      return;
    case ')':
      --depth_;
      closed_ = true;
      where_ = Where::Between;
      return;
    case ';':
      where_ = Where::LineComment;
      return;
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '\v':
    case '\f':
      where_ = Where::Between;
      return;
    default:
      where_ = c == '#' && where_ == Where::Between ? Where::Hash : Where::Atom;
  }
}

BodyReader::BodyReader(const BodyAnnounced& announced, std::size_t max_bytes, BodyRule rule,
                       HeldBytes memory)
    : announced_(announced), max_bytes_(max_bytes), rule_(rule), memory_(std::move(memory)) {
  if (announced.chunked) chunks_.emplace(max_bytes);
  if (rule == BodyRule::Plain && !announced.chunked && !announced.length) announced_.length = 0;
}

BodyReader::State BodyReader::feed(std::string_view bytes) {
  if (chunks_) return feed_chunks(bytes);
  return announced_.length ? feed_announced(bytes) : feed_to_balance(bytes);
}

/// Grows by doubling, to exactly what has been reserved. Returns NoMemory or `state`.
BodyReader::State BodyReader::append(std::string_view bytes, State state) {
  const std::size_t needed = body_.size() + bytes.size();
  if (needed > max_bytes_) return State::TooLarge;
  if (needed > body_.capacity()) {
    const std::size_t capacity = std::min(std::max(needed, 2 * body_.capacity()), max_bytes_);
    if (!memory_.resize(capacity)) return State::NoMemory;
    std::string larger;
    larger.reserve(capacity);
    larger += body_;
    body_ = std::move(larger);
  }
  body_ += bytes;
  return state;
}

BodyReader::State BodyReader::feed_chunks(std::string_view bytes) {
  while (!bytes.empty()) {
    std::string_view data;
    switch (chunks_->next(bytes, data)) {
      case ChunkDecoder::State::More:
        break;
      case ChunkDecoder::State::Complete:
        return State::Complete;
      case ChunkDecoder::State::TooLarge:
        return State::TooLarge;
      case ChunkDecoder::State::Malformed:
        return State::Malformed;
    }
    const State state = append(data, State::More);
    if (state != State::More) return state;
  }
  return State::More;
}

BodyReader::State BodyReader::feed_announced(std::string_view bytes) {
  if (*announced_.length > max_bytes_) return State::TooLarge;
  const auto length = static_cast<std::size_t>(*announced_.length);
  if (body_.size() < length) {
    std::string_view part = bytes.substr(0, length - body_.size());
    const State state = append(part, State::More);
    if (state != State::More) return state;
    bytes.remove_prefix(part.size());
    if (rule_ != BodyRule::Plain) {
      while (!part.empty()) part.remove_prefix(count_.feed(part));
    }
  }
  if (body_.size() < length) return State::More;
  if (count_.balanced()) return State::Complete;
  const std::size_t used = count_.feed(bytes);
  return append(bytes.substr(0, used), count_.balanced() ? State::Complete : State::More);
}

BodyReader::State BodyReader::feed_to_balance(std::string_view bytes) {
  const std::size_t used = count_.feed(bytes);
  return append(bytes.substr(0, used), count_.list_closed() ? State::Complete : State::More);
}

/// A browser that announces a length and sends less has aborted.
BodyReader::State BodyReader::end_of_stream() {
  const bool whole = rule_ != BodyRule::Plain || body_.size() >= announced_.length.value_or(0);
  return chunks_ || !whole ? State::Malformed : State::Complete;
}

std::optional<std::chrono::milliseconds> BodyReader::patience() const {
  if (chunks_) return std::nullopt;
  if (announced_.length) {
    if (body_.size() < *announced_.length) return std::nullopt;
    return 200ms;
  }
  // A request with no length and no bytes: a ping without a body. This is longer than any delay
  // between a head and its body that a network causes.
  const bool blank = body_.find_first_not_of(" \t\r\n") == std::string::npos;
  if (rule_ == BodyRule::Hosts && blank) return 1000ms;
  return std::nullopt;
}

std::string BodyReader::take() {
  return std::move(body_);
}

std::optional<std::string> decode_target(std::string_view target) {
  if (target.substr(0, 1) == "/") target.remove_prefix(1);
  const auto encoded = boost::urls::make_pct_string_view({target.data(), target.size()});
  if (!encoded) return std::nullopt;
  boost::urls::encoding_opts options;
  options.space_as_plus = true;
  return encoded->decode(options);
}

}  // namespace ludens::server
