// SPDX-License-Identifier: MIT
// UTF-8 in bytes that may be malformed.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::gdl {

/// Length of the well-formed sequence at the beginning of `bytes` (RFC 3629), or 0.
std::size_t utf8_length(std::string_view bytes);

/// U+FEFF, with which editors of Windows begin a file.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The text of a file without the mark, if it begins with one.
inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

}  // namespace ludens::gdl
