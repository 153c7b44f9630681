// SPDX-License-Identifier: MIT
// `ludens demo`: what this program does, in half a minute.
#pragma once

#include <string>

namespace ludens::server {

struct DemoOptions {
  std::string game = "connect_four";
  std::string out = "matches";
};

/// Starts the player on a free loopback port and hosts a match between it and a weaker built-in
/// one, through HTTP, as a GGP host would; shows everything on standard output. 0 if the match was
/// played to its end without a fault.
int demo_command(const DemoOptions& options);

}  // namespace ludens::server
