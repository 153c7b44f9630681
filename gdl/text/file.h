// SPDX-License-Identifier: MIT
// Files as text, and descriptors as what takes it.
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

/// How many of the bytes an open file, pipe or socket took; where these are not all, `errno` says
/// why. Goes on where a signal interrupts it.
std::size_t write_all(int descriptor, std::string_view bytes) noexcept;

}  // namespace ludens::gdl
