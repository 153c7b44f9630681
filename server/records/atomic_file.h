// SPDX-License-Identifier: MIT
// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace ludens::server {

enum class Durability {
  Renamed,  // other processes see the old file or the new one; a power cut may lose the new one
  Synced,   // on the disk when the call returns
};

/// Writes a temporary file beside `file` and renames it. On failure the old file stands, and
/// nothing is left behind. Where `file` is a link, what it points to is replaced; a device or a
/// pipe is written to as it is.
std::error_code write_atomically(const std::filesystem::path& file, std::string_view content,
                                 Durability durability);

/// Whether `write_atomically` would find a folder that takes the file, by writing a byte beside it:
/// for telling before long work that its result could not be kept.
std::error_code try_writing(const std::filesystem::path& file);

}  // namespace ludens::server
