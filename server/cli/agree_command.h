// SPDX-License-Identifier: MIT
// `ludens agree`: machines against the interpreter, at each step of random playouts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct AgreeOptions {
  std::vector<std::string> games;
  std::vector<std::string> machines;  // none: all there are but `auto`
  std::uint32_t playouts = 3;         // of each game
  double seconds = 10;                // for the playouts of each game
  std::uint64_t seed = 1;
  bool json = false;
};

/// For each game: legal moves, next states, end and goals of every state, by single calls, walkers
/// and batches. A game that a machine does not take is told with the reason. With `json`, one
/// object a game, then the sum:
///
///     {"game":..,"machines":[..],"playouts":N,"states":N,"differences":[..],
///      "refused":[{"machine":..,"why":..},..]}
///     {"games":N,"agree":N,"states":N}
int agree_command(const AgreeOptions& options);

}  // namespace ludens::server
