// SPDX-License-Identifier: MIT
// Makes foreign text (names of rulesheets, moves, replies, records) safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ludens::gdl {

/// The text as one line that a terminal only shows: control characters (C0, DEL, C1, line ends
/// included), marks that change the direction of writing, and bytes that are not UTF-8 are written
/// as `\x1b` or `\u202e`. All text from outside passes through this or `printable_lines` before it
/// reaches a terminal; JSON, HTML and files have their own escapes.
std::string printable(std::string_view text);

/// The same, but line ends are kept.
std::string printable_lines(std::string_view text);

}  // namespace ludens::gdl
