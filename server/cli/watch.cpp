// SPDX-License-Identifier: MIT
#include "server/cli/watch.h"

#include <cstdint>
#include <iostream>

namespace ludens::server {

std::optional<std::string> open_watch(MatchFeed& feed, int port, const std::string& option) {
  if (const auto why = feed.listen(static_cast<std::uint16_t>(port))) {
    return *why + "; " + option + " chooses another port";
  }
  std::cerr << "watch at " << feed.url() << "\n";
  return std::nullopt;
}

}  // namespace ludens::server
