// SPDX-License-Identifier: MIT
// What readers of XML, JSON and lists of lines share: lines and columns of a text whose parser only
// knows offsets, and trimming of white space.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::server {

/// Both count from 1, columns in bytes.
struct TextPlace {
  int line = 1, column = 1;
};

/// The place of the byte at `offset`; offsets outside count as the nearest end.
TextPlace text_place(std::string_view text, std::ptrdiff_t offset);

/// The text without white space around it; a part of `text`.
std::string_view trimmed(std::string_view text);

}  // namespace ludens::server
