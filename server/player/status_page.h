// SPDX-License-Identifier: MIT
// What a person with a browser sees about a player.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/player/player.h"

namespace ludens::server {

/// A small, self-contained HTML page: name, version, whether there is a place for one more match of
/// who looks at it (`available`), and which matches run.
std::string status_page(std::string_view name, std::string_view version, bool available,
                        const std::vector<agent::MatchStatus>& matches);

/// Escapes text for HTML and its attributes.
std::string escape_html(std::string_view text);

}  // namespace ludens::server
