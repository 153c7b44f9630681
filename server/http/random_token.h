// SPDX-License-Identifier: MIT
// Secrets by which a server recognises trusted pages.
#pragma once

#include <cstddef>
#include <string>

namespace ludens::server {

inline constexpr std::size_t kTokenLength = 32;

/// Hexadecimal digits of 128 random bits from the system.
std::string random_token();

}  // namespace ludens::server
