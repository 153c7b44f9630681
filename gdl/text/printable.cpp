// SPDX-License-Identifier: MIT
#include "gdl/text/printable.h"

#include <array>
#include <cstdint>

#include "gdl/text/utf8.h"

namespace ludens::gdl {

namespace {

/// The code point of a well-formed sequence.
std::uint32_t code_point(std::string_view sequence) {
  constexpr std::array<unsigned, 5> kLeadBits{0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t code = static_cast<unsigned char>(sequence[0]) & kLeadBits[sequence.size()];
  for (const char byte : sequence.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
  }
  return code;
}

/// Marks and embeddings of the text direction, and separators of lines and paragraphs.
bool turns_text(std::uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(std::string& out, char kind, std::uint32_t code, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '\\';
  out += kind;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[code >> shift & 0xf];
}

std::string shown(std::string_view text, bool keep_line_ends) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    const std::uint32_t code =
        length == 0 ? static_cast<unsigned char>(text[0]) : code_point(sequence);
    if (length == 0 || ((code < 0x20 || code == 0x7f) && !(keep_line_ends && code == '\n'))) {
      append_escape(out, 'x', code, 2);
    } else if ((code >= 0x80 && code < 0xa0) || turns_text(code)) {
      append_escape(out, 'u', code, 4);
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return shown(text, false);
}

std::string printable_lines(std::string_view text) {
  return shown(text, true);
}

}  // namespace ludens::gdl
