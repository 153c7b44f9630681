// SPDX-License-Identifier: MIT
#include "server/live/style.h"

#include "server/live/screen.h"

namespace ludens::server {

namespace {

const char* sequence(Style style) {
  switch (style) {
    case Style::Heading:
      return "\x1b[1m";
    case Style::Faint:
      return "\x1b[2m";
    case Style::Good:
      return "\x1b[32m";
    case Style::Doubtful:
      return "\x1b[33m";
    case Style::Bad:
      return "\x1b[31m";
    case Style::Plain:
      break;
  }
  return "";
}

}  // namespace

std::string painted(std::string_view text, Style style) {
  if (style == Style::Plain || text.empty()) return std::string(text);
  return std::string(sequence(style)).append(text) + "\x1b[0m";
}

std::string painted_for(int file, std::string_view text, Style style) {
  const bool plain = !is_screen(file) || !wants_colour();
  return painted(text, plain ? Style::Plain : style);
}

}  // namespace ludens::server
