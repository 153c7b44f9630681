// SPDX-License-Identifier: MIT
// The desktop's browser.
#pragma once

#include <string>

namespace ludens::server {

/// Lets the desktop, if there is one, open an address. False if nothing could be started.
bool open_in_browser(const std::string& url);

}  // namespace ludens::server
