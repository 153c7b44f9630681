// SPDX-License-Identifier: MIT
// The pages that play on Gamemaster for a player on this machine.
#pragma once

#include <string>
#include <string_view>

namespace ludens::server {

/// One file of HTML that needs nothing else. It contains no secret: it is uploaded to `origin`,
/// whose pages may all read it. Anywhere else it explains what to do with it.
std::string gamemaster_page(std::string_view origin);
/// The window of this program that passes on what a page of `origin` asks, where the browser does
/// not let that page ask itself. Contains no secret either.
std::string gamemaster_window(std::string_view origin);

}  // namespace ludens::server
