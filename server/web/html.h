// SPDX-License-Identifier: MIT
// The frame of all pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ludens::server {

/// A self-contained page: style, scripts, and `data` (JSON) in the element with the id `data`.
/// `title` and `subtitle` are plain text. `charts` adds the library that draws curves, which is
/// larger than all the rest.
std::string page_html(std::string_view title, std::string_view subtitle, std::string_view data,
                      bool charts, const std::vector<std::string_view>& scripts);

}  // namespace ludens::server
