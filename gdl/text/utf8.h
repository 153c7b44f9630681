// SPDX-License-Identifier: MIT
// UTF-8 in bytes that may be malformed, or that are another encoding.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ludens::gdl {

/// Length of the well-formed sequence at the beginning of `bytes` (RFC 3629), or 0.
std::size_t utf8_length(std::string_view bytes);

/// U+FEFF, with which editors of Windows begin a file.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The text without the byte-order mark that some editors put before it.
std::string_view without_byte_order_mark(std::string_view text);

/// Why a text can't be read because it is in UTF-16 or UTF-32, as a sentence that says what to do;
/// nullopt for anything else.
std::optional<std::string> why_not_utf8(std::string_view bytes);

}  // namespace ludens::gdl
