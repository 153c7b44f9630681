// SPDX-License-Identifier: MIT
// Makes foreign text (names of rulesheets, moves, replies, records) safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ludens::gdl {

/// One line that does nothing to a terminal but be shown: control characters (C0, DEL, C1), line
/// ends among them, marks that turn the direction of writing, and bytes that are no UTF-8 are
/// written as
/// `\x1b` or `\u202e`. Everything that goes to a terminal and was not written here passes through
/// this or `printable_lines`; JSON, HTML and files have escapes of their own.
std::string printable(std::string_view text);

/// The same, but line ends are kept.
std::string printable_lines(std::string_view text);

}  // namespace ludens::gdl
