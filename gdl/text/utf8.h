// SPDX-License-Identifier: MIT
// UTF-8 in bytes that may be malformed.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::gdl {

/// Length of the well-formed sequence at the beginning of `bytes` (RFC 3629), or 0.
std::size_t utf8_length(std::string_view bytes);

}  // namespace ludens::gdl
