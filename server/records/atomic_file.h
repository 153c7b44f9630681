// SPDX-License-Identifier: MIT
// Writes files completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace ludens::server {

enum class Durability {
  Renamed,  // other processes see the old file or the new one; a power cut may lose the new one
  Synced,   // on the disk when the call returns
};

/// Writes a temporary file next to `file` and renames it. On failure the old file stays, and
/// nothing is left behind. If `file` is a link, its target is replaced; a device or a pipe is
/// written to directly.
std::error_code write_atomically(const std::filesystem::path& file, std::string_view content,
                                 Durability durability);

/// Tests whether `write_atomically` could write to the folder, by writing a byte next to the file,
/// or to a device, by writing nothing to it. This shows before long work that its result could not
/// be stored.
std::error_code try_writing(const std::filesystem::path& file);

}  // namespace ludens::server
