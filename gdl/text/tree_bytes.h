// SPDX-License-Identifier: MIT
// How much memory a text takes once it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace ludens::gdl {

/// Bytes that the SyntaxTree of this text takes at most, the text itself left out. One pass.
std::size_t tree_bytes(std::string_view text);

}  // namespace ludens::gdl
