// SPDX-License-Identifier: MIT
// `ludens learn`: values of a game by self-play, into a file of knowledge.
#pragma once

#include <string>

namespace ludens::server {

struct LearnOptions {
  std::string game;
  double seconds = 60;
  double interval = 10;  // seconds between two lines
  std::string out;       // empty: where players with `knowledge=auto` look
  bool resume = false;   // go on from what the file has
  std::string plot;      // a picture of the score against seconds; empty: none
  std::size_t memory_mb = 2048;
  unsigned threads = 0;  // 0: one for each processor
  std::uint64_t seed = 1;
  bool json = false;
};

/// Learns until the time is over or Ctrl-C, and writes the file at each line and at the end, whole
/// or not at all; `plot`, too, which begins anew with each call. As JSON a line is
///
///     {"seconds":..,"games":..,"positions":..,"score":..}
///
/// of all that was learned, also before: `positions` were judged, `score` is the share in percent
/// of `value` against `mcts` in a few matches with 2,000 states or playouts a move, null where a
/// game is not for two.
int learn_command(const LearnOptions& options);

}  // namespace ludens::server
