// SPDX-License-Identifier: MIT
// What readers of XML, JSON and lists of lines share: lines and columns of a text whose parser
// knows offsets alone, and text without white space around it.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::server {

/// Both count from 1, columns in bytes.
struct TextPlace {
  int line = 1, column = 1;
};

/// Of the byte at `offset`; offsets outside stand for the nearest end.
TextPlace text_place(std::string_view text, std::ptrdiff_t offset);

/// Without white space around it; a part of `text`.
std::string_view trimmed(std::string_view text);

}  // namespace ludens::server
