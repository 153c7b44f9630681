// SPDX-License-Identifier: MIT
// Opening the page on which `--watch PORT` lets people follow what goes on.
#pragma once

#include <optional>
#include <string>

#include "server/web/match_feed.h"

namespace ludens::server {

/// Lets the feed listen and prints the address on standard error; or returns a sentence that says
/// why it can't and what to do: `option` is where the port came from. The port is 0 to 65535; 0
/// means a free one.
std::optional<std::string> open_watch(MatchFeed& feed, int port,
                                      const std::string& option = "--watch");

}  // namespace ludens::server
