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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace ludens::server
