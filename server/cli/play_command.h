// SPDX-License-Identifier: MIT
// `ludens play`: a person against the program, in a browser.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct PlayCommandOptions {
  std::string game;
  std::string role;                  // of the person; empty: the first one
  std::vector<std::string> against;  // one for all other roles, or one for each in role order
  int start_clock = 3;
  int play_clock = 3;
  int human_clock = 3600;  // seconds that people have for a move
  int port = 0;            // of the page; 0: a free one
  std::uint64_t seed = 0;  // 0: from the system
  std::string out = "matches";
  bool no_browser = false;  // print the address only
  bool json = false;
};

/// Opens the page of a match in the desktop's browser, or tells its address on standard error, and
/// plays matches there until the person has enough. Results go to standard output as those of
/// `match`.
int play_command(const PlayCommandOptions& options);

}  // namespace ludens::server
