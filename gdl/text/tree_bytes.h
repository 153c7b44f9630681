// SPDX-License-Identifier: MIT
// How much memory a parsed text takes.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::gdl {

/// The most bytes that the SyntaxTree of this text can take, without the text itself. Takes one
/// pass.
std::size_t tree_bytes(std::string_view text);

}  // namespace ludens::gdl
