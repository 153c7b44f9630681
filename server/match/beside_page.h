// SPDX-License-Identifier: MIT
// The files that a player's page may load: what lies beside it and what pages of its site share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ludens::server {

struct FileBesidePage {
  std::filesystem::path file;
  std::string_view content_type;
};

/// The file that the page in `folder` means by the target of its request; nullopt if there is none
/// that it may have. Browsers leave out `..` at the root, so that `/vendor/a.js` stands for
/// `vendor/a.js`, `../vendor/a.js` and `../../vendor/a.js`: the folder and the two above it are
/// looked at in this order. A stranger's page may read what lies beside it, but above that only
/// scripts, styles and pictures, and nowhere hidden files or other kinds than pages need.
std::optional<FileBesidePage> file_beside_page(const std::filesystem::path& folder,
                                               std::string_view target);

}  // namespace ludens::server
