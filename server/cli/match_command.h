// SPDX-License-Identifier: MIT
// `ludens match`: hosts one match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct MatchCommandOptions {
  std::string game;
  std::vector<std::string> players;  // in role order, without `random` roles; the rest: auto
  int start_clock = 10;
  int play_clock = 5;
  int preview_clock = -1;  // -1: no PREVIEW
  std::uint64_t seed = 0;  // 0: from the system
  std::string replace;     // random, first; empty: as the dialect has it
  std::string dialect = "ggp";
  bool scramble = false;
  bool force = false;
  std::size_t opening = 0;   // first steps, drawn by the host
  std::size_t step_cap = 0;  // 0: none
  int watch = -1;            // port of the page that follows the match; 0: a free one; -1: none
  int human_clock = 300;     // seconds that people have for a move
  std::string out = "matches";
  bool quiet = false;  // no moves and boards
  bool json = false;
};

/// The result to standard output, moves and boards to standard error. 0: played to the end, or to
/// the step cap, without a fault; 1: with faults, or aborted. Where people play, the match begins
/// when a browser has come, and more matches may follow.
int match_command(const MatchCommandOptions& options);

}  // namespace ludens::server
