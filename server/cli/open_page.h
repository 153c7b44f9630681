// SPDX-License-Identifier: MIT
// The desktop's browser.
#pragma once

#include <string>

namespace ludens::server {

/// Has the desktop open an address, where there is one. False if nothing could be started.
bool open_in_browser(const std::string& url);

}  // namespace ludens::server
