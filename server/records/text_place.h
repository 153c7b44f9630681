// SPDX-License-Identifier: MIT
// Lines and columns of a text in a format whose parser knows offsets alone.
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

}  // namespace ludens::server
