// SPDX-License-Identifier: MIT
// Styles of text on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ludens::server {

enum class Style : std::uint8_t { Plain, Heading, Faint, Good, Doubtful, Bad };

/// The text between escape sequences (ECMA-48, SGR), which take no room; `Plain` adds none.
std::string painted(std::string_view text, Style style);

/// The text for this file: painted if that is a terminal and NO_COLOR is not set, otherwise plain.
std::string painted_for(int file, std::string_view text, Style style);

}  // namespace ludens::server
