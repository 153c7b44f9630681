// SPDX-License-Identifier: MIT
// The script of the page that leads matches of `page:` players, as in server/web/page/.
#pragma once

#include <string_view>

namespace ludens::server {

extern const std::string_view kManagerScript;  // Gamemaster's messages from a manager

}  // namespace ludens::server
