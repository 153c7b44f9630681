// SPDX-License-Identifier: MIT
// `ludens speed GAME...`: how fast a machine plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct SpeedOptions {
  std::vector<std::string> games;
  std::string machine = "auto";
  std::string policy = "uniform";  // of the playouts
  double seconds = 5;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  bool json = false;
  bool csv = false;
};

/// Random playouts from the initial state, uniform or by a policy: steps (joint moves) a second,
/// with the legal moves of every state and the goals at the end. 3 if a game can't be read or
/// played, or does not have the policy.
int speed_command(const SpeedOptions& options);

}  // namespace ludens::server
