// SPDX-License-Identifier: MIT
#include "server/http/chunks.h"

#include <algorithm>

namespace ludens::server {
namespace {

/// The number of digits of a 64-bit size; leading zeros count.
constexpr int kMaxDigits = 16;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Whether it may occur in an extension or in a field's value.
bool is_text(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

/// Whether it may occur in a field's name (RFC 9110, section 5.6.2).
bool is_token(char c) {
  const bool alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return alphanumeric ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

}  // namespace

ChunkDecoder::State ChunkDecoder::next(std::string_view& bytes, std::string_view& data) {
  data = {};
  while (!bytes.empty()) {
    if (at_ == At::Data) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size_, bytes.size()));
      data = bytes.substr(0, part);
      bytes.remove_prefix(part);
      size_ -= part;
      if (size_ == 0) at_ = At::DataCr;
      return State::More;
    }
    const State state = read(bytes.front());
    bytes.remove_prefix(1);
    if (state != State::More) return state;
  }
  return State::More;
}

ChunkDecoder::State ChunkDecoder::expect(char c, char expected, At at) {
  if (c != expected) return State::Malformed;
  at_ = at;
  return State::More;
}

ChunkDecoder::State ChunkDecoder::read(char c) {
  switch (at_) {
    case At::SizeStart:
    case At::Size:
      return read_size(c);
    case At::Padding:
      return read_padding(c);
    case At::Extension:
      return read_extension(c);
    case At::SizeEnd:
      return size_ended(c);
    case At::DataCr:
      return expect(c, '\r', At::DataLf);
    case At::DataLf:
      return expect(c, '\n', At::SizeStart);
    case At::LastLf:
      return c == '\n' ? State::Complete : State::Malformed;
    default:
      return read_trailer(c);
  }
}

ChunkDecoder::State ChunkDecoder::read_size(char c) {
  if (const int digit = hex_value(c); digit >= 0) {
    if (at_ == At::SizeStart) size_ = 0, digits_ = 0;
    if (++digits_ > kMaxDigits) return State::Malformed;
    size_ = size_ << 4 | static_cast<std::uint64_t>(digit);
    at_ = At::Size;
    return State::More;
  }
  return at_ == At::SizeStart ? State::Malformed : read_padding(c);
}

/// Reads what follows the size: old servers pad it with blanks.
ChunkDecoder::State ChunkDecoder::read_padding(char c) {
  if (c == ';') at_ = At::Extension;
  if (c == ';' || c == '\r') return read_extension(c);
  at_ = At::Padding;
  return is_blank(c) ? read_extension(c) : State::Malformed;
}

ChunkDecoder::State ChunkDecoder::read_extension(char c) {
  if (++extensions_ > kMaxExtensions) return State::Malformed;
  if (c == '\r') return expect(c, '\r', At::SizeEnd);
  return is_text(c) ? State::More : State::Malformed;
}

ChunkDecoder::State ChunkDecoder::size_ended(char c) {
  if (c != '\n') return State::Malformed;
  if (size_ > left_) return State::TooLarge;
  left_ -= size_;
  at_ = size_ == 0 ? At::TrailerStart : At::Data;
  return State::More;
}

ChunkDecoder::State ChunkDecoder::read_trailer(char c) {
  if (at_ == At::TrailerStart && c == '\r') return expect(c, '\r', At::LastLf);
  if (++trailers_ > kMaxTrailers) return State::Malformed;
  switch (at_) {
    case At::TrailerName:
      if (c == ':') return expect(c, ':', At::TrailerValue);
      [[fallthrough]];
    case At::TrailerStart:
      at_ = At::TrailerName;
      return is_token(c) ? State::More : State::Malformed;
    case At::TrailerValue:
      if (c == '\r') return expect(c, '\r', At::TrailerEnd);
      return is_text(c) ? State::More : State::Malformed;
    default:
      return expect(c, '\n', At::TrailerStart);
  }
}

}  // namespace ludens::server
