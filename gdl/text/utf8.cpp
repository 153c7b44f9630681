// SPDX-License-Identifier: MIT
#include "gdl/text/utf8.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

/// The encoding that the first characters show, which are a byte-order mark or letters of ASCII;
/// null for UTF-8.
const char* wide_encoding(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, 4);
  const bool pairs = first.size() == 4;
  const std::ptrdiff_t zeros = std::ranges::count(first, '\0');
  if (pairs && zeros == 3) return "UTF-32";
  if (first == std::string_view("\xff\xfe\0\0", 4)) return "UTF-32";
  if (first == std::string_view("\0\0\xfe\xff", 4)) return "UTF-32";
  if (first.starts_with("\xff\xfe") || first.starts_with("\xfe\xff")) return "UTF-16";
  if (pairs && zeros == 2 && (first[0] == '\0') == (first[2] == '\0')) return "UTF-16";
  return nullptr;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<std::string> why_not_utf8(std::string_view bytes) {
  const char* const encoding = wide_encoding(bytes);
  if (encoding == nullptr) return std::nullopt;
  return "the text is in " + std::string(encoding) + ", and only UTF-8 is read: save it as UTF-8";
}

std::size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (bytes.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool outside = (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f);
    return follows(1) && follows(2) && follows(3) && !outside ? 4 : 0;
  }
  return 0;
}

}  // namespace ludens::gdl
