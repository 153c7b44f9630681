// SPDX-License-Identifier: MIT
// Numbers as text.
#pragma once

#include <string>

namespace ludens::server {

/// One number as printf writes it, in at most 63 characters.
[[gnu::format(printf, 1, 0)]] std::string number_text(const char* format, double value);

}  // namespace ludens::server
