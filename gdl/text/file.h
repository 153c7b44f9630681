// SPDX-License-Identifier: MIT
// Files as text.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "gdl/text/error.h"

namespace ludens::gdl {

/// A whole file, or the reason why it can't be read.
Result<std::string, std::error_code> read_file(const std::filesystem::path& file);

}  // namespace ludens::gdl
