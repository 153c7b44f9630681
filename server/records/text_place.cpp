// SPDX-License-Identifier: MIT
#include "server/records/text_place.h"

namespace ludens::server {

TextPlace text_place(std::string_view text, std::ptrdiff_t offset) {
  TextPlace place;
  for (std::ptrdiff_t i = 0; i < offset && i < std::ssize(text); ++i) {
    if (text[static_cast<std::size_t>(i)] == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
  }
  return place;
}

}  // namespace ludens::server
