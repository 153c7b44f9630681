// SPDX-License-Identifier: MIT
// Reads whole files, and writes to file descriptors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "gdl/text/error.h"

namespace ludens::gdl {

/// A whole file, or the reason why it can't be read.
Result<std::string, std::error_code> read_file(const std::filesystem::path& file);

/// Writes the bytes to a file, pipe or socket, resuming after signals. Returns how many were
/// written; if not all, `errno` says why.
std::size_t write_all(int descriptor, std::string_view bytes) noexcept;

}  // namespace ludens::gdl
